/**
 * Lists the sessions of a user, and ends one or all of them.
 *
 * @module
 */

import {
  definePlugin,
  type EndReason,
  type Host,
  type HowRead,
  isFresh,
  loadOnce,
  type MaybePromise,
  type PluginMethods,
  type PluginOption,
  Problem,
  refusedForms,
  type SessionControl,
  type SessionFacts,
  type SessionHooks,
  SHORT_BODY,
  serializeCookie,
  userIdOf,
  type Verdict,
  withCheckedArguments,
} from '../../entries/plugin.ts'
import { ageOf } from '../../protocols/revocation/moment.ts'
import { CLAIMS, lifeOf, whyOver } from './lifetime.ts'
import type { Caller } from './lister.ts'
import { createMemory, note } from './memory.ts'
import { type Own, PAGE } from './own.ts'
import { verdictOf } from './revocations/verdict.ts'
import type { SessionsApi } from './sessions-api.ts'
import { type SessionsOptions, type Settings, settingsOf } from './settings.ts'
import { texts } from './texts.ts'

export type { EndReason, Push } from '../../entries/plugin.ts'
export type { DeviceFacts } from './device.ts'
export type { RevocationsOptions } from './revocations/settings.ts'
export type { SessionInfo } from './session-info.ts'
export type { EndOptions, RevocationSnapshot, SessionsApi } from './sessions-api.ts'
export type { AdministratorParams, BoundFact, SessionsOptions } from './settings.ts'

/** Lists the sessions of a user, and ends them. Needs an adapter with records. */
export function sessions(options: SessionsOptions = {}): PluginOption<'sessions', SessionsApi> {
  const settings = settingsOf(options)
  return definePlugin<'sessions', SessionsApi, Own>({
    name: 'sessions',
    needs: ['adapter', 'records'],
    texts,
    refusedForms,
    problems: {
      reauthentication_required: {
        status: 403,
        text: 'sessions:reauthentication_required',
      },
      session_limit: {
        status: 409,
        text: 'sessions:session_limit',
      },
    },
    routes: settings.revocations?.endpoint ? { ...routes, ...forVerifiers } : routes,
    judgesSessions: true,
    accountSections: [
      { path: PAGE, label: 'sessions:title', about: 'sessions:about', icon: 'computer', order: 42 },
    ],
    provides: ['sessions'],
    atEdge: ({ now }) => ({
      claims: CLAIMS,
      life: (claims) => lifeOf(claims, now(), settings),
      ...shownOf(settings),
      onRead: (session) => (overBy(session, now(), settings) ? 'ended' : 'good'),
      ...(settings.revocations && { unchecked: 'which sessions were ended' }),
    }),
    ...(settings.remember === 'ask' && {
      signInFields: [{ name: 'remember', label: 'sessions:remember' }],
    }),
    setUp(host) {
      const own = ownOf(host, settings)
      return {
        own,
        api: withCheckedArguments('sessions', apiOf(own), loadArguments),
        session: hooksOf(own),
        provides: { sessions: controlOf(own) },
        async maintain(budget) {
          if (!settings.revocations || host.sessions.strategy() !== 'jwt') return
          const { compact } = await import('./revocations/compaction.ts')
          await compact(host, budget)
        },
        async onUserDelete(userId) {
          await (await own.keeper()).forget(userId)
          // Also ends sessions of a sign-in that was not complete yet.
          await (await own.lister()).endAll(userId, { reason: 'user-deleted' })
        },
      }
    },
  })
}

const routes: Readonly<Record<string, PluginMethods<Own>>> = {
  [PAGE]: {
    GET: {
      who: 'user',
      input: async () => (await import('./routes/page.ts')).input,
      run: async () => (await import('./routes/page.ts')).page,
    },
  },
  'sessions/list': {
    GET: {
      who: 'user',
      input: async () => (await import('./routes/list.ts')).input,
      run: async () => (await import('./routes/list.ts')).list,
    },
  },
  'sessions/current': {
    GET: { who: 'user', run: async () => (await import('./routes/list.ts')).current },
  },
  'sessions/end': {
    POST: {
      who: 'user',
      page: PAGE,
      bodyLimit: SHORT_BODY,
      input: async () => (await import('./routes/end.ts')).inputOfOne,
      run: async () => (await import('./routes/end.ts')).end,
    },
  },
  'sessions/end-others': {
    POST: {
      who: 'user',
      page: PAGE,
      bodyLimit: SHORT_BODY,
      run: async () => (await import('./routes/end.ts')).endOthers,
    },
  },
  'sessions/end-all': {
    POST: {
      who: 'user',
      page: PAGE,
      bodyLimit: SHORT_BODY,
      input: async () => (await import('./routes/end.ts')).inputOfAll,
      run: async () => (await import('./routes/end.ts')).endAll,
    },
  },
  'sessions/rename': {
    POST: {
      who: 'user',
      page: PAGE,
      bodyLimit: SHORT_BODY,
      input: async () => (await import('./routes/rename.ts')).input,
      run: async () => (await import('./routes/rename.ts')).rename,
    },
  },
}

/** Routes for verifiers in other processes. They authenticate with a key that is derived from the secret. */
const forVerifiers: Readonly<Record<string, PluginMethods<Own>>> = {
  revocations: {
    GET: {
      who: 'anyone',
      callers: 'protocol',
      run: async () => (await import('./routes/revocations.ts')).snapshot,
    },
  },
  'revocations/check': {
    POST: {
      who: 'anyone',
      callers: 'protocol',
      run: async () => (await import('./routes/revocations.ts')).check,
    },
  },
}

function ownOf(host: Host, settings: Settings): Own {
  const memory = host.shared(createMemory)
  const epochs = loadOnce(async () => (await import('./records/epoch.ts')).createEpochs(host))
  const { revocations: how } = settings
  const revocations = loadOnce(async () => {
    if (!how) return undefined
    const { createRevocations } = await import('./revocations/revocations.ts')
    return createRevocations(host, how, { state: memory.revocations, epochs: await epochs() })
  })
  const keeper = loadOnce(async () =>
    (await import('./records/keeper.ts')).createKeeper(host, settings, {
      memory,
      epochs: await epochs(),
      revocations,
    }),
  )
  const isOver = async (session: SessionFacts): Promise<boolean> => {
    const kept = await revocations()
    if (kept) return (await kept.truth(session, 'confirm')).reason !== undefined
    const { truthAt } = await import('./revocations/truth.ts')
    return (await truthAt(session, host, await epochs())).reason !== undefined
  }
  const lister = loadOnce(async () =>
    (await import('./lister.ts')).createLister(host, await keeper(), isOver),
  )
  return { host, settings, memory, keeper, revocations, lister }
}

/** Seconds after a failure of the store until a session is checked again. */
const AGAIN = 60

/** Returns why a sealed session is over, which its claims show; the row of a stored session has its end. */
function overBy(
  { strategy, known }: SessionFacts,
  now: number,
  settings: Settings,
): ReturnType<typeof whyOver> {
  const claims = strategy === 'jwt' && known()
  return claims && !(claims instanceof Promise) ? whyOver(claims, now, settings) : undefined
}

/** Adds the public id to the session for the browser, if configured. */
const shownOf = ({ exposeId }: Settings): Pick<SessionHooks, 'shown'> =>
  exposeId ? { shown: async (session, facts) => ({ ...session, id: await facts.sid() }) } : {}

/** Returns the hooks for reading a session. All other code is loaded when it is needed. */
function hooksOf({ host, settings, memory, keeper, revocations }: Own): SessionHooks {
  const { ports } = host
  const { now: clock } = ports
  const { seen, settled } = memory
  const isDue = (key: string, now: number): boolean => {
    const age = now - (seen.get(key) ?? Number.NEGATIVE_INFINITY)
    // If the clock was set back, the age of the last check is unknown.
    return !(age >= 0 && age < settings.touch * 1000)
  }
  const touched = async (session: SessionFacts, { request, now }: HowRead): Promise<Verdict> => {
    try {
      const verdict = await (await keeper()).touch(session, request)
      // An ended session is checked at each read, since its cookie may come back.
      if (verdict === 'good') note(seen, session.key, now)
      return verdict
    } catch {
      // The store has logged the error, and the session stays valid. It may have been ended, so it is checked again
      // soon.
      note(seen, session.key, clock() - Math.max(0, settings.touch - AGAIN) * 1000)
      return 'good'
    }
  }
  /** Checks in progress, so that parallel reads cause one check and have the same result. */
  const asking = new Map<string, Promise<Verdict>>()
  const touchOnce = (session: SessionFacts, how: HowRead): Promise<Verdict> => {
    const { key } = session
    const running = asking.get(key) ?? touched(session, how).finally(() => asking.delete(key))
    asking.set(key, running)
    return running
  }
  /** Whether only the store knows that a sealed session was ended. */
  const isUnknown = ({ strategy }: SessionFacts): boolean =>
    strategy === 'jwt' && !settings.revocations
  const touchDue = (session: SessionFacts, how: HowRead): MaybePromise<Verdict> =>
    settings.touch === 0 || (how.readOnly && !isUnknown(session)) || !isDue(session.key, how.now)
      ? 'good'
      : touchOnce(session, how)
  const judging = settings.revocations && { clocks: ports, bound: settings.revocations.bound }
  const ended = async (session: SessionFacts, reason: EndReason): Promise<'ended'> => {
    try {
      await (await keeper()).onEnd(session, reason)
    } catch {
      // The store has logged the error, and the session is over in any case.
    }
    return 'ended'
  }
  return {
    claims: CLAIMS,
    freshAge: settings.freshAge,
    beforeProof: async (...asked) => (await keeper()).beforeProof(...asked),
    life: (claims) => lifeOf(claims, clock(), settings),
    onRead(session, how) {
      const over = overBy(session, how.now, settings)
      if (over) return ended(session, over)
      if (judging && session.strategy === 'jwt') {
        const verdict = verdictOf(session, memory.revocations, judging)
        if (verdict !== 'good') return verdict
      }
      return touchDue(session, how)
    },
    async confirm(session, how) {
      const verdict = (await (await revocations())?.confirm(session)) ?? 'good'
      return verdict === 'good' ? touchDue(session, how) : verdict
    },
    async beforeIssue(session, proof) {
      if (settings.touch > 0) note(seen, session.key, clock())
      return (await keeper()).beforeIssue(session, proof)
    },
    afterIssue: async (...asked) => (await keeper()).afterIssue(...asked),
    async onExtend(session, until, request) {
      if (clock() < (settled.get(session.key) ?? 0)) return 'later'
      return (await keeper()).onExtend(session, until, request)
    },
    onRename: async (...asked) => (await keeper()).onRename(...asked),
    onEnd: async (...asked) => (await keeper()).onEnd(...asked),
    onRenew: async (...asked) => (await keeper()).onRenew(...asked),
    afterRenew: async (...asked) => (await keeper()).afterRenew(...asked),
    ...shownOf(settings),
    known: async (...asked) => (await keeper()).known(...asked),
  }
}

function controlOf({ lister }: Own): SessionControl {
  return {
    async list(userId) {
      return (await (await lister()).list(userId)).map(({ id: sid, ...info }) => ({ sid, ...info }))
    },
    async end(userId, sid, how) {
      return (await (await lister()).end(userId, sid, how)) ?? false
    },
    async endAll(userId, { except, ...how }) {
      return (await lister()).endAll(userId, how, except)
    },
  }
}

async function loadArguments() {
  return (await import('./api-arguments.ts')).sessionsArguments
}

function apiOf(own: Own): SessionsApi {
  const { host, settings, memory, lister } = own
  const callerOf = async (request: Request): Promise<Caller | null> =>
    (await lister()).caller(await host.sessions.current(request), { original: request })
  return {
    async list(who) {
      if (!(who instanceof Request)) return (await lister()).list(userIdOf(who))
      const caller = await callerOf(who)
      return caller ? (await lister()).list(caller.userId, caller.sid) : []
    },
    async current(request) {
      const caller = await callerOf(request)
      return caller && (await lister()).current(caller)
    },
    async confirm(request) {
      return (await callerOf(request)) ? host.sessions.read(request) : null
    },
    async end(who, { reason = 'application', by } = {}) {
      return (await (await lister()).end(userIdOf(who), who.id, { reason, by })) ?? false
    },
    async rename(who, name) {
      const { nameField } = await import('./routes/fields.ts')
      const { success, output } = (await import('valibot')).safeParse(nameField, name)
      if (!success) throw new TypeError('a name must have at most 60 characters, all visible')
      return (await lister()).rename(userIdOf(who), who.id, output)
    },
    async endOthers(request) {
      const caller = await callerOf(request)
      if (!caller) return 0
      return (await lister()).endAll(caller.userId, { reason: 'ended-by-user' }, caller.sid)
    },
    async endAll(who, { reason = 'application', by, except } = {}) {
      return (await lister()).endAll(userIdOf(who), { reason, by }, except)
    },
    async renew(request, { amr }) {
      const cookies = await host.sessions.renew(request, { amr })
      if (!cookies) throw new Problem('unauthenticated', 'nobody is signed in')
      const headers = new Headers()
      for (const cookie of cookies) headers.append('set-cookie', serializeCookie(cookie))
      return { headers }
    },
    async revocationState() {
      const { snapshot } = memory.revocations
      if (!snapshot) return null
      const { sids, users, asOf } = snapshot
      return { entries: sids.size + users.size, age: ageOf(asOf, host.ports) }
    },
    async isFresh(request, seconds = settings.freshAge) {
      const caller = await callerOf(request)
      return caller !== null && isFresh(caller, seconds, host.ports)
    },
  }
}
