import { createTransport } from 'nodemailer'
import { firstLine } from '../../user-error.ts'
import type { Found } from './report.ts'

/** Milliseconds for each step of the connection. */
const PATIENCE = 5000

/**
 * Connects to the SMTP server and signs in there, as for a mail, and sends none.
 *
 * @param smtp its URL.
 */
export async function checkMail(smtp: string, found: (finding: Found) => void): Promise<void> {
  const transport = createTransport({
    url: smtp,
    connectionTimeout: PATIENCE,
    greetingTimeout: PATIENCE,
    socketTimeout: PATIENCE,
  })
  try {
    await transport.verify()
  } catch (error) {
    found({
      level: 'error',
      seen: `${new URL(smtp).host} takes no mails: ${firstLine(error)}`,
      fix: 'correct SMTP_URL, or let this machine connect to the server',
    })
  } finally {
    transport.close()
  }
}
