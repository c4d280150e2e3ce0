import type { MaybePromise } from '../../base/crypto/crypto.ts'
import { definedOnly } from '../../base/encoding/defined-only.ts'
import { isJsonObject } from '../../base/encoding/json.ts'
import {
  AccessDenied,
  isAuthError,
  JWTSessionError,
  SessionTokenError,
  toError,
} from '../../base/errors.ts'
import type { JWT } from '../../model/jwt.ts'
import type { User } from '../../model/user.ts'
import type { Opened } from '../../protocols/sealing/sealer.ts'
import type { Store } from '../../store/store.ts'
import type { Carried } from '../carrier.ts'
import { type SessionFacts, sealedFacts } from '../facts.ts'
import type { Draft, Keeping, KeptEnd, KeptHow, KeptSession, Stored } from '../keeping.ts'
import { agesFor, judgeSession, type KeepingServices, showSession } from '../services.ts'
import type { Renewal, SessionRequest } from '../strategy.ts'
import type { SessionAges } from '../watch.ts'
import type { JwtCodec } from './jwt-codec.ts'
import { applyJwtCallback, claimsOf, expiryOf, openToken, publicSession } from './sealed-read.ts'

/** Longest session token, characters: common proxies refuse headers of 16 kB. */
const TOKEN_LIMIT = 15_000

/** The services of sealed sessions. */
export interface Sealing extends KeepingServices {
  readonly codec: JwtCodec
  readonly store: Store | undefined
  /** Returns the purpose of a token: the name of its cookie. */
  saltOf(secure: boolean): string
  /** Opens the token of another library. @returns `undefined` if it cannot be opened. */
  openEarlier(value: string): Promise<JWT | undefined>
}

/** The result for a session that has expired, or whose token is invalid. */
const OVER: KeptEnd = { expired: undefined }

/** A session that a plugin ended. */
const ENDED: KeptEnd = { expired: false }

const NOBODY = { ended: undefined } as const

/** An opened session, with the value that has it. */
interface OpenSession extends Opened {
  readonly value: string
}

/** The content of a session from now on. */
interface Changed {
  readonly token: JWT
  /** Whether it must be written. */
  readonly isDue: boolean
  readonly ages: SessionAges
  /** The content before plugins took parts out of it, if they did. */
  readonly before: JWT | undefined
}

/** Keeps sessions sealed in their value. */
export function jwtSessions(sealing: Sealing): Keeping {
  const { callbacks, logger, store, tellsSignOut, watch } = sealing
  const tokens = sealedTokens(sealing)
  const { factsOf, find, lifetime, openOrNull, seal } = tokens

  /** Prepares a token that gets the claims of plugins. */
  async function prepare(
    token: JWT,
    { secure, holder }: Pick<Carried, 'secure' | 'holder'>,
  ): Promise<Draft> {
    const ages = agesFor(sealing, holder)
    return {
      facts: watch && (await sealedFacts(token, noToken, lifetime(ages))),
      store(claims) {
        // The facts have the same claims.
        Object.assign(token, claims)
        return seal(token, secure, watch?.ages(token, ages) ?? ages)
      },
    }
  }

  return {
    name: 'jwt',
    async draft(signedIn, proof, secure) {
      const { user, isNewUser } = signedIn
      const { name, email, image: picture, id } = user
      const token: JWT = definedOnly({
        name,
        email,
        picture,
        sub: id === undefined ? id : String(id),
        ...watch?.claims(proof),
      })
      const made = callbacks.jwt
        ? await callbacks.jwt({
            ...signedIn,
            // A copy, because the callback may change its argument.
            token: { ...token },
            trigger: isNewUser ? 'signUp' : 'signIn',
          })
        : token
      if (made === null) {
        logger.error(new AccessDenied('the `jwt` callback began no session'))
        return null
      }
      const claims = claimsOf(made)
      const restored = watch ? watch.restore(claims, token) : claims
      return prepare({ ...restored }, { secure, holder: proof.holder })
    },
    async former(carried) {
      const opened = watch && (await openOrNull(carried))
      if (!opened) return undefined
      const facts = await factsOf(opened, carried)
      return { facts, end: () => watch.end(facts, 'replaced') }
    },
    read: readerOf(sealing, tokens),
    async find(carried, request) {
      const found = await find(carried, request)
      if (!found) return null
      const { token } = found
      const { sub, name, email, picture } = token
      const stored = typeof sub === 'string' ? await store?.getUser(sub) : undefined
      const described = { id: sub, name, email, image: picture } as User
      return {
        facts: await factsOf(found, carried),
        stored: stored ?? null,
        user: stored ?? described,
        since: Number(found.claims['iat'] ?? 0),
        renewed(proof) {
          const { amr_times: _, ...kept } = token
          const described = describedBy(proof.described)
          return prepare({ ...kept, ...described, ...watch?.claims(proof) }, carried)
        },
      }
    },
    async revoke(carried, request) {
      if (!tellsSignOut && !watch) return NOBODY
      const opened = await openOrNull(carried)
      if (!opened) return NOBODY
      const ended = { token: opened.claims }
      const facts = await factsOf(opened, carried)
      if (!watch) return { ended, facts }
      // If the plugins cannot judge the session, it is ended nevertheless.
      const verdict = await (async () => judgeSession(sealing, facts, request, true))().catch(
        () => 'good',
      )
      if (verdict !== 'good') return NOBODY
      await watch.end(facts, 'sign-out')
      return { ended, facts }
    },
    knows: async (carried) => (await tokens.convert(carried)) !== undefined,
    describe: ({ name, email, image: picture, id: sub }, expires) =>
      publicSession(definedOnly({ name, email, picture, sub }), expires, callbacks),
  }
}

/** Returns the claims that describe a user. */
function describedBy(user: Renewal['described']): Partial<JWT> {
  const { name, email, image: picture } = user ?? {}
  return definedOnly({ name, email, picture })
}

/** A new session has its id in the claims, so no token is hashed. */
const noToken = (): string => ''

/** Opens and seals tokens. */
interface Tokens {
  /** Milliseconds since the epoch. */
  lifetime(ages: SessionAges): number
  factsOf(
    opened: Pick<OpenSession, 'claims' | 'value'>,
    carried: Carried,
  ): MaybePromise<SessionFacts>
  /** Returns the value of another library as one of Latchkey; `undefined` if it cannot be opened. */
  convert(carried: Carried): Promise<string | undefined>
  /**
   * Opens a value.
   *
   * @returns `null` for a value of another library that cannot be opened.
   * @throws {JWTSessionError} if it is one of Latchkey and cannot be opened.
   */
  open(carried: Carried): Promise<OpenSession | null>
  openOrNull(carried: Carried): Promise<OpenSession | null>
  /** Returns the token of a valid session before and after the `jwt` callback; `null` if it is refused or was ended. */
  find(
    carried: Carried,
    request: SessionRequest,
  ): Promise<{ claims: JWT; value: string; token: JWT } | null>
  seal(token: JWT, secure: boolean, ages: SessionAges): Promise<Stored>
  storedValue(value: string, ages: SessionAges): Stored
}

function sealedTokens(sealing: Sealing): Tokens {
  const { callbacks, codec, logger, openEarlier, ports, saltOf, watch } = sealing
  const tokens: Tokens = {
    lifetime: ({ maxAge, tokenMaxAge }) => ports.now() + Math.min(maxAge, tokenMaxAge) * 1000,
    factsOf({ claims, value }, { holder }) {
      const { maxAge } = agesFor(sealing, holder)
      return sealedFacts(claims, () => value, expiryOf(claims, ports.now(), maxAge))
    },
    async convert({ value, secure }) {
      try {
        const claims = await openEarlier(value)
        return claims && (await codec.encode(claims, saltOf(secure)))
      } catch (error) {
        logger.error(new SessionTokenError(toError(error)))
        return undefined
      }
    },
    async open(carried) {
      const value = carried.from ? await tokens.convert(carried) : carried.value
      if (value === undefined) return null
      const { tokenMaxAge } = agesFor(sealing, carried.holder)
      const { claims, text } = await openToken(value, saltOf(carried.secure), codec, tokenMaxAge)
      return { value, claims, text }
    },
    openOrNull: (carried) => tokens.open(carried).catch(() => null),
    async find(carried, request) {
      const opened = await tokens.open(carried).catch((error: unknown) => {
        // A refused token means no session. After any other failure there may be one.
        if (isAuthError(error)) return null
        throw error
      })
      if (!opened) return null
      const facts = watch && (await tokens.factsOf(opened, carried))
      if (facts && (await judgeSession(sealing, facts, request, true)) !== 'good') return null
      const { claims, value } = opened
      // If the callback ends the session, no account is linked to it.
      const token = await applyJwtCallback(claims, callbacks, watch?.restore)
      return token && { claims, value, token }
    },
    async seal(token, secure, ages) {
      const value = await codec.encode(token, saltOf(secure), ages.tokenMaxAge)
      if (value.length > TOKEN_LIMIT) {
        throw new JWTSessionError(
          `the session token has ${value.length} characters, but only ${TOKEN_LIMIT} fit ` +
            'into a request; store less in the `jwt` callback',
        )
      }
      if (value.length > TOKEN_LIMIT * 0.8) {
        logger.warn('session-size', `${value.length} of ${TOKEN_LIMIT} characters are used`)
      }
      return tokens.storedValue(value, ages)
    },
    storedValue: (value, ages) => ({
      value,
      end: tokens.lifetime(ages),
      expires: ages.isBrief ? undefined : new Date(ports.now() + ages.maxAge * 1000),
    }),
  }
  return tokens
}

/** Returns the function that reads a session: it opens the value, judges the session, changes it, and writes it if that is due. */
function readerOf(sealing: Sealing, tokens: Tokens): Keeping['read'] {
  const { callbacks, codec, logger, ports, saltOf, watch } = sealing

  /** Step 1: opens the value. A value that cannot be opened is logged. */
  async function open(carried: Carried): Promise<OpenSession | KeptEnd | null> {
    try {
      return await tokens.open(carried)
    } catch (error) {
      // The `decode` function of the application may fail for other reasons than the token.
      if (!isAuthError(error)) throw error
      if (await isOver(carried)) logger.debug('session-expired')
      else logger.error(error)
      return OVER
    }
  }

  /** Returns whether a refused token has only expired, after the plugins were called. Their errors are only logged. */
  async function isOver(carried: Carried): Promise<boolean> {
    const { value, secure } = carried
    let over: Opened | undefined
    try {
      over = await codec.decodeOver?.(value, saltOf(secure))
      if (over) {
        const facts = await tokens.factsOf({ claims: over.claims, value }, carried)
        await watch?.end(facts, 'idle')
      }
    } catch (error) {
      logger.error(new JWTSessionError(toError(error)))
    }
    return over !== undefined
  }

  /** Step 2: calls the plugins that judge the session. @returns `undefined` if the session is valid. */
  async function judge(
    facts: SessionFacts,
    { readOnly = false, request }: KeptHow,
  ): Promise<KeptEnd | undefined> {
    const verdict = await judgeSession(sealing, facts, request, readOnly)
    if (verdict === 'ended') return ENDED
    // A late response must not clear the cookie that the browser has received in the meantime.
    return verdict === 'replaced' ? { ...ENDED, isReplaced: true } : undefined
  }

  /** Step 3: calls the `jwt` callback and the plugins, and decides whether the session is written again. */
  async function change(
    opened: OpenSession,
    facts: SessionFacts | undefined,
    { holder }: Carried,
    how: KeptHow,
  ): Promise<Changed | KeptEnd> {
    const { claims } = opened
    const configured = agesFor(sealing, holder)
    const whole = callbacks.jwt
      ? await applyJwtCallback(claims, callbacks, watch?.restore, how.update)
      : claims
    if (whole === null) return OVER
    const adopt = how.readOnly ? undefined : watch?.adopt
    // A callback may have omitted what a plugin takes over.
    const offered = adopt && { ...claims, ...whole }
    const left = facts && offered && (await adopt(offered, facts, how.request, how.setsCookies))
    const before = left === offered ? undefined : offered
    const token = left && before ? onlyOf(whole, left) : whole
    const ages = watch?.ages(claims, configured) ?? configured
    // If no cookie can be set, plugins take nothing out.
    const isDue = before !== undefined || isChangeDue(opened, token, facts, ages, how)
    const changed = { token, isDue, ages, before }
    if (!isDue || !watch || !facts) return changed
    const verdict = await watch.extend(facts, tokens.lifetime(configured), how.request)
    if (verdict === 'ended') return ENDED
    if (verdict === 'later') return { ...changed, isDue: false }
    const extended = { ...token, sid: facts.key, ...verdict }
    return { ...changed, token: extended, ages: watch.ages(extended, configured) }
  }

  /** Returns whether a session must be written again. */
  function isChangeDue(
    { claims, text }: OpenSession,
    token: JWT,
    facts: SessionFacts | undefined,
    ages: SessionAges,
    { update, readOnly }: KeptHow,
  ): boolean {
    if (readOnly) return false
    if (update !== undefined || isOld(claims, ports.now(), ages)) return true
    // A session without `sid` gets one now, because its other name changes with the cookie.
    if (facts !== undefined && claims['sid'] === undefined) return true
    return callbacks.jwt !== undefined && isChanged(token, text)
  }

  /** Step 4: calls the `session` callback, and seals the session if that is due. */
  async function write(
    { claims, value }: OpenSession,
    { token, isDue, ages, before }: Changed,
    facts: SessionFacts | undefined,
    { holder, secure, from }: Carried,
    { update, readOnly, request }: KeptHow,
  ): Promise<KeptSession> {
    const { maxAge } = agesFor(sealing, holder)
    const end = isDue ? tokens.lifetime(ages) : expiryOf(claims, ports.now(), maxAge)
    const described = await publicSession(token, new Date(end), callbacks, update)
    const session = facts ? await showSession(sealing, described, facts, request) : described
    let stored: Stored | undefined
    if (isDue) stored = await tokens.seal(token, secure, ages)
    // A session of another library gets a value of Latchkey.
    else if (from && !readOnly) stored = tokens.storedValue(value, ages)
    return { session, facts, stored, before, message: { session, token } }
  }

  return async (carried, how) => {
    const opened = await open(carried)
    if (!opened || 'expired' in opened) return opened
    const facts = watch && (await tokens.factsOf(opened, carried))
    const end = facts && (await judge(facts, how))
    if (end) return end
    const changed = await change(opened, facts, carried, how)
    if ('expired' in changed) return changed
    return write(opened, changed, facts, carried, how)
  }
}

/** Returns the members that a token has, as they are in another one. */
function onlyOf(token: JWT, left: JWT): JWT {
  return Object.fromEntries(Object.entries(left).filter(([name]) => name in token))
}

/** Members that the codec writes anew with each token. */
const WRITTEN_ANEW: ReadonlySet<string> = new Set(['iat', 'exp', 'jti'])

/** Returns whether the `jwt` callback changed the token, and did not just build the same one again. */
function isChanged(token: JWT, text: string): boolean {
  if (JSON.stringify(token) === text) return false
  const members = (all: object): [string, unknown][] =>
    Object.entries(all).toSorted(([one], [other]) => (one < other ? -1 : 1))
  const inOrder = (_: string, value: unknown): unknown =>
    isJsonObject(value) ? Object.fromEntries(members(value)) : value
  const plain = (all: object): string =>
    JSON.stringify(
      members(all).filter(([name, value]) => value !== undefined && !WRITTEN_ANEW.has(name)),
      inOrder,
    )
  return plain(token) !== plain(JSON.parse(text) as object)
}

/**
 * Returns whether the session must be written again: after `updateAge`, in the second half of the token's lifetime, or
 * if the token expires earlier than one that was written `updateAge` ago. A token without `iat` is always due.
 */
function isOld(
  { iat, exp }: Record<string, unknown>,
  now: number,
  { tokenMaxAge, updateAge }: SessionAges,
): boolean {
  if (typeof iat !== 'number') return true
  const age = now / 1000 - iat
  if (age >= updateAge) return true
  // The session cannot be extended further: a plugin limits its lifetime.
  if (typeof exp !== 'number' || exp - now / 1000 >= tokenMaxAge) return false
  return age >= (exp - iat) / 2 || exp - iat + updateAge < tokenMaxAge
}
