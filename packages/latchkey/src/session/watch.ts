import { primitives } from '#crypto'
import type { Awaitable } from '../base/awaitable.ts'
import type { MaybePromise } from '../base/crypto/crypto.ts'
import type { Ports } from '../base/ports.ts'
import type { Cookie } from '../http/cookies/cookies.ts'
import type { JsonObject } from '../model/json.ts'
import type { JWT } from '../model/jwt.ts'
import type { Session } from '../model/session.ts'
import { ownClaims, restored } from './claims.ts'
import type { EndReason } from './end-reason.ts'
import type { KnownFacts, SessionFacts } from './facts.ts'
import { provedBy } from './proof/proof-facts.ts'
import type { Proof, Renewal, SessionRequest } from './strategy.ts'

/** The circumstances of a read: the time in milliseconds since the epoch, whether no cookie can be set, and the request. */
export interface HowRead {
  readonly now: number
  readonly readOnly: boolean
  readonly request: SessionRequest
}

/** Lifetimes of a session that are shorter than the configured ones. */
export interface SessionLife {
  /** Seconds from now. */
  readonly maxAge?: number
  /** Seconds within which it is extended at most once. */
  readonly updateAge?: number
  /** Whether its cookie ends with the browser. */
  readonly isBrief?: boolean
}

/** The lifetimes of a session, in seconds. */
export interface SessionAges extends Pick<SessionLife, 'isBrief'> {
  readonly maxAge: number
  readonly tokenMaxAge: number
  readonly updateAge: number
}

/**
 * The state of a session. `replaced`: it was ended because its browser has a new session, or will get one; its cookie is
 * then not cleared.
 */
export type Verdict = 'good' | 'ended' | 'replaced'

/** Functions of a plugin that are called when sessions begin, are read, are extended and end. */
export interface SessionHooks {
  /** Names of the claims that {@link beforeIssue} returns. The application cannot change them. */
  readonly claims?: readonly string[]
  /**
   * Seconds since the proof of identity within which a signed-in user may add a way to sign in. If several plugins have it,
   * the shortest time is used.
   */
  readonly freshAge?: number
  /** Returns how long a session with these claims lasts from now. Called when a session is read or written. */
  life?(claims: KnownFacts): SessionLife | undefined
  /** Returns values that must not change until the session is issued. Called before the proof of identity is read. */
  beforeProof?(userId: string): Awaitable<JsonObject>
  /**
   * Returns claims, before a row is stored or a cookie sealed. For a stored session only {@link life} receives them.
   * An error refuses the sign-in.
   */
  beforeIssue?(session: SessionFacts, proof: Proof): Awaitable<JsonObject | undefined>
  /**
   * Called before the response. An error refuses the sign-in: the row is removed, and {@link onEnd} is called with
   * `failed`.
   *
   * @returns additional cookies of the response.
   */
  afterIssue?(session: SessionFacts, proof: Proof): Awaitable<readonly Cookie[] | void>
  /** Returns whether the session is still valid, without a promise if possible. */
  onRead?(session: SessionFacts, how: HowRead): MaybePromise<Verdict | 'unsure'>
  /** Decides if {@link onRead} returned `unsure`. After an error the session is unavailable, and nobody is signed out. */
  confirm?(session: SessionFacts, how: HowRead): Awaitable<Verdict>
  /**
   * Called before a cookie or a row is written again.
   *
   * @param until the new expiry, milliseconds since the epoch.
   * @returns `extend`, `later` to leave both unchanged, `ended`, or claims that the session has from now on.
   */
  onExtend?(
    session: SessionFacts,
    until: number,
    request: SessionRequest,
  ): Awaitable<'extend' | 'later' | 'ended' | JsonObject>
  /**
   * Called when the cookie of a session was written: at its begin, when it is extended, and after a further proof.
   *
   * @returns additional cookies of the same response.
   */
  afterWrite?(session: SessionFacts, written: Written): Awaitable<readonly Cookie[]>
  /**
   * Called when the cookie of a session is cleared, because the session has ended or was refused.
   *
   * @returns the cookies that end with it.
   */
  afterClear?(request: SessionRequest): readonly Cookie[]
  /** Called before and after the row of a session gets another key. An error before it keeps the key. */
  onRename?(session: SessionFacts, to: string, when: 'before' | 'after'): Awaitable<void>
  /** Returns claims before a session gets another token and name, as {@link beforeIssue} does. */
  onRenew?(from: SessionFacts, to: SessionFacts, proof: Renewal): Awaitable<JsonObject | undefined>
  /** Called after that and before the response. An error refuses it: the row is removed, and {@link onEnd} is called. */
  afterRenew?(from: SessionFacts, to: SessionFacts): Awaitable<void>
  /**
   * Returns the new content of a sealed session, or `undefined` to leave it unchanged. Called if a cookie can be set,
   * before the `session` callback. The `claims` of plugins stay. The session may still not be written: what was removed is
   * stored elsewhere by {@link afterWrite}, or here if the store has it already.
   *
   * @param setsCookies whether {@link afterWrite} is called: the session of a program has no cookies.
   */
  adopt?(
    token: JWT,
    session: SessionFacts,
    request: SessionRequest,
    setsCookies: boolean,
  ): Awaitable<JWT | undefined>
  /** Returns the session that the browser receives, after the `session` callback. */
  shown?(
    session: Session,
    facts: SessionFacts,
    how: Pick<HowRead, 'request'>,
  ): MaybePromise<Session>
  /** Called when a session ends. An expired token of a sealed session that continues is reported as `idle`. */
  onEnd?(session: SessionFacts, reason: EndReason): Awaitable<void>
  /** Returns the data of a stored session; `undefined` if this plugin has none. */
  known?(session: SessionFacts): Awaitable<KnownFacts | undefined>
}

/** The hooks of all plugins, called in the order of the plugins. */
export interface Watch {
  /** Seconds since the proof of identity within which a user may add a way to sign in; infinite without a limit. */
  readonly freshAge: number
  /** Whether a plugin keeps the facts of stored sessions. */
  readonly knows: boolean
  beforeProof(userId: string): Promise<JsonObject>
  /** Returns the claims of a new session: its name, and the method and the time of the proof. */
  claims(proof: Renewal): JsonObject
  /** Issues a session completely or not at all. @returns its cookies, and those of plugins. */
  issue(session: SessionFacts, proof: Proof, work: Issuing): Promise<readonly Cookie[]>
  /** Replaces the token of a session completely or not at all. @returns its cookies, and those of plugins. */
  renew(
    from: SessionFacts,
    to: SessionFacts,
    proof: Renewal,
    work: Issuing,
  ): Promise<readonly Cookie[]>
  /** @returns the cookies of plugins that end with the cookie of a session. */
  clear(request: SessionRequest): readonly Cookie[]
  /** @returns the cookies of a session that was written, and those of plugins. */
  write(session: SessionFacts, written: Written): Promise<readonly Cookie[]>
  /** Returns the content of a sealed session from now on, the same object if it stays. Missing if no plugin has the hook. */
  readonly adopt:
    | ((...asked: Parameters<NonNullable<SessionHooks['adopt']>>) => Promise<JWT>)
    | undefined
  /** Returns the session that the browser receives. Missing if no plugin has the hook. */
  readonly shown:
    | ((session: Session, facts: SessionFacts, how: Pick<HowRead, 'request'>) => Promise<Session>)
    | undefined
  /** @throws if a plugin cannot decide. */
  judge(session: SessionFacts, how: HowRead): MaybePromise<Verdict>
  /** @returns the claims that the session has from now on. */
  extend(
    session: SessionFacts,
    until: number,
    request: SessionRequest,
  ): Promise<'later' | 'ended' | JsonObject>
  /** Returns the lifetimes of a session with these claims. */
  ages(claims: KnownFacts, configured: SessionAges): SessionAges
  rename(session: SessionFacts, to: string, when: 'before' | 'after'): Promise<void>
  end(session: SessionFacts, reason: EndReason): Promise<void>
  known(session: SessionFacts): Promise<KnownFacts>
  /** Returns the token of the application with the claims of Latchkey and of plugins restored. */
  restore(token: JWT, claims: JWT): JWT
}

/** The cookie of a session that was written. */
export interface WrittenSession {
  readonly cookies: readonly Cookie[]
  /** The end of the session, milliseconds since the epoch. */
  readonly expires: number
  /** Whether the cookie ends with the browser. */
  readonly isBrief: boolean
}

/** The cookie of a session that was written, and why. */
export interface Written extends WrittenSession {
  readonly request: SessionRequest
  /** The proof with which the session began. */
  readonly proof?: Proof | undefined
  /** The session that got another token and name. */
  readonly from?: SessionFacts | undefined
  /** The content of a sealed session before {@link SessionHooks.adopt}, if that changed it. */
  readonly before?: JWT | undefined
}

export interface Issuing {
  readonly request: SessionRequest
  /** Stores the row, or seals the token with these claims. */
  store(claims: JsonObject): Promise<WrittenSession>
  takeBack?: (() => Promise<unknown>) | undefined
}

/** Combines the hooks of plugins, by their names; `undefined` if there are none. */
export function watchOf(
  hooks: Readonly<Record<string, SessionHooks>>,
  { random }: Pick<Ports, 'random'>,
): Watch | undefined {
  const named = Object.entries(hooks)
  const all = Object.values(hooks)
  if (all.length === 0) return undefined
  const ours = ownClaims(all)

  const end: Watch['end'] = async (session, reason) => {
    for (const hook of all) await hook.onEnd?.(session, reason)
  }

  const write: Watch['write'] = async (session, written) => {
    const cookies = [...written.cookies]
    for (const hook of all) {
      if (!hook.afterWrite) continue
      cookies.push(...(await hook.afterWrite({ ...session, expires: written.expires }, written)))
    }
    return cookies
  }

  /** Stores a session with the claims of all plugins, completely or not at all. */
  async function allOrNothing(
    session: SessionFacts,
    { request, store, takeBack }: Issuing,
    why: Pick<Written, 'proof' | 'from'>,
    before: (hook: SessionHooks) => Awaitable<JsonObject | undefined>,
    after: (hook: SessionHooks) => Awaitable<readonly Cookie[] | void>,
  ): Promise<readonly Cookie[]> {
    let isStored = false
    try {
      const claims: Record<string, JsonObject[string]> = {}
      for (const hook of all) Object.assign(claims, await before(hook))
      const stored = await store(claims)
      isStored = true
      const further: Cookie[] = []
      for (const hook of all) further.push(...((await after(hook)) ?? []))
      return [...(await write(session, { ...stored, request, ...why })), ...further]
    } catch (error) {
      // Further failures do not replace the first error.
      await Promise.allSettled([isStored && takeBack?.(), end(session, 'failed')])
      throw error
    }
  }

  return {
    freshAge: Math.min(...all.map(({ freshAge = Infinity }) => freshAge)),
    knows: all.some(({ known }) => known !== undefined),
    async beforeProof(userId) {
      const said: Record<string, JsonObject> = {}
      for (const [name, hook] of named)
        if (hook.beforeProof) said[name] = await hook.beforeProof(userId)
      return said
    },

    claims: (proof) => ({ sid: primitives.toBase64url(random(16)), ...provedBy(proof) }),

    issue: (session, proof, work) =>
      allOrNothing(
        session,
        work,
        { proof },
        (hook) => hook.beforeIssue?.(session, proof),
        (hook) => hook.afterIssue?.(session, proof),
      ),

    renew: (from, to, proof, work) =>
      allOrNothing(
        to,
        work,
        { from },
        (hook) => hook.onRenew?.(from, to, proof),
        (hook) => hook.afterRenew?.(from, to),
      ),

    write,

    clear: (request) => all.flatMap((hook) => hook.afterClear?.(request) ?? []),

    adopt: inTurn(all.flatMap((hook) => (hook.adopt ? [hook.adopt.bind(hook)] : []))),

    shown: inTurn(all.flatMap((hook) => (hook.shown ? [hook.shown.bind(hook)] : []))),

    judge: (session, how) => judgeFrom(0, named, session, how),

    async extend(session, until, request) {
      const claims: Record<string, JsonObject[string]> = {}
      for (const hook of all) {
        const verdict = (await hook.onExtend?.(session, until, request)) ?? 'extend'
        if (verdict === 'later' || verdict === 'ended') return verdict
        if (verdict !== 'extend') Object.assign(claims, verdict)
      }
      return claims
    },

    ages: (claims, configured) =>
      all.reduce((ages, hook) => shortened(ages, hook.life?.(claims)), configured),

    async rename(...renamed) {
      for (const hook of all) await hook.onRename?.(...renamed)
    },

    end,

    async known(session) {
      for (const hook of all) {
        const known = await hook.known?.(session)
        if (known) return known
      }
      return {}
    },

    restore: (token, claims) => restored(token, claims, ours),
  }
}

/** Calls hooks one after the other, each with the result of the one before. Returns `undefined` if there are none. */
function inTurn<Value, Rest extends readonly unknown[]>(
  hooks: readonly ((value: Value, ...rest: Rest) => Awaitable<Value | undefined>)[],
): ((value: Value, ...rest: Rest) => Promise<Value>) | undefined {
  if (hooks.length === 0) return undefined
  return async (value, ...rest) => {
    let last = value
    for (const hook of hooks) last = (await hook(last, ...rest)) ?? last
    return last
  }
}

type NamedHooks = readonly (readonly [name: string, hook: SessionHooks])[]

/** Calls the hooks that judge a session, from this index on. Returns a promise only if a hook does. */
function judgeFrom(
  index: number,
  hooks: NamedHooks,
  session: SessionFacts,
  how: HowRead,
): MaybePromise<Verdict> {
  for (let at = index; at < hooks.length; at++) {
    const verdict = hooks[at]?.[1].onRead?.(session, how)
    if (verdict === undefined || verdict === 'good') continue
    if (verdict === 'ended' || verdict === 'replaced') return verdict
    return judgeLater(at, hooks, verdict, session, how)
  }
  return 'good'
}

async function judgeLater(
  at: number,
  hooks: NamedHooks,
  asked: Promise<Verdict | 'unsure'> | 'unsure',
  session: SessionFacts,
  how: HowRead,
): Promise<Verdict> {
  let verdict = await asked
  if (verdict === 'unsure') {
    const [name, hook] = hooks[at] ?? []
    if (!hook?.confirm)
      throw new TypeError(
        `the plugin ${name} returned "unsure" from \`onRead\` and has no \`confirm\`; add one`,
      )
    verdict = await hook.confirm(session, how)
  }
  return verdict === 'good' ? judgeFrom(at + 1, hooks, session, how) : verdict
}

/** Returns the shorter lifetimes of both. */
function shortened(ages: SessionAges, life: SessionLife | undefined): SessionAges {
  if (!life) return ages
  const { maxAge = Infinity, updateAge = Infinity, isBrief } = life
  return {
    maxAge: Math.min(ages.maxAge, maxAge),
    tokenMaxAge: Math.min(ages.tokenMaxAge, maxAge),
    updateAge: Math.min(ages.updateAge, updateAge),
    isBrief: isBrief === true || ages.isBrief === true,
  }
}
