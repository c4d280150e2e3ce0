import type { Awaitable } from '../base/awaitable.ts'
import type { MaybePromise } from '../base/crypto/crypto.ts'
import { JWTSessionError, SessionTokenError, toError } from '../base/errors.ts'
import type { Cookie } from '../http/cookies/cookies.ts'
import type { AdapterUser } from '../model/user.ts'
import type { ActingUser, Carried, CarriedValue, Carrier } from './carrier.ts'
import type { CookieCarrier } from './carriers/cookie.ts'
import { newestFirst } from './carriers/repeated.ts'
import type { StateCookie } from './carriers/state-cookie.ts'
import type { SessionFacts } from './facts.ts'
import type { Draft, Keeping, KeptSession, KeptUser, Stored } from './keeping.ts'
import { renewalOf } from './proof/proof-facts.ts'
import type { SessionServices } from './services.ts'
import type {
  CurrentSession,
  FurtherProof,
  Proof,
  ReadingOptions,
  RevokedSession,
  SessionReading,
  SessionRequest,
  SignedIn,
} from './strategy.ts'
import type { Issuing, WrittenSession } from './watch.ts'

/** The parts of the sessions of a configuration. */
export interface SessionParts extends Pick<SessionServices, 'logger' | 'watch' | 'emit'> {
  readonly keeping: Keeping
  /** Carriers of plugins, then those in cookies. */
  readonly carriers: readonly Carrier[]
  /** The carrier of new sessions of browsers. */
  readonly cookie: CookieCarrier
  readonly stateCookie: StateCookie | undefined
  /** At the edge: throws the error that names the plugins which need the whole configuration. */
  readonly elsewhere: (() => never) | undefined
}

/** The sessions of a configuration: its carriers, its keeping and its hooks together. */
export interface Sessions {
  readonly name: 'jwt' | 'database'
  readonly parts: SessionParts
  /** Begins a session and ends the earlier one of this browser. */
  issue(signedIn: SignedIn, request: SessionRequest, proof: Proof): Promise<readonly Cookie[]>
  /** Reads the session, and extends it if that is due. */
  read(request: SessionRequest, how?: ReadingOptions): Promise<SessionReading>
  /** Returns the session without extending it; `null` if there is none. @throws if it cannot be read. */
  current(request: SessionRequest): Promise<CurrentSession | null>
  /** Returns the stored user of the session; `null` if there is no session, or it has expired. */
  currentUser(request: SessionRequest): Promise<AdapterUser | null>
  /** Ends the session. */
  revoke(request: SessionRequest): Promise<RevokedSession>
  /**
   * Replaces the token and the name of the session, after a further proof.
   *
   * @returns `null` if there is no session, or no plugin has hooks.
   */
  renew(request: SessionRequest, proof: FurtherProof): Promise<readonly Cookie[] | null>
  /** Returns the cookies that clear the session in the browser, whether there is one or not. */
  forget(request: SessionRequest): readonly Cookie[]
  /**
   * Returns whether the request has the session in a header that browsers do not add by themselves. It then needs no
   * CSRF token.
   */
  isCarried(request: SessionRequest): boolean
}

/** A session in a request, and its carrier. */
interface Found {
  readonly carrier: Carrier
  readonly carried: Carried
}

/** Combines carriers, a keeping and hooks. No other code depends on which ones there are. */
export function createSessions(parts: SessionParts): Sessions {
  const finder = finderOf(parts)
  return {
    name: parts.keeping.name,
    parts,
    ...beginnings(parts, finder),
    ...endings(parts, finder),
    ...readings(parts, finder),
    isCarried: finder.isInHeader,
  }
}

const NONE: readonly Cookie[] = []

const SIGNED_OUT: SessionReading = { session: null, cookies: NONE }

const FAILED: SessionReading = { session: null, cookies: NONE, failed: true }

/** Finds sessions in requests. */
interface Finder {
  isInHeader(request: SessionRequest): boolean
  /** Returns what the first carrier finds. Of several values of one cookie, the newest valid one counts. */
  find(request: SessionRequest, from?: number): MaybePromise<Found | ActingUser | null | undefined>
  /** Returns all sessions in the cookies of a browser, in the order of their carriers. */
  findInBrowser(request: SessionRequest): Promise<readonly Found[]>
}

function finderOf({ carriers, keeping }: SessionParts): Finder {
  const each = (request: SessionRequest, carried: Carried) =>
    newestFirst(carried, async (one) => (await keeping.find(one, request))?.since)

  const found = (
    request: SessionRequest,
    carrier: Carrier,
    carried: Carried | ActingUser | null,
  ): MaybePromise<Found | ActingUser | null> => {
    if (carried === null || isActing(carried)) return carried
    if (!carried.others?.length) return { carrier, carried }
    return each(request, carried).then(([newest = carried]) => ({ carrier, carried: newest }))
  }

  const finder: Finder = {
    isInHeader: (request) => carriers.some((carrier) => carrier.isInHeader?.(request)),
    find(request, from = 0) {
      for (let at = from; at < carriers.length; at++) {
        const carrier = carriers[at] as Carrier
        const carried = carrier.find(request)
        if (carried instanceof Promise)
          return carried.then((later) =>
            later === undefined ? finder.find(request, at + 1) : found(request, carrier, later),
          )
        if (carried !== undefined) return found(request, carrier, carried)
      }
      return undefined
    },
    async findInBrowser(request) {
      const all: Found[] = []
      for (const carrier of carriers) {
        const carried = carrier.isInHeader ? null : await carrier.find(request)
        if (!carried || isActing(carried)) continue
        // A cookie of another library that cannot be read stays unchanged.
        if (carried.from && !(await (keeping.knows?.(carried) ?? true))) continue
        for (const one of await each(request, carried)) all.push({ carrier, carried: one })
      }
      return all
    },
  }
  return finder
}

/** Returns a session as the rest of the library sees it. */
export const currentOf = ({ facts, user }: KeptUser, { holder }: Carried): CurrentSession => ({
  facts,
  user,
  holder: holder?.via,
})

const isActing = (carried: Carried | ActingUser): carried is ActingUser => 'refuse' in carried

const isSession = (found: Found | ActingUser | null | undefined): found is Found =>
  found ? 'carrier' in found : false

const writtenSession = ({ end, expires }: Stored, cookies: readonly Cookie[]): WrittenSession => ({
  cookies,
  expires: end,
  isBrief: expires === undefined,
})

/** Returns the cookies that clear the session cookie and these carriers, and those that end with them. */
const clear = (
  { cookie, stateCookie, watch }: SessionParts,
  request: SessionRequest,
  carriers: readonly Carrier[],
): readonly Cookie[] => [
  ...[...new Set([cookie, ...carriers])].flatMap((carrier) => carrier.clear(request)),
  ...(stateCookie ? [stateCookie(request)] : []),
  ...(watch?.clear(request) ?? []),
]

const carriersOf = (found: readonly Found[]): Carrier[] => found.map(({ carrier }) => carrier)

/** Stores a session, completely or not at all if there are hooks, and writes its value to a carrier. */
export async function start(
  { facts, store, takeBack }: Draft,
  request: SessionRequest,
  write: (written: CarriedValue) => Awaitable<readonly Cookie[]>,
  watched: ((facts: SessionFacts, work: Issuing) => Promise<readonly Cookie[]>) | undefined,
): Promise<readonly Cookie[]> {
  const storeAndWrite: Issuing['store'] = async (claims) => {
    const stored = await store(claims)
    return writtenSession(stored, await write(stored))
  }
  if (!watched || !facts) return (await storeAndWrite({})).cookies
  return watched(facts, { request, store: storeAndWrite, takeBack })
}

function beginnings(
  parts: SessionParts,
  { find, findInBrowser, isInHeader }: Finder,
): Pick<Sessions, 'issue' | 'renew'> {
  const { keeping, watch, cookie, stateCookie, elsewhere } = parts
  return {
    async issue(signedIn, request, proof) {
      elsewhere?.()
      const earlier = await findInBrowser(request)
      const former = earlier[0] && (await keeping.former(earlier[0].carried))
      const draft = await keeping.draft(signedIn, proof, request.secure)
      if (!draft) return clear(parts, request, carriersOf(earlier))
      const replaces = former?.facts
      const written = await start(
        draft,
        request,
        (value) => cookie.write(request, value),
        watch && ((facts, work) => watch.issue(facts, { ...proof, replaces }, work)),
      )
      await former?.end()
      return [
        ...written,
        ...carriersOf(earlier).flatMap((each) => (each === cookie ? [] : each.clear(request))),
        ...(stateCookie ? [stateCookie(request)] : []),
      ]
    },

    async renew(request, further) {
      elsewhere?.()
      // A program renews its token in its own way.
      if (!watch || isInHeader(request)) return null
      const found = await find(request)
      if (!isSession(found)) return null
      const { carrier, carried } = found
      const kept = await keeping.find(carried, request)
      if (!kept) return null
      const proof = renewalOf(further, await kept.facts.known())
      const written = await start(
        await kept.renewed(proof),
        request,
        (value) => carrier.write(request, value, carried),
        (facts, work) => watch.renew(kept.facts, facts, proof, work),
      )
      await kept.remove?.()
      return written
    },
  }
}

function endings(
  parts: SessionParts,
  { find, findInBrowser, isInHeader }: Finder,
): Pick<Sessions, 'revoke' | 'forget'> {
  const { keeping, carriers, elsewhere } = parts
  return {
    async revoke(request) {
      elsewhere?.()
      const isOfProgram = isInHeader(request)
      const all = isOfProgram
        ? [await find(request)].filter(isSession)
        : await findInBrowser(request)
      let revoked: Omit<RevokedSession, 'cookies'> = { ended: undefined }
      for (const { carried, carrier } of all) {
        const one = await keeping.revoke(carried, request)
        await carrier.forget?.(carried)
        if (!revoked.ended) revoked = one
      }
      if (isOfProgram) return { cookies: NONE, ended: revoked.ended }
      return { ...revoked, cookies: clear(parts, request, carriersOf(all)) }
    },

    forget: (request) => (isInHeader(request) ? NONE : clear(parts, request, carriers)),
  }
}

function readings(
  parts: SessionParts,
  { find }: Finder,
): Pick<Sessions, 'read' | 'current' | 'currentUser'> {
  const { keeping, watch, stateCookie, emit, logger, elsewhere } = parts

  /** Returns the session of a user for whom a program acts. */
  async function readUser(acting: ActingUser): Promise<SessionReading> {
    const found = await acting.user()
    if (!found) return SIGNED_OUT
    const session = await keeping.describe(found.user, found.expires)
    return { session: Object.assign({}, session, { via: acting.via }), cookies: NONE }
  }

  const Failure = keeping.name === 'jwt' ? JWTSessionError : SessionTokenError

  /** Returns a valid session with its cookies, after its carrier and the plugins received what was written. */
  async function deliver(
    { carrier, carried }: Found,
    { session = null, stored, facts, before, message }: KeptSession,
    isUpdate: boolean,
    request: SessionRequest,
  ): Promise<SessionReading> {
    const { isInHeader } = carrier
    let cookies = NONE
    if (stored) {
      const set = await carrier.write(request, stored, carried)
      if (!isInHeader)
        cookies =
          facts && watch
            ? await watch.write(facts, { ...writtenSession(stored, set), request, before })
            : set
    }
    const isChanged = session === null ? cookies.length > 0 : isUpdate
    if (stateCookie && isChanged && !isInHeader) cookies = [...cookies, stateCookie(request)]
    const telling = emit('session', message)
    if (telling) await telling
    return { session, cookies }
  }

  return {
    async read(request, how = {}) {
      if (how.update) elsewhere?.()
      let found: Found | ActingUser | null | undefined
      try {
        const asked = find(request)
        found = asked instanceof Promise ? await asked : asked
        if (!found) return SIGNED_OUT
        if (!isSession(found)) return await readUser(found)
      } catch (error) {
        logger.error(new SessionTokenError(toError(error)))
        return FAILED
      }
      try {
        const kept = await keeping.read(found.carried, {
          ...how,
          ...(elsewhere && { readOnly: true }),
          request,
          setsCookies: !found.carrier.isInHeader,
        })
        if (!kept) return SIGNED_OUT
        if ('message' in kept) return await deliver(found, kept, how.update !== undefined, request)
        const { carrier, carried } = found
        let cookies = NONE
        if (!kept.isReplaced) {
          await carrier.forget?.(carried)
          if (!carrier.isInHeader && !elsewhere) cookies = clear(parts, request, [carrier])
        }
        return { session: null, cookies, expired: kept.expired }
      } catch (error) {
        logger.error(new Failure(toError(error)))
        return FAILED
      }
    },

    async current(request) {
      const found = await find(request)
      if (!found) return null
      if (!isSession(found)) return found.refuse()
      const { carried } = found
      const kept = await keeping.find(carried, request)
      return kept && currentOf(kept, carried)
    },

    async currentUser(request) {
      const found = await find(request)
      const kept = isSession(found) ? await keeping.find(found.carried, request) : null
      return kept && kept.stored
    },
  }
}
