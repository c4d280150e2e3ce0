import { SignJWT } from 'jose'
import {
  AuthError,
  type CurrentSession,
  definedOnly,
  encodeBase64url,
  type Host,
  isJsonObject,
  Problem,
  type SiteRequest,
} from '../../../entries/plugin.ts'
import type { KeyRing } from './key-ring.ts'
import type { Audience, JwtSettings, TokenRequest } from './settings.ts'

/** A token response of OAuth (RFC 6749 section 5.1). */
export interface IssuedToken {
  readonly access_token: string
  /** In seconds. */
  readonly expires_in: number
  /** Separated by spaces. Missing without scopes. */
  readonly scope?: string
}

/** The parameters of a token. */
export interface Wanted {
  /** By default the only configured audience. */
  readonly audience?: string | undefined
  /** By default all scopes of the audience. */
  readonly scopes?: readonly string[] | undefined
}

export interface Issuer {
  /** Returns the `iss` for a request. */
  issuerOf(request: Request | SiteRequest): string
  /** Returns the audience with this name, or the only one. @throws {Problem} `invalid_target` */
  audience(name: string | undefined): string
  /** @throws {Problem} if the session may not have such a token. */
  issue(
    request: Request | SiteRequest,
    current: CurrentSession | null,
    wanted: Wanted,
  ): Promise<IssuedToken>
}

/** The longest token, in characters. */
const LONGEST = 4096

/** Claims that identify the subject and the validity of a token, which `claims` cannot set. */
const RESERVED: ReadonlySet<string> = new Set(
  'iss sub aud client_id iat exp jti sid auth_time amr acr scope nbf cnf act azp'.split(' '),
)

export function createIssuer(host: Host, settings: JwtSettings, ring: KeyRing): Issuer {
  const { ports, logger, site } = host
  const { audiences, clientId, claims: claimsOf, mayIssue } = settings

  function audience(name: string | undefined): string {
    const [only, ...others] = audiences.keys()
    const found = name ?? (others.length === 0 ? only : undefined)
    if (found !== undefined && audiences.has(found)) return found
    const detail =
      name === undefined ? 'several are configured, and none was named' : 'it is not configured'
    throw new Problem('invalid_target', `no token for this audience: ${detail}`)
  }

  const issuerOf: Issuer['issuerOf'] = (request) =>
    settings.issuer ??
    ('origin' in request ? request.origin : new URL(request.url).origin) + site.basePath

  async function needLive(userId: string, sid: string): Promise<void> {
    const sessions = await host.sessions.control()?.list(userId)
    if (sessions?.some((each) => each.sid === sid)) return
    throw new Problem('unauthenticated', 'the session was ended')
  }

  async function askedFor(
    request: Request | SiteRequest,
    { user }: CurrentSession,
    asked: Pick<TokenRequest, 'audience' | 'scopes'>,
  ): Promise<TokenRequest | undefined> {
    if (!claimsOf && !mayIssue) return undefined
    const session = await host.sessions.read(request)
    if (!session) throw new Problem('unauthenticated', 'nobody is signed in')
    return { session, user, ...asked }
  }

  /** Returns the scopes that `mayIssue` allows. */
  async function granted(asked: TokenRequest | undefined, scopes: readonly string[]) {
    if (!asked || !mayIssue) return scopes
    const answer: unknown = await mayIssue(asked)
    if (answer === true) return scopes
    if (Array.isArray(answer)) return scopes.filter((scope) => answer.includes(scope))
    throw new Problem('forbidden', '`mayIssue` refused the token')
  }

  async function further(asked: TokenRequest | undefined): Promise<Record<string, unknown>> {
    const own: unknown = asked && claimsOf ? await claimsOf(asked) : {}
    if (!isJsonObject(own)) throw new AuthError('`claims` of tokens({ jwt }) must return an object')
    const taken = Object.keys(own).filter((name) => RESERVED.has(name))
    if (taken.length > 0) logger.warn('token-claims', `\`claims\` cannot set ${taken.join(', ')}`)
    return Object.fromEntries(Object.entries(own).filter(([name]) => !RESERVED.has(name)))
  }

  return {
    issuerOf,
    audience,

    async issue(request, current, { audience: name, scopes: wanted }) {
      if (!current) throw new Problem('unauthenticated', 'nobody is signed in')
      const { facts, user } = current
      const sub = facts.userId ?? user.id
      if (sub === undefined) throw new Problem('unauthenticated', 'the session names no user')
      const aud = audience(name)
      const { scopes: all, maxAge, sensitive } = audiences.get(aud) as Audience
      const odd = wanted?.find((scope) => !all.includes(scope))
      if (odd !== undefined)
        throw new Problem('invalid_scope', `the audience ${aud} has no such scope`)
      const sid = await facts.sid()
      if (sensitive) await needLive(String(sub), sid)
      const now = Math.floor(ports.now() / 1000)
      const exp = Math.min(now + maxAge, Math.floor(facts.expires / 1000))
      if (exp <= now) throw new Problem('unauthenticated', 'the session has expired')
      const asked = await askedFor(request, current, { audience: aud, scopes: wanted ?? all })
      const scope = (await granted(asked, wanted ?? all)).join(' ')
      const { auth_time, amr, acr } = await facts.known()
      const claims = {
        iss: issuerOf(request),
        sub: String(sub),
        aud,
        client_id: clientId,
        iat: now,
        exp,
        jti: encodeBase64url(ports.random(16)),
        sid,
        ...definedOnly({ auth_time, amr, acr }),
        ...(scope !== '' && { scope }),
        ...(await further(asked)),
      }
      const { key, kid, alg } = await ring.signing()
      const token = await new SignJWT(claims)
        .setProtectedHeader({ alg, typ: 'at+jwt', kid })
        .sign(key)
      if (token.length > LONGEST)
        throw new AuthError(
          `the token has ${token.length} characters, more than ${LONGEST}; return less from \`claims\` of tokens({ jwt })`,
        )
      return { access_token: token, expires_in: exp - now, ...(scope !== '' && { scope }) }
    },
  }
}
