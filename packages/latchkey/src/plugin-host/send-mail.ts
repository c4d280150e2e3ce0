import { AuthError, EmailSignInError, toError } from '../base/errors.ts'
import { inTime } from '../base/in-time.ts'
import { checkAddress } from '../flows/email/normalize-address.ts'
import type { SiteRequest } from '../http/request.ts'
import type { SentMail } from '../options/mail/mail-options.ts'
import { customFetch } from '../options/markers.ts'
import type { SessionPlan } from '../plan/plan.ts'
import { Problem } from '../plugin/problem.ts'
import { limitFetch } from '../protocols/oauth/limited-fetch.ts'

/** Milliseconds until a mail service must respond. */
const PATIENCE = 10_000

/** Sends a mail of a plugin. @throws {Problem} `mail_unavailable`. */
export async function sendMail(
  mail: SentMail,
  { origin }: SiteRequest,
  { providerConfigs, ports, logger }: SessionPlan,
): Promise<void> {
  const provider = providerConfigs.find((each) => each.type === 'email' && each.sendMail)
  if (provider?.type !== 'email') {
    throw new AuthError(
      "a plugin sends a mail, but no provider can send it; add a mail provider to `providers` (with `needs: ['mail']`, the plugin requires one at the start)",
    )
  }
  checkAddress(mail.to)
  const fetch = limitFetch(ports.fetch, { custom: provider[customFetch] })
  try {
    await inTime(provider.sendMail?.({ mail, provider, origin, fetch }), PATIENCE)
  } catch (error) {
    logger.error(new EmailSignInError(toError(error), { provider: provider.id }))
    throw new Problem('mail_unavailable', 'the mail could not be sent', {
      headers: { 'retry-after': '10' },
    })
  }
}
