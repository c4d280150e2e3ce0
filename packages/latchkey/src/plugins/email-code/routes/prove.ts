import {
  type Answer,
  type AskedProof,
  type AskedProofForm,
  html,
  htmlOf,
  markup,
  type ProofForm,
  type ProofVerdict,
} from '../../../entries/plugin.ts'
import { type CodePlace, placeOfProver, readAddress } from '../../../entries/plugin-accounts.ts'
import { codeField, leftToRight, linkButton, postForm } from '../../../entries/plugin-pages.ts'
import { mailCode } from '../mails.ts'
import type { Own } from '../own.ts'
import type { EmailCodeKey } from '../texts.ts'

/** A code is for one session: in another one of the same user, it is wrong. */
async function whereOf({ user, current, request }: AskedProof, { host }: Own): Promise<CodePlace> {
  return placeOfProver('reauthenticate', { user, request, sid: await current.facts.sid() }, host)
}

/** Returns the button that sends a code, and then the field for it. */
export async function proofForm(asked: AskedProofForm, own: Own): Promise<ProofForm> {
  const { user, request, isWrong, hidden } = asked
  const { host, settings } = own
  const { text } = await host.site.text<EmailCodeKey>(request)
  const email = markup(html`<strong>${leftToRight(user.email ?? '')}</strong>`)
  if (!isWrong && !(await own.codes.isAsked(await whereOf(asked, own))))
    return {
      content: undefined,
      lead: htmlOf(text('emailCode:prove.lead'), { email }),
      submit: text('emailCode:prove'),
      begins: true,
    }
  const code = codeField(
    {
      label: text('emailCode:code'),
      name: 'code',
      error: isWrong ? text('emailCode:code.wrong') : undefined,
      attributes: { autofocus: true },
    },
    settings.length,
  )
  const mailbox = host.site.mailbox(request)
  const again = html`<button class="button quiet" type="submit" name="begin" value="1" data-wait="${settings.resendAfter}" data-waiting="${text('emailCode:waiting')}">${text('emailCode:again')}</button>`
  return {
    lead: htmlOf(text('emailCode:prove.sent'), { email }),
    content: code,
    further: [
      mailbox !== undefined && linkButton(text('emailCode:mailbox'), mailbox),
      postForm(markup(again), { action: host.site.path('reauthenticate'), csrfField: hidden }),
    ],
  }
}

/** Mails a code to the address of the user. @throws {Problem} `mail_unavailable`, `too_many_attempts` */
export async function beginProof(asked: AskedProof, own: Own): Promise<Answer> {
  const { user, request } = asked
  const { host } = own
  const where = await whereOf(asked, own)
  // As somebody would type it: known browsers have attempts of their own by this name.
  const identifier = readAddress(where.email) ?? where.email
  await host.attempts.count('email-code.send', { request, identifier })
  return own.codes.send(where, {
    about: { userId: user.id },
    mail: (code) =>
      mailCode({ to: where.email, userId: user.id }, code, request, own, 'reauthenticate'),
  })
}

/** Checks a code that was mailed for this session. @throws {Problem} `too_many_attempts` */
export async function checkProof(
  asked: AskedProof,
  { code = '' }: Readonly<Record<string, string>>,
  own: Own,
): Promise<ProofVerdict> {
  const isRight = await own.codes.isRight(await whereOf(asked, own), code, asked.request)
  return isRight ? { isRight } : { isRight, field: 'code' }
}
