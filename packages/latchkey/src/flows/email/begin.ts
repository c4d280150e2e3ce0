import { encodeHex } from '../../encoding/hex.ts'
import { formatUuid } from '../../encoding/uuid.ts'
import { EmailSignInError, toError } from '../../errors.ts'
import { setCookie } from '../../http/cookies.ts'
import { fieldsRequest } from '../../http/fields-request.ts'
import { formText } from '../../http/form.ts'
import { trusted, withParams } from '../../http/safe-url.ts'
import type { Account } from '../../model/account.ts'
import type { AdapterUser } from '../../model/user.ts'
import { type Outcome, redirect } from '../../outcome.ts'
import type { Plan } from '../../plan.ts'
import type { Visit } from '../../provider.ts'
import type { AuthRequest } from '../../request.ts'
import { askSignIn } from '../../sign-in/ask-sign-in.ts'
import type { EmailFlow } from './email-flow.ts'
import { normalizeAddress } from './normalize-address.ts'

/** Mails a link that signs in whoever opens it. */
export async function begin(
  flow: EmailFlow,
  request: AuthRequest,
  { callbackUrl }: Visit,
): Promise<Outcome> {
  const { plan, config, store, maxAge } = flow
  const { ports } = plan
  const identifier = await addressOf(flow, request)
  const user = (await store.getUserByEmail(identifier)) ?? provisionalUser(identifier, plan)
  const account = accountOf(flow, user, identifier)
  const detour = await askSignIn(
    { user, account, email: { verificationRequest: true } },
    plan.callbacks,
  )
  if (detour) return redirect(await plan.resolveRedirect(detour, request.origin))

  const token: unknown = (await config.generateVerificationToken?.()) ?? encodeHex(ports.random(32))
  if (typeof token !== 'string' || token === '') {
    throw new TypeError('`generateVerificationToken` gave no text')
  }
  const [stored] = await flow.hashes(token)
  const expires = new Date(ports.now() + maxAge * 1000)
  // Stored first: a link that arrives must work, a link that does not arrive expires.
  await store.createVerificationToken({ identifier, token: stored, expires })
  const link = new URLSearchParams({ callbackUrl, token, email: identifier })
  try {
    await config.sendVerificationRequest({
      identifier,
      token,
      expires,
      url: `${request.base}/callback/${config.id}?${link.toString()}`,
      provider: config,
      theme: plan.theme,
      request: fieldsRequest(request.original, request.form),
    })
  } catch (error) {
    throw new EmailSignInError(toError(error), { provider: config.id })
  }

  const spec = flow.requestCookie(request)
  const sealed = await plan
    .sealer(spec.name)
    .seal({ value: stored, provider: config.id }, maxAge, ports)
  const page = withParams(`${request.base}/verify-request`, { provider: config.id, type: 'email' })
  return redirect(trusted(page), [setCookie(spec, sealed, expires)])
}

/** @throws {EmailSignInError} when the field holds no usable address. */
async function addressOf({ config }: EmailFlow, { form }: AuthRequest): Promise<string> {
  const given = formText(form, 'email')
  try {
    if (given === undefined) throw new TypeError('the field `email` is missing')
    const address: unknown = await (config.normalizeIdentifier ?? normalizeAddress)(given)
    if (typeof address === 'string' && address !== '') return address
    throw new TypeError('`normalizeIdentifier` gave no text')
  } catch (error) {
    throw new EmailSignInError(toError(error), { provider: config.id })
  }
}

/** Who will be created once the address is proven. */
export function provisionalUser(email: string, { ports }: Plan): AdapterUser {
  return { id: formatUuid(ports.random(16)), email, emailVerified: null }
}

export function accountOf({ config }: EmailFlow, user: AdapterUser, identifier: string): Account {
  return {
    providerAccountId: identifier,
    userId: user.id,
    type: 'email',
    provider: config.id,
  }
}
