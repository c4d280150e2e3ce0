import {
  type Answer,
  type Call,
  digestOf,
  type EventMessages,
  Problem,
  type ProviderClient,
  readText,
  recordKind,
  toError,
  UnreadableBody,
} from '../../../entries/plugin.ts'
import { failuresOf } from '../failures.ts'
import {
  FailedCheck,
  judgeLogoutToken,
  type LogoutToken,
  readLogoutToken,
} from '../logout-token.ts'
import type { Own } from '../own.ts'
import { createOpSessions } from '../records/op-sessions.ts'
import type { Backchannel } from '../settings.ts'

/** In bytes. */
const LONGEST_BODY = 16 * 1024

const KIND = 'logout-jti'

/** Milliseconds after which an unfinished token may be sent again. */
const RUNNING = 60_000

/** `POST logout/backchannel/<provider>`: a provider reports a logout. */
export async function logOut({ request, rest = '' }: Call, own: Own): Promise<Answer> {
  const { host, settings } = own
  const { backchannel } = settings
  const isNamed = backchannel && (backchannel.providers?.includes(rest) ?? true)
  const client = isNamed ? await host.providers.client(rest) : undefined
  // Check 1.
  if (!backchannel || client?.type !== 'oidc') return { status: 404 }
  try {
    const jwt = await sentToken(request.original)
    const token = await verified(jwt, client, backchannel, { request, own })
    return await once(token, client, backchannel, own)
  } catch (error) {
    await host.tell('backchannelLogoutRefused', { provider: rest, ...whyRefused(error) })
    if (error instanceof FailedCheck) {
      return refusal('invalid_request', `check ${error.check}`)
    }
    if (error instanceof Problem) throw error
    host.logger.error(toError(error))
    // The final text of the standard also has 400 for this (section 2.8).
    return refusal('server_error')
  }
}

function whyRefused(error: unknown): Omit<EventMessages['backchannelLogoutRefused'], 'provider'> {
  if (error instanceof FailedCheck) return { why: 'check', check: error.check }
  const isLimit = error instanceof Problem && error.code === 'too_many_attempts'
  return { why: isLimit ? 'limit' : 'failure' }
}

function refusal(error: string, description?: string): Answer {
  return {
    status: 400,
    json: { error, ...(description !== undefined && { error_description: description }) },
  }
}

/** @throws {FailedCheck} if the body is not a form, is too long, or has no token or several. */
async function sentToken(request: Request): Promise<string> {
  const type = request.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded') throw new FailedCheck(2)
  try {
    const tokens = new URLSearchParams(await readText(request, LONGEST_BODY)).getAll('logout_token')
    if (tokens.length === 1 && tokens[0]) return tokens[0]
  } catch (error) {
    if (!(error instanceof UnreadableBody)) throw error
  }
  throw new FailedCheck(2)
}

/** Runs checks 2 to 12, except whether the token was used before. */
async function verified(
  jwt: string,
  client: ProviderClient,
  backchannel: Backchannel,
  { request, own }: { request: Call['request']; own: Own },
): Promise<LogoutToken> {
  const unverified = readLogoutToken(jwt, client)
  const failures = await failuresOf(client.id, request, own)
  const judge = (): LogoutToken =>
    judgeLogoutToken(unverified, client, backchannel, own.host.ports.now())
  try {
    // Above the limit, only a plausible token gets a signature check. Keys are requested at most once a minute.
    if (failures.areTooMany()) judge()
    await client.verify(jwt).catch((error: unknown) => {
      // The error of the library contains the token.
      own.host.logger.debug('logout token', () => ({
        provider: client.id,
        why: toError(error).message,
      }))
      throw new FailedCheck(7)
    })
    return judge()
  } catch (error) {
    throw (await failures.note()) ?? error
  }
}

/** Ends the sessions of a token, once: check 12. */
async function once(
  token: LogoutToken,
  { clientId, id }: ProviderClient,
  { maxAge, skew }: Backchannel,
  { host }: Own,
): Promise<Answer> {
  const seen = recordKind<{ state: 'running' | 'done' }>(host, KIND, {
    shape: ({ state }) => (state === 'running' || state === 'done' ? { state } : undefined),
  })
  const { issuer, sub, sid, iat, jti } = token
  const key = await digestOf(KIND, issuer, clientId, jti)
  const expires = new Date(host.ports.now() + RUNNING)
  const isFirst = await seen.create({ key, data: { state: 'running' }, expires })
  if (!isFirst) throw new FailedCheck(12)
  try {
    const meant = { issuer, clientId, sub, ...(sid !== undefined && { sid }) }
    const ended = await createOpSessions(host).end(meant, iat, 'back-channel')
    if (ended === undefined) throw new FailedCheck(10)
    const until = new Date((iat + maxAge + 2 * skew) * 1000)
    await seen.update(key, () => ({ data: { state: 'done' }, expires: until }))
    const userIds = [...new Set(ended)]
    await host.tell('backchannelLogout', { provider: id, ended: ended.length, userIds })
    return { status: 200 }
  } catch (error) {
    // The provider may repeat the request.
    await seen.delete(key)
    throw error
  }
}
