import { primitives } from '#crypto'
import type { MaybePromise } from '../crypto/crypto.ts'
import type { Cookie } from '../http/cookies.ts'
import type { JsonObject } from '../model/json.ts'
import type { JWT } from '../model/jwt.ts'
import type { Session } from '../model/session.ts'
import type { Awaitable } from '../options/awaitable.ts'
import type { Ports } from '../ports.ts'
import type { EndReason } from './end-reason.ts'
import type { KnownFacts, SessionFacts } from './facts.ts'
import type { Proof, Renewal, SessionRequest } from './strategy.ts'

/** How a session is read: milliseconds since the epoch, whether no cookie can be set, and for which request. */
export interface HowRead {
  readonly now: number
  readonly readOnly: boolean
  readonly request: SessionRequest
}

/** How long a session goes on, where that is shorter than the configuration says. */
export interface SessionLife {
  /** Seconds from now. */
  readonly maxAge?: number
  /** Seconds within which it is extended at most once. */
  readonly updateAge?: number
  /** Does its cookie end with the browser? */
  readonly isBrief?: boolean
}

/** The same with what the configuration says; seconds. */
export interface SessionAges extends Pick<SessionLife, 'isBrief'> {
  readonly maxAge: number
  readonly tokenMaxAge: number
  readonly updateAge: number
}

/**
 * Does a session go on? `replaced`: it was ended since its browser has another one, or is about to; what the browser keeps
 * is not cleared then.
 */
export type Verdict = 'good' | 'ended' | 'replaced'

/** What a plugin does when sessions begin, are read, are extended and end. */
export interface SessionHooks {
  /** Names of the claims that {@link beforeIssue} gives: the application cannot change them. */
  readonly claims?: readonly string[]
  /** How long a session with these claims goes on from now. Asked when one is written, and whether it is to be. */
  life?(claims: KnownFacts): SessionLife | undefined
  /** What must be the same when the session is issued, a user's epoch for example. Asked before the proof is read. */
  beforeProof?(userId: string): Awaitable<JsonObject>
  /** Before a row is stored or a cookie sealed. Gives claims; a stored session has them for {@link life} alone. Throwing refuses the sign-in. */
  beforeIssue?(session: SessionFacts, proof: Proof): Awaitable<JsonObject | undefined>
  /**
   * Before the answer. Throwing refuses the sign-in: the row is taken back, and {@link onEnd} told (`failed`).
   *
   * @returns further cookies of the answer.
   */
  afterIssue?(session: SessionFacts, proof: Proof): Awaitable<readonly Cookie[] | void>
  /** Is the session still good? Without a promise where possible. */
  onRead?(session: SessionFacts, how: HowRead): MaybePromise<Verdict | 'unsure'>
  /** The truth, where {@link onRead} was unsure. Throwing makes the session unavailable, and signs nobody out. */
  confirm?(session: SessionFacts, how: HowRead): Awaitable<Verdict>
  /**
   * Before a cookie or a row is written again. `later`: both stay as they are.
   *
   * @param until when the session would end, milliseconds since the epoch.
   * @returns `extend`, or claims that the session has from now on.
   */
  onExtend?(
    session: SessionFacts,
    until: number,
    request: SessionRequest,
  ): Awaitable<'extend' | 'later' | 'ended' | JsonObject>
  /** The row of a session, which is at its `key`, gets another. Throwing before leaves it where it is. */
  onRename?(session: SessionFacts, to: string, when: 'before' | 'after'): Awaitable<void>
  /** Before a session gets another token and name. Gives claims, as {@link beforeIssue} does. */
  onRenew?(from: SessionFacts, to: SessionFacts, proof: Renewal): Awaitable<JsonObject | undefined>
  /** When it has them, before the answer. Throwing refuses it: the row is taken back, and {@link onEnd} told (`failed`). */
  afterRenew?(from: SessionFacts, to: SessionFacts): Awaitable<void>
  /**
   * What a sealed session holds from now on, where a plugin takes something out of it, or `undefined` to leave it. Asked where
   * a cookie can be set, before the `session` callback; `claims` of plugins stay.
   */
  adopt?(token: JWT, session: SessionFacts, request: SessionRequest): Awaitable<JWT | undefined>
  /** What the browser is told of a session, after the `session` callback. */
  shown?(session: Session, facts: SessionFacts): MaybePromise<Session>
  /** Also with an older token of a sealed session that goes on: that one comes as `idle`. */
  onEnd?(session: SessionFacts, reason: EndReason): Awaitable<void>
  /** What is known of a stored session; `undefined` when this plugin does not know. */
  known?(session: SessionFacts): Awaitable<KnownFacts | undefined>
}

/** The hooks of all plugins as one. Each is asked in the order of the plugins. */
export interface Watch {
  beforeProof(userId: string): Promise<JsonObject>
  /** The claims of a session that begins: its name, and how and when it was proved whose it is. */
  claims(proof: Renewal): JsonObject
  /** Issues a session, or nothing of it. */
  issue<Stored>(session: SessionFacts, proof: Proof, work: Issuing<Stored>): Promise<Issued<Stored>>
  /** Gives a session another token, or nothing of it. */
  renew<Stored>(
    from: SessionFacts,
    to: SessionFacts,
    proof: Renewal,
    work: Issuing<Stored>,
  ): Promise<Issued<Stored>>
  /** What a sealed session holds from now on; there where a plugin has a say. `undefined`: it stays as it is. */
  readonly adopt:
    | ((token: JWT, session: SessionFacts, request: SessionRequest) => Promise<JWT | undefined>)
    | undefined
  /** What the browser is told; there where a plugin has a say. */
  readonly shown: ((session: Session, facts: SessionFacts) => Promise<Session>) | undefined
  /** @throws when a plugin cannot find out. */
  judge(session: SessionFacts, how: HowRead): MaybePromise<Verdict>
  /** @returns the claims that it has from now on. */
  extend(
    session: SessionFacts,
    until: number,
    request: SessionRequest,
  ): Promise<'later' | 'ended' | JsonObject>
  /** How long a session with these claims goes on from now. */
  ages(claims: KnownFacts, configured: SessionAges): SessionAges
  rename(session: SessionFacts, to: string, when: 'before' | 'after'): Promise<void>
  end(session: SessionFacts, reason: EndReason): Promise<void>
  known(session: SessionFacts): Promise<KnownFacts>
  /** What the application made of claims, with ours put back in their place. */
  restore(token: JWT, claims: JWT): JWT
}

/** A session that was issued, and further cookies of plugins. */
export interface Issued<Stored> {
  readonly stored: Stored
  readonly cookies: readonly Cookie[]
}

export interface Issuing<Stored> {
  /** Stores the row, or seals the token with these claims. */
  store(claims: JsonObject): Promise<Stored>
  takeBack?(): Promise<unknown>
}

/** Makes one watch of the hooks of plugins, by their names; `undefined` without any. */
export function watchOf(
  hooks: Readonly<Record<string, SessionHooks>>,
  { random }: Pick<Ports, 'random'>,
): Watch | undefined {
  const named = Object.entries(hooks)
  const all = Object.values(hooks)
  if (all.length === 0) return undefined
  const ours = new Set(['sid', 'auth_time', 'amr', ...all.flatMap(({ claims = [] }) => claims)])

  const end: Watch['end'] = async (session, reason) => {
    for (const hook of all) await hook.onEnd?.(session, reason)
  }

  /** Stores a session that has the claims of all plugins, or nothing of it. */
  async function allOrNothing<Stored>(
    session: SessionFacts,
    { store, takeBack }: Issuing<Stored>,
    before: (hook: SessionHooks) => Awaitable<JsonObject | undefined>,
    after: (hook: SessionHooks) => Awaitable<readonly Cookie[] | void>,
  ): Promise<Issued<Stored>> {
    let isStored = false
    try {
      const claims: Record<string, JsonObject[string]> = {}
      for (const hook of all) Object.assign(claims, await before(hook))
      const stored = await store(claims)
      isStored = true
      const cookies: Cookie[] = []
      for (const hook of all) cookies.push(...((await after(hook)) ?? []))
      return { stored, cookies }
    } catch (error) {
      // It is refused for the first reason, whatever else fails then.
      await Promise.allSettled([isStored && takeBack?.(), end(session, 'failed')])
      throw error
    }
  }

  /** From the hook with this index on; a promise only where a hook gives one. */
  function judgeFrom(index: number, session: SessionFacts, how: HowRead): MaybePromise<Verdict> {
    for (let at = index; at < all.length; at++) {
      const verdict = all[at]?.onRead?.(session, how)
      if (verdict === undefined || verdict === 'good') continue
      if (verdict === 'ended' || verdict === 'replaced') return verdict
      return judgeLater(at, verdict, session, how)
    }
    return 'good'
  }

  async function judgeLater(
    at: number,
    asked: Promise<Verdict | 'unsure'> | 'unsure',
    session: SessionFacts,
    how: HowRead,
  ): Promise<Verdict> {
    let verdict = await asked
    if (verdict === 'unsure') {
      const hook = all[at]
      if (!hook?.confirm)
        throw new TypeError('a plugin is unsure of a session and cannot confirm it')
      verdict = await hook.confirm(session, how)
    }
    return verdict === 'good' ? judgeFrom(at + 1, session, how) : verdict
  }

  return {
    async beforeProof(userId) {
      const said: Record<string, JsonObject> = {}
      for (const [name, hook] of named)
        if (hook.beforeProof) said[name] = await hook.beforeProof(userId)
      return said
    },

    claims: ({ authTime, amr }) => ({
      sid: primitives.toBase64url(random(16)),
      auth_time: authTime,
      amr,
    }),

    issue: (session, proof, work) =>
      allOrNothing(
        session,
        work,
        (hook) => hook.beforeIssue?.(session, proof),
        (hook) => hook.afterIssue?.(session, proof),
      ),

    renew: (from, to, proof, work) =>
      allOrNothing(
        to,
        work,
        (hook) => hook.onRenew?.(from, to, proof),
        (hook) => hook.afterRenew?.(from, to),
      ),

    adopt: all.some(({ adopt }) => adopt)
      ? async (token, session, request) => {
          let left = token
          for (const hook of all) left = (await hook.adopt?.(left, session, request)) ?? left
          return left === token ? undefined : left
        }
      : undefined,

    shown: all.some(({ shown }) => shown)
      ? async (session, facts) => {
          let told = session
          for (const hook of all) told = (await hook.shown?.(told, facts)) ?? told
          return told
        }
      : undefined,

    judge: (session, how) => judgeFrom(0, session, how),

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
      all.reduce<SessionAges>((ages, hook) => {
        const { maxAge = Infinity, updateAge = Infinity, isBrief } = hook.life?.(claims) ?? {}
        return {
          maxAge: Math.min(ages.maxAge, maxAge),
          tokenMaxAge: Math.min(ages.tokenMaxAge, maxAge),
          updateAge: Math.min(ages.updateAge, updateAge),
          isBrief: isBrief === true || ages.isBrief === true,
        }
      }, configured),

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

    restore(token, claims) {
      const isSame = (name: string): boolean =>
        JSON.stringify(token[name]) === JSON.stringify(claims[name])
      if ([...ours].every(isSame)) return token
      const isOurs = ([name]: [string, unknown]): boolean => ours.has(name)
      const theirs = Object.entries(token).filter((entry) => !isOurs(entry))
      const values = new Map([...theirs, ...Object.entries(claims).filter(isOurs)])
      const names = new Set([
        ...Object.keys(claims).filter((name) => values.has(name)),
        ...values.keys(),
      ])
      return Object.fromEntries([...names].map((name) => [name, values.get(name)]))
    },
  }
}
