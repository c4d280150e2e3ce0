import { encodeHex } from '../../base/encoding/hex.ts'
import { EmailSignInError, toError } from '../../base/errors.ts'
import { fieldsRequest } from '../../http/fields-request.ts'
import { formText } from '../../http/form.ts'
import { type Outcome, redirect } from '../../http/outcome.ts'
import type { AuthRequest } from '../../http/request.ts'
import { trusted, withParams } from '../../http/safe-url.ts'
import { defaultSender } from '../../mail/default-sender.ts'
import { customFetch } from '../../options/markers.ts'
import type { Visit } from '../../plan/provider.ts'
import { limitFetch } from '../../protocols/oauth/limited-fetch.ts'
import { userAt } from '../../sign-in/address-owner.ts'
import { askSignIn } from '../../sign-in/ask-sign-in.ts'
import type { EmailFlow } from './email-flow.ts'
import { keepRequest, recallRequest } from './email-request.ts'
import { normalizedBy } from './normalize-address.ts'
import { accountOf } from './prove-address.ts'
import { drawCode, hashesOfCode } from './sign-in-code.ts'

/** Least characters of a token, because guesses of links are not limited. */
const TOKEN_LENGTH = 16

/** Mails a link that signs in the person who opens it, and a code if the provider has codes. */
export async function begin(
  flow: EmailFlow,
  request: AuthRequest,
  { callbackUrl, kept, context }: Visit,
): Promise<Outcome> {
  const { plan, config, store, maxAge } = flow
  const { ports } = plan
  const identifier = await addressOf(flow, request)
  const user = await userAt(identifier, request, flow)
  const account = accountOf(flow, user, identifier)
  const detour = await askSignIn(
    {
      user,
      account,
      email: { verificationRequest: true },
      callbackUrl,
      ...(context && { context }),
    },
    plan.callbacks,
  )
  if (detour) return redirect(await plan.resolveRedirect(detour, request.origin))

  const token = await drawToken(flow)
  const code = config.code ? drawCode(ports.random) : undefined
  const [stored] = await flow.hashes(token)
  const expires = new Date(ports.now() + maxAge * 1000)
  // Stored first, because a mailed link must work. If the mail fails, the token expires.
  await store.createVerificationToken({ identifier, token: stored, expires })
  const link = new URLSearchParams({ callbackUrl, token, email: identifier })
  try {
    await config.sendVerificationRequest({
      identifier,
      token,
      ...(code === undefined ? {} : { code }),
      expires,
      url: `${request.base}/callback/${config.id}?${link.toString()}`,
      provider: { ...config, from: config.from ?? defaultSender(request.origin) },
      theme: plan.theme,
      texts: plan.texts(request.original),
      request: fieldsRequest(request.original, request.form),
      fetch: limitFetch(ports.fetch, { custom: config[customFetch] }),
    })
  } catch (error) {
    throw new EmailSignInError(toError(error), { provider: config.id })
  }

  await endEarlier(flow, request, identifier)
  const hashed = code === undefined ? undefined : (await hashesOfCode(flow, code, stored))[0]
  const asked = { value: stored, identifier, code: hashed, kept, context }
  const cookie = await keepRequest(flow, request, asked, expires)
  const page = withParams(`${request.base}/verify-request`, { provider: config.id, type: 'email' })
  return redirect(trusted(page), [cookie])
}

/** @throws {EmailSignInError} if the field has no usable address. */
async function addressOf({ config }: EmailFlow, { form }: AuthRequest): Promise<string> {
  const given = formText(form, 'email')
  try {
    if (given === undefined) throw new TypeError('the field `email` is missing')
    return await normalizedBy(config, given)
  } catch (error) {
    throw new EmailSignInError(toError(error), { provider: config.id })
  }
}

/** @throws {TypeError} if the application's generator returns a token that can be guessed. */
async function drawToken({ config, plan }: EmailFlow): Promise<string> {
  if (!config.generateVerificationToken) return encodeHex(plan.ports.random(32))
  const token: unknown = await config.generateVerificationToken()
  if (typeof token === 'string' && token.length >= TOKEN_LENGTH) return token
  throw new TypeError(
    `\`generateVerificationToken\` must return at least ${TOKEN_LENGTH} characters, because shorter tokens can be guessed; for a short code set \`code: true\``,
  )
}

/** Invalidates the earlier mail of this browser for the same address. */
async function endEarlier(
  flow: EmailFlow,
  request: AuthRequest,
  identifier: string,
): Promise<void> {
  const earlier = await recallRequest(flow, request)
  if (earlier?.identifier !== identifier) return
  await flow.store.useVerificationToken({ identifier, token: earlier.value })
}
