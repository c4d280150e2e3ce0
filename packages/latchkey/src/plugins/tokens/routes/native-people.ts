import * as v from 'valibot'
import { isPrefetch } from '../../../http/origin-hints.ts'
import { trusted } from '../../../http/safe-url.ts'
import { WITH_DAMAGED } from '../../../model/damaged-record.ts'
import { type Answer, type Call, Problem, type SafeUrl } from '../../../plugin-kit.ts'
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

export const inputOfDecision: v.GenericSchema<{ decision: 'allow' | 'deny' }> = v.strictObject({
  decision: v.picklist(['allow', 'deny']),
})

const PAGE = 'native/approve'
/** Records of apps that somebody agreed to. */
const CONSENT_KIND = 'app-consent'

/** `GET native/start`: an app begins a sign-in (RFC 6749 section 4.1.1, RFC 7636 section 4.3). */
export async function start({ request, input, current }: Call<Input>, own: Own): Promise<Answer> {
  const { host } = own
  const { settings } = await own.native()
  const client = textOf(input, 'client_id')
  const redirectUri = textOf(input, 'redirect_uri', 2000)
  const app = client === undefined ? undefined : settings.clients.get(client)
  // Nobody is led to an address that is not configured.
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
  const cookies = [await flowCookie(host).set(begun, request)]
  const isKnown = current !== null && !mustSignIn && !prompts.includes('select_account')
  const signIn = host.path('signin', { callbackUrl: host.path(PAGE) })
  return { to: isKnown ? host.path(PAGE) : signIn, cookies }
}

/** `GET native/approve`: the question whether the app may be signed in. */
export async function question(call: Call, own: Own): Promise<Answer> {
  const { request, current, csrfField } = call
  const { host } = own
  const { settings } = await own.native()
  const { userId } = await needCaller(current, host, PAGE)
  const begun = await needBegun(call, own)
  const signIn = host.path('signin', { callbackUrl: host.path(PAGE) })
  const { auth_time: proved = 0 } = (await current?.facts.known()) ?? {}
  if (begun.mustSignIn && proved < begun.at) return { to: signIn, json: { next: signIn } }
  if (settings.consent === 'first' && isOpened(request)) {
    const key = await consentKey(begun, userId, host)
    const given = await host.records.get(CONSENT_KIND, key, WITH_DAMAGED)
    // Nobody knows what a damaged record says, so the question is asked again.
    if (given && !given.isDamaged) return approve(call, begun, own)
  }
  const { user } = current as NonNullable<Call['current']>
  const client = settings.clients.get(begun.client)?.name ?? begun.client
  return {
    page: approvePage({
      texts: await host.text<TokensKey>(request),
      action: host.path(PAGE),
      other: signIn,
      csrfField,
      client,
      user: String(user.email ?? user.name ?? userId),
      place: placeOf(begun.redirectUri),
    }),
    json: { client },
  }
}

/** `POST native/approve` */
export async function decide(
  call: Call<{ decision: 'allow' | 'deny' }>,
  own: Own,
): Promise<Answer> {
  const { host } = own
  const { settings } = await own.native()
  const { userId } = await needCaller(call.current, host, PAGE)
  const begun = await needBegun(call, own)
  const { auth_time: proved = 0 } = (await call.current?.facts.known()) ?? {}
  if (begun.mustSignIn && proved < begun.at)
    throw new Problem('reauthentication_required', 'the app requires a new proof of identity', {
      next: host.path('signin', { callbackUrl: host.path(PAGE) }),
    })
  if (call.input.decision === 'deny') {
    const to = back(begun, { error: 'access_denied' }, call.request.base)
    return { to, json: { url: to }, cookies: [flowCookie(host).clear(call.request)] }
  }
  if (settings.consent === 'first') {
    const key = await consentKey(begun, userId, host)
    await host.records.create({ kind: CONSENT_KIND, key, userId, data: {} })
  }
  return approve(call, begun, own)
}

async function approve(
  { request, current }: Pick<Call, 'request' | 'current'>,
  begun: Begun,
  own: Own,
): Promise<Answer> {
  const { host } = own
  const { codes } = await own.native()
  if (!current) throw new Problem('unauthenticated', 'nobody is signed in')
  const code = await codes.issue(begun, await approvalOf(current, host))
  const to = back(begun, { code }, request.base)
  return { to, json: { url: to }, cookies: [flowCookie(host).clear(request)] }
}

/** @throws {Problem} `invalid_code` where no sign-in of an app began in this browser. */
async function needBegun({ request }: Pick<Call, 'request'>, own: Own): Promise<Begun> {
  const begun = await flowCookie(own.host).read(request)
  const { settings } = await own.native()
  const app = begun && settings.clients.get(begun.client)
  // It may have been taken out of the configuration since.
  if (begun && app && isRegistered(begun.redirectUri, app.redirectUris)) return begun
  throw new Problem('invalid_code', 'no sign-in of an app began in this browser')
}

/** To the app. It learns who answers, so that no other site can answer in our place (RFC 9207). */
function back(
  { redirectUri, state }: Pick<Begun, 'redirectUri' | 'state'>,
  params: Readonly<Record<string, string>>,
  iss: string,
): SafeUrl {
  return trusted(withQuery(redirectUri, { ...params, ...(state !== '' && { state }), iss }))
}

/** Does a browser open it as a page? A request ahead of a click, a frame or an image lets no app in. */
function isOpened({ original: { method, headers } }: Call['request']): boolean {
  const purpose = headers.get('sec-fetch-dest') ?? 'document'
  const isOwnScript = purpose === 'empty' && headers.get('sec-fetch-site') === 'same-origin'
  return method === 'GET' && !isPrefetch(headers) && (purpose === 'document' || isOwnScript)
}

/** The record of a consent: of one user for one app. */
function consentKey(
  { client }: Begun,
  userId: string,
  { keyedHash }: Own['host'],
): Promise<string> {
  return keyedHash(CONSENT_KIND, client, userId)
}
