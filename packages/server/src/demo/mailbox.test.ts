import { createTransport } from 'nodemailer'
import { describe, expect, test } from 'vitest'
import { draw } from '../http/page.ts'
import { createMailbox, type Mailbox } from './mailbox.ts'
import { mailboxPage, mailResponse } from './pages.ts'

async function send(mailbox: Mailbox, members: Record<string, string> = {}): Promise<void> {
  const mail = { to: 'a@example.test', from: 'b@example.test', subject: 's', text: 't', ...members }
  await createTransport(mailbox.transport as never).sendMail(mail)
}

describe('the mailbox of the demo', () => {
  test('keeps a limited number of mails, newest first', async () => {
    const mailbox = createMailbox()
    for (let index = 0; index < 120; index++) await send(mailbox, { subject: `mail ${index}` })
    expect(mailbox.list()).toHaveLength(100)
    expect(mailbox.list()[0]).toMatchObject({ subject: 'mail 119', to: 'a@example.test' })
  })

  test('shows a hostile mail as text', async () => {
    const mailbox = createMailbox()
    const hostile = '<script>alert(1)</script>"\'><img src=x onerror=alert(1)>'
    await send(mailbox, { subject: hostile, text: hostile, html: hostile })
    const { text: page } = draw(
      mailboxPage({ mails: mailbox.list(), origin: 'http://localhost', smtpHost: undefined }),
    )
    expect(page).not.toContain('<script>alert')
    expect(page).not.toContain('<img')
    expect(page).toContain('&lt;script&gt;')
  })

  test('shows the HTML of a mail in a sandbox only', async () => {
    const mailbox = createMailbox()
    await send(mailbox, { html: '<b>x</b>' })
    const [mail] = mailbox.list()
    const answer = mailResponse(mail!)
    expect(await answer.text()).toBe('<b>x</b>')
    expect(answer.headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none';/)
  })
})
