import { loadOnce } from '../base/once.ts'
import type { AuthConfig } from '../options/auth-config.ts'
import type { EventHandlers } from '../options/events.ts'
import { sessionsElsewhere } from '../options/markers.ts'
import { strategyOf } from '../options/strategy.ts'
import type {
  PlanGates,
  PlanPlugins,
  PluginAccounts,
  PluginEvents,
  SessionPlan,
} from '../plan/plan.ts'
import type { HostAttempts } from '../plugin/attempts.ts'
import { type SessionHooks, type Watch, watchOf } from '../session/watch.ts'
import { createActions } from './actions.ts'
import { createHost, createSharedHost, type SharedHost } from './host.ts'
import { type AnyPlugin, createPluginSet, type PluginSet } from './parts.ts'
import { type DeviceOf, deviceFact, sealedFacts } from './proofs/device-fact.ts'
import { createProofs } from './proofs/proofs.ts'
import { storedFacts } from './proofs/stored-facts.ts'
import { allProofs } from './proofs/ways.ts'
import { createRouter, type PluginAnswers } from './router.ts'

/** The place of a section of the account page that names none. */
const LAST = 100

/** Sets up the plugins of a plan, each at its first use. */
export function setUpPlugins(
  config: AuthConfig,
  plan: SessionPlan,
  answers: PluginAnswers,
): PlanPlugins {
  const plugins = (config.plugins ?? []) as readonly AnyPlugin[]
  const shared = createSharedHost(plan, config)
  const set: PluginSet = createPluginSet(plugins, plan.ports, (plugin) =>
    createHost(plugin, { config, plan, shared, gates, provided: set.provided }),
  )
  const gates = compileGates(set, shared, plan)
  const proofs = allProofs(set)
  let watch: Watch | undefined
  return {
    router: createRouter(set, answers, plan, proofs),
    actions: createActions(set, answers, plan),
    session: {
      get carriers() {
        return plugins.flatMap((plugin) => set.partsOf(plugin).carriers ?? [])
      },
      elsewhere: plugins.flatMap((plugin) => plugin[sessionsElsewhere] ?? []).at(-1),
      get watch() {
        watch ??= watchOf(hooksOf(set, shared, config), plan.ports)
        return watch
      },
    },
    accounts: createAccounts(set),
    gates,
    events: createEvents(set),
    proofs: createProofs(proofs, plan),
    sections: plugins
      .flatMap(({ accountSections = [], texts = { en: {} } }) =>
        accountSections.map((section) => ({ ...section, texts })),
      )
      .toSorted((a, b) => (a.order ?? LAST) - (b.order ?? LAST)),
    async maintain(budgetMs) {
      const named = plugins.map((plugin) => [plugin.name, set.partsOf(plugin)] as const)
      await (await loadMaintenance()).maintainAll(named, budgetMs, shared)
    },
    async resealRecords() {
      const { resealRecords } = await import('./sealed/reseal-records.ts')
      const kinds = plugins.flatMap(({ sealed = [] }) => sealed)
      return resealRecords(kinds, shared, shared.sealedBy)
    },
    api(name) {
      const plugin = plugins.find((each) => each.name === name)
      return plugin && set.partsOf(plugin).api
    },
  }
}

function createAccounts({ plugins, partsOf, provided }: PluginSet): PluginAccounts {
  return {
    row: (account) =>
      plugins.reduce((row, plugin) => partsOf(plugin).accounts?.row?.(row) ?? row, account),
    async stored(...stored) {
      for (const plugin of plugins) await partsOf(plugin).accounts?.stored?.(...stored)
    },
    async proving(...proved) {
      for (const plugin of plugins) await partsOf(plugin).accounts?.proving?.(...proved)
    },
    async needProved(userId) {
      const unproved = provided('unproved')
      if (unproved) await (await loadNeedProved()).needProved(userId, unproved)
    },
    get unproved() {
      return provided('unproved')
    },
    get tokens() {
      return provided('tokens')
    },
    tellingDeletions: ({ deleteUser, unlinkAccount, ...adapter }) => ({
      ...adapter,
      ...(unlinkAccount && {
        async unlinkAccount(account) {
          const unlinked = await unlinkAccount(account)
          for (const plugin of plugins) await partsOf(plugin).accounts?.unlinked?.(account)
          return unlinked
        },
      }),
      ...(deleteUser && {
        async deleteUser(given) {
          // An application may have read the number in its own table.
          const id = String(given)
          const before = new Map<AnyPlugin, unknown>()
          for (const plugin of plugins)
            before.set(plugin, await partsOf(plugin).beforeUserDelete?.(id))
          const deleted = await deleteUser(id)
          for (const plugin of plugins) await partsOf(plugin).onUserDelete?.(id, before.get(plugin))
          return deleted
        },
      }),
    }),
  }
}

function createEvents({ plugins, partsOf }: PluginSet): PluginEvents {
  let handlers: readonly EventHandlers[] | undefined
  const listeners = (): readonly EventHandlers[] =>
    (handlers ??= plugins.flatMap((plugin) => partsOf(plugin).listen ?? []))
  return {
    // The hooks for a sign-out receive the session, too.
    hears: (name) =>
      listeners().some((each) => each[name]) ||
      (name === 'signOut' && plugins.some((plugin) => partsOf(plugin).leave)),
    async tell(name, message) {
      for (const each of listeners()) await each[name]?.(message)
    },
  }
}

function hooksOf(
  { plugins, partsOf, provided }: PluginSet,
  shared: SharedHost,
  config: AuthConfig,
): Record<string, SessionHooks> {
  const named = plugins.map((plugin) => {
    const { session, freshAge = Infinity } = partsOf(plugin)
    const least = Math.min(session?.freshAge ?? Infinity, freshAge)
    return [
      plugin.name,
      session && (freshAge < Infinity ? { ...session, freshAge: least } : session),
    ] as const
  })
  const hooks = Object.fromEntries(named.filter(([, each]) => each)) as Record<string, SessionHooks>
  const isKnown = Object.values(hooks).some(({ known }) => known)
  if (isKnown || !plugins.some((plugin) => partsOf(plugin).proofs)) return hooks
  // Whoever has to prove it again must have proved it at a known time. A sealed session says so itself.
  const isStored = strategyOf(config) === 'database' && shared.hasRecords
  const limiter = provided('limiter')
  const attempts = {
    areLimited: limiter !== undefined,
    isKnownBrowser: async (...asked: Parameters<HostAttempts['isKnownBrowser']>) =>
      (await limiter?.isKnownBrowser?.(...asked)) ?? false,
  }
  const deviceOf: DeviceOf = (userId, proof) =>
    deviceFact(userId, proof, attempts, provided('factors'))
  const facts = isStored ? storedFacts(shared, deviceOf) : sealedFacts(deviceOf)
  return { ...hooks, reauthenticate: facts }
}

/** Creates the gates in their order: gates with a further proof come first. */
function compileGates(
  { plugins, partsOf, provided }: PluginSet,
  host: SharedHost,
  plan: SessionPlan,
): PlanGates | undefined {
  const inOrder = (['prove', 'require'] as const).flatMap((stage) =>
    plugins.filter(({ gate }) => gate === stage),
  )
  if (inOrder.length === 0) return undefined
  // Reading a session passes no gate.
  const load = loadOnce(async () => {
    const { createGates } = await import('./gates.ts')
    return createGates(
      inOrder.map((plugin) => ({
        name: plugin.name,
        atGate: (...asked) => partsOf(plugin).atGate?.(...asked),
      })),
      {
        ...host,
        isKnownBrowser: async (...asked) =>
          (await provided('limiter')?.isKnownBrowser?.(...asked)) ?? false,
      },
      plan,
    )
  })
  return {
    pass: async (...asked) => (await load()).pass(...asked),
    passed: async (signIn) => (await load()).passed(signIn),
    pending: async (...given) => (await load()).pending(...given),
    resume: async (...asked) => (await load()).resume(...asked),
    leave: async (request) => (await load()).leave(request),
  }
}

const loadNeedProved = loadOnce(() => import('./account/need-proved.ts'))
const loadMaintenance = loadOnce(() => import('./maintenance.ts'))
