import * as v from 'valibot'
import {
  type Answer,
  type Call,
  type Cookie,
  definedOnly,
  isPrefetch,
  Problem,
  type RecordKind,
  recordKind,
  type SafeUrl,
  trusted,
} from '../../../entries/plugin.ts'
import { approvalOf } from '../approval.ts'
import { type Begun, flowCookie } from '../native/flow-cookie.ts'
import { isRegistered, placeOf, withQuery } from '../native/redirect-uri.ts'
import type { Own } from '../own.ts'
import { approvePage } from '../pages/native.ts'
import type { TokensKey } from '../texts.ts'
import { needCaller } from './caller.ts'
import { oauthInput, textOf } from './oauth.ts'

type Input = Readonly<Record<string, unknown>>

export const inputOfStart: typeof oauthInput = oauthInput

/** The sign-in of an app that a page is about: one browser may have several, and another site can begin one. */
interface Shown {
  readonly flow?: string | undefined
}

interface Decision extends Shown {
  readonly decision: 'allow' | 'deny'
}

const flow = v.optional(v.pipe(v.string(), v.regex(/^[\w-]{16}$/)))

export const inputOfQuestion: v.GenericSchema<Shown> = v.strictObject({ flow })

export const inputOfDecision: v.GenericSchema<Decision> = v.strictObject({
  decision: v.picklist(['allow', 'deny']),
  flow,
})

const PAGE = 'native/approve'
/** Records of the consent of users to apps. */
const CONSENT_KIND = 'app-consent'

/** `GET native/start`: an app begins a sign-in (RFC 6749 section 4.1.1, RFC 7636 section 4.3). */
export async function start({ request, input, current }: Call<Input>, own: Own): Promise<Answer> {
  const { host } = own
  const { settings } = await own.native()
  const client = textOf(input, 'client_id')
  const redirectUri = textOf(input, 'redirect_uri', 2000)
  const app = client === undefined ? undefined : settings.clients.get(client)
  // Without a configured address, there is no redirect.
  if (!app || client === undefined) throw new Problem('invalid_client', 'no such client')
  if (redirectUri === undefined || !isRegistered(redirectUri, app.redirectUris))
    throw new Problem('invalid_client', 'this `redirect_uri` is not configured for the client')
  const state = textOf(input, 'state', 500) ?? ''
  const challenge = textOf(input, 'code_challenge') ?? ''
  const refuse = (error: string) =>
    ({ to: back({ redirectUri, state }, { error }, request.base) }) satisfies Answer
  if (input['response_type'] !== 'code') return refuse('unsupported_response_type')
  if (state === '' || input['code_challenge_method'] !== 'S256') return refuse('invalid_request')
  if (!/^[\w-]{43}$/.test(challenge)) return refuse('invalid_request')
  const prompts = (textOf(input, 'prompt') ?? '').split(' ')
  const mustSignIn = prompts.includes('login')
  const at = Math.floor(host.ports.now() / 1000)
  const begun: Begun = { client, redirectUri, challenge, state, at, mustSignIn }
  const { flow, cookies } = await flowCookie(host).begin(begun, request)
  const isKnown = current !== null && !mustSignIn && !prompts.includes('select_account')
  const page = host.site.path(PAGE, { flow })
  return { to: isKnown ? page : host.site.path('signin', { callbackUrl: page }), cookies }
}

/** `GET native/approve`: the question whether the app may be signed in. */
export async function question(call: Call<Shown>, own: Own): Promise<Answer> {
  const { request, current, csrfField, input } = call
  const { host } = own
  const { settings } = await own.native()
  const page = pageOf(input, host)
  const { userId } = await needCaller(current, host, page)
  const begun = await needBegun(call, own)
  const signIn = host.site.path('signin', { callbackUrl: page })
  const { auth_time: proved = 0 } = (await current?.facts.known()) ?? {}
  if (begun.mustSignIn && proved < begun.at) return { to: signIn, json: { next: signIn } }
  // Checked before the question, so that the user need not sign in after it.
  await host.sessions.needFresh(current, settings.freshAge, page)
  if (settings.consent === 'first' && isOfOneApp(begun) && isOpened(request)) {
    const key = await consentKey(begun, userId, host)
    if (await consentsOf(host).get(key)) return approve(call, begun, own)
  }
  const { user } = current as NonNullable<Call['current']>
  const client = settings.clients.get(begun.client)?.name ?? begun.client
  return {
    page: approvePage({
      texts: await host.site.text<TokensKey>(request),
      action: host.site.path(PAGE),
      other: signIn,
      csrfField,
      flow: input.flow,
      client,
      user: user.name || user.email ? user : { name: userId },
      place: placeOf(begun.redirectUri),
    }),
    json: { client, ...definedOnly({ flow: input.flow }) },
  }
}

/** `POST native/approve` */
export async function decide(call: Call<Decision>, own: Own): Promise<Answer> {
  const { host } = own
  const { settings } = await own.native()
  const page = pageOf(call.input, host)
  const { userId } = await needCaller(call.current, host, page)
  const begun = await needBegun(call, own)
  const { auth_time: proved = 0 } = (await call.current?.facts.known()) ?? {}
  if (begun.mustSignIn && proved < begun.at)
    throw new Problem('reauthentication_required', 'the app requires a new proof of identity', {
      next: host.site.path('signin', { callbackUrl: page }),
    })
  if (call.input.decision === 'deny') {
    const to = back(begun, { error: 'access_denied' }, call.request.base)
    return { to, json: { url: to }, cookies: [forgotten(call, host)] }
  }
  await host.sessions.needFresh(call.current, settings.freshAge, page)
  if (settings.consent === 'first' && isOfOneApp(begun)) {
    const key = await consentKey(begun, userId, host)
    await consentsOf(host).create({ key, userId, data: {} })
  }
  return approve(call, begun, own)
}

async function approve(call: Call<Shown>, begun: Begun, own: Own): Promise<Answer> {
  const { request, current } = call
  const { host } = own
  const { codes } = await own.native()
  if (!current) throw new Problem('unauthenticated', 'nobody is signed in')
  const code = await codes.issue(begun, await approvalOf(current, host))
  const to = back(begun, { code }, request.base)
  return { to, json: { url: to }, cookies: [forgotten(call, host)] }
}

/** Returns the URL of the page with the question. */
function pageOf({ flow }: Shown, host: Own['host']): SafeUrl {
  return host.site.path(PAGE, definedOnly({ flow }))
}

/** Returns the cookie that removes the decided sign-in. */
function forgotten(
  { request, input }: Pick<Call<Shown>, 'request' | 'input'>,
  host: Own['host'],
): Cookie {
  return flowCookie(host).clear(input.flow, request)
}

/** @throws {Problem} `invalid_code` if this browser has not begun a sign-in of an app. */
async function needBegun(
  { request, input }: Pick<Call<Shown>, 'request' | 'input'>,
  own: Own,
): Promise<Begun> {
  const begun = await flowCookie(own.host).read(input.flow, request)
  const { settings } = await own.native()
  const app = begun && settings.clients.get(begun.client)
  // The configuration may have changed since.
  if (begun && app && isRegistered(begun.redirectUri, app.redirectUris)) return begun
  throw new Problem('invalid_code', 'no sign-in of an app began in this browser')
}

/**
 * Returns the redirect to the app. `iss` tells the app who responds, so that no other site can respond instead (RFC
 * 9207).
 */
function back(
  { redirectUri, state }: Pick<Begun, 'redirectUri' | 'state'>,
  params: Readonly<Record<string, string>>,
  iss: string,
): SafeUrl {
  return trusted(withQuery(redirectUri, { ...params, ...(state !== '' && { state }), iss }))
}

/** Returns whether a browser opens the URL as a page. A prefetch, a frame or an image must not sign in an app. */
function isOpened({ original: { method, headers } }: Call['request']): boolean {
  const purpose = headers.get('sec-fetch-dest') ?? 'document'
  const isOwnScript = purpose === 'empty' && headers.get('sec-fetch-site') === 'same-origin'
  return method === 'GET' && !isPrefetch(headers) && (purpose === 'document' || isOwnScript)
}

/**
 * Returns whether the system opens this URL only in one app. Any program can listen on a local port and register a
 * scheme, so in these cases the user is asked each time (RFC 8252 section 8.6).
 */
function isOfOneApp({ redirectUri }: Begun): boolean {
  return redirectUri.startsWith('https:')
}

/** Returns the records of consents to apps. Only their existence matters. */
function consentsOf(host: Own['host']): RecordKind<object> {
  return recordKind(host, CONSENT_KIND, {
    shape: (data) => data,
    onDamaged: 'the question is asked again',
    hasSecretKeys: true,
  })
}

/** Returns the key of a consent: of one user, for one app at one address. */
function consentKey(
  { client, redirectUri }: Begun,
  userId: string,
  { keys }: Own['host'],
): Promise<string> {
  return keys.hash(CONSENT_KIND, client, userId, redirectUri)
}
