import {
  type Answer,
  type AskedProof,
  type AskedProofForm,
  type CurrentSession,
  Problem,
  type ProofForm,
  type ProofVerdict,
} from '../../../entries/plugin.ts'
import { isCodeSent, sendCode } from '../flows/mail-code.ts'
import { type CodeMethod, proveCode } from '../flows/prove.ts'
import type { Own, Prover } from '../own.ts'
import { againForms, codeInput } from '../pages/prove.ts'
import type { TwoFactorKey } from '../texts.ts'

/** Returns the field of the page that asks a signed-in user for a second factor. */
export async function proofForm(
  method: CodeMethod,
  asked: AskedProofForm,
  own: Own,
): Promise<ProofForm> {
  const { request, isWrong, hidden } = asked
  const { site } = own.host
  const { text } = await site.text<TwoFactorKey>(request)
  if (method === 'email') {
    if (!isWrong && !(await isCodeSent(await proverOf(asked), own)))
      return {
        content: undefined,
        lead: text('twoFactor:email.lead'),
        submit: text('twoFactor:email.send'),
        begins: true,
      }
    const action = site.path('reauthenticate')
    return {
      lead: text('twoFactor:email.sent'),
      content: codeInput(method, isWrong, text),
      further: againForms({ action, csrfField: hidden }, site.mailbox(request), text),
    }
  }
  return { content: codeInput(method, isWrong, text) }
}

async function proverOf({ user, current, request }: AskedProof): Promise<Prover> {
  return { user, request, sid: await current.facts.sid() }
}

/** Mails a code for a session. */
export async function beginMail(asked: AskedProof, own: Own): Promise<Answer> {
  return sendCode(await proverOf(asked), own)
}

/** Checks a code of this user. */
export async function checkProof(
  method: CodeMethod,
  asked: AskedProof,
  { code = '' }: Readonly<Record<string, string>>,
  own: Own,
): Promise<ProofVerdict> {
  const wrong = { isRight: false, field: 'code' } as const
  if (code.length > LONGEST) return wrong
  try {
    await proveCode(method, code, await proverOf(asked), own)
    return { isRight: true }
  } catch (error) {
    if (error instanceof Problem && error.code === 'invalid_code') return wrong
    throw error
  }
}

/** What the challenge for a session is bound to. */
export async function purposeOf(current: CurrentSession | null): Promise<string> {
  return `reauthenticate ${await current?.facts.sid()}`
}

/** Returns the form for a key with which nobody signs in. */
export async function keyForm({ request, hidden }: AskedProofForm, own: Own): Promise<ProofForm> {
  const { site } = own.host
  const urls = {
    action: site.path('reauthenticate/security-key'),
    options: site.path('two-factor/passkey-options'),
  }
  const made = await (await own.passkeys())?.form(request, urls, hidden)
  return { content: undefined, instead: made?.content, script: made?.script }
}

/** Checks the response of a key of this user. */
export async function checkKey(
  { user, current, request }: AskedProof,
  { data = '' }: Readonly<Record<string, string>>,
  own: Own,
): Promise<ProofVerdict> {
  const userId = user.id
  const sid = await current.facts.sid()
  await own.host.attempts.count('two-factor.passkey', { request, userId, sid })
  const purpose = await purposeOf(current)
  const passkeys = await own.passkeys()
  const { amr, cookies } = (await passkeys?.check(request, data, { userId, purpose })) ?? {}
  return amr ? { isRight: true, amr, cookies } : { isRight: false, cookies }
}

/** Characters of a typed code. */
const LONGEST = 100
