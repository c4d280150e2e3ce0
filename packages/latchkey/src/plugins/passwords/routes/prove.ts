import {
  type AskedProof,
  type AskedProofForm,
  markup,
  type ProofForm,
  type ProofVerdict,
} from '../../../entries/plugin.ts'
import { passwordField, textLink } from '../../../entries/plugin-pages.ts'
import { isPasswordOf } from '../flows/is-password-of.ts'
import type { Own } from '../own.ts'
import { usernameField } from '../pages/parts.ts'
import type { PasswordsKey } from '../texts.ts'
import { LONGEST } from './fields.ts'

/** Returns the field of the page that asks for the password again. */
export async function proofForm(
  { user, request, isWrong }: AskedProofForm,
  { host }: Own,
): Promise<ProofForm> {
  const { text } = await host.site.text<PasswordsKey>(request)
  const field = passwordField(
    {
      label: text('passwords:password'),
      name: 'password',
      error: isWrong ? text('passwords:prove.wrong') : undefined,
      aside: textLink(text('passwords:change.forgot'), host.site.path('password/forgot')),
      attributes: { required: true, autocomplete: 'current-password', autofocus: true },
    },
    text('passwords:show'),
  )
  return { content: [user.email && markup(usernameField(user.email)), field] }
}

/** Checks the password of this user. */
export async function checkProof(
  { user, request }: AskedProof,
  { password = '' }: Readonly<Record<string, string>>,
  own: Own,
): Promise<ProofVerdict> {
  const isRight =
    password !== '' &&
    password.length <= LONGEST &&
    (await isPasswordOf(user, password, await own.passwords.read(user.id), request, own))
  return isRight ? { isRight } : { isRight: false, code: 'invalid_credentials', field: 'password' }
}
