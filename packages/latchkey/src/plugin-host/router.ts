import { loadOnce } from '../base/once.ts'
import type { Outcome } from '../http/outcome.ts'
import { ESCAPED_LETTER } from '../http/paths/base-path.ts'
import type { AuthRequest, SiteRequest } from '../http/request.ts'
import type { PluginTexts } from '../options/plugin-option.ts'
import type { PluginMatch, PluginRouter, SessionPlan } from '../plan/plan.ts'
import type { Call, PluginPath, PluginRoute, ProblemTable, ProblemTables } from '../plugin/route.ts'
import type { StepUp } from '../session/proof/step-up.ts'
import type { AnyPlugin, PluginSet } from './parts.ts'
import type { ProofsOf } from './proofs/page.ts'
import type { ProofFields } from './proofs/routes.ts'
import type { AllProofs } from './proofs/ways.ts'

/** Responses of plugins. Their module is loaded with the first of them. */
export interface PluginAnswers {
  /** Handles a request for one path. */
  path(request: SiteRequest, path: PluginPath, plan: SessionPlan): Promise<Outcome>
  /** Returns the response for a built-in action that a plugin refused. */
  refuse(
    problem: Error,
    request: AuthRequest,
    tables: ProblemTables,
    plan: SessionPlan,
  ): Promise<Outcome>
}

/** Finds the routes of plugins by their paths. */
export function createRouter(
  { plugins, partsOf, provided }: PluginSet,
  answers: PluginAnswers,
  plan: SessionPlan,
  proofs: () => AllProofs,
): PluginRouter {
  const byRoute = new Map<string, AnyPlugin>(
    plugins.flatMap((plugin) =>
      Object.keys(plugin.routes ?? {}).map((route) => [route, plugin] as const),
    ),
  )
  const hasSections = plugins.some(({ accountSections = [] }) => accountSections.length > 0)
  if (hasSections && !byRoute.has('account')) byRoute.set('account', overviewOf(plan, provided))
  const proving = provingOf({ all: proofs, plan }, plugins)
  const tablesOf = (code: string): ProblemTables | undefined => problemTablesOf(code, plugins)
  const find = (pathname: string): PluginMatch | undefined => {
    const path = pathBelowBase(pathname, plan)
    if (path === undefined) return undefined
    // Set up only if somebody asks for it.
    if (isProofPath(path) && !byRoute.has(PROOF) && proofs().ways.length > 0)
      for (const route of Object.keys(proving.routes ?? {})) byRoute.set(route, proving)
    const exact = byRoute.get(path)
    if (exact) return { plugin: exact, route: path }
    const end = path.lastIndexOf('/') + 1
    const route = `${path.slice(0, end)}*`
    const plugin = end === path.length ? undefined : byRoute.get(route)
    const rest = plugin && decoded(path.slice(end))
    return plugin && rest !== undefined ? { plugin, route, rest } : undefined
  }
  return {
    find,
    async answer(request, { plugin, route, rest }) {
      const { routes = {}, problems = {}, texts = { en: {} }, refusedForms } = plugin as AnyPlugin
      const { own } = partsOf(plugin)
      const methods = routes[route] ?? {}
      const { name } = plugin
      return answers.path(
        request,
        {
          plugin: name,
          methods,
          own,
          problems,
          texts,
          rest,
          routes,
          route,
          refusedForms,
          tablesOf,
        },
        plan,
      )
    },
  }
}

/** Returns the tables of the plugin that has a code; `undefined` if none has it. */
export function problemTablesOf(
  code: string,
  plugins: readonly AnyPlugin[],
): ProblemTables | undefined {
  const owner = plugins.find(({ problems = {} }) => Object.hasOwn(problems, code))
  return owner && { problems: owner.problems ?? {}, texts: owner.texts ?? { en: {} } }
}

/** The first page of the account, with the sections of all plugins. */
function overviewOf(plan: SessionPlan, provided: PluginSet['provided']): AnyPlugin {
  return {
    name: 'account',
    routes: {
      account: {
        GET: {
          who: 'user',
          run: async () => {
            const { showOverview } = await import('./account/overview.ts')
            return (call) => showOverview(call, plan, provided('passkeyOffer'))
          },
        },
      },
    },
    setUp: () => ({}),
  }
}

const PROOF = 'reauthenticate'

const isProofPath = (path: string): boolean => path === PROOF || path.startsWith(`${PROOF}/`)

/** The page on which users prove their identity again. */
function provingOf(proofs: ProofsOf, plugins: readonly AnyPlugin[]): AnyPlugin {
  const load = loadOnce(() => import('./proofs/routes.ts'))
  const prove: PluginRoute<never> = {
    who: 'user',
    page: PROOF,
    input: async () => (await load()).sentFields,
    run: async () => {
      const { prove: run } = await load()
      return async (call: Call<ProofFields>) => run(call, proofs)
    },
  }
  return {
    name: PROOF,
    routes: {
      [PROOF]: {
        GET: {
          who: 'user',
          input: async () => (await load()).shownFields,
          run: async () => {
            const { show } = await load()
            return async (call: Call<ProofFields>) => show(call, proofs)
          },
        },
        POST: prove,
      },
      // For scripts, which say themselves what is needed.
      [`${PROOF}/need`]: {
        POST: {
          who: 'user',
          callers: 'scripts',
          input: async () => (await load()).neededFields,
          run: async () => {
            const { need } = await load()
            return async (call: Call<StepUp>) => need(call, proofs)
          },
        },
      },
      // With the way in the path, for the script of passkeys, which finds their options beside it.
      [`${PROOF}/*`]: { POST: prove },
    },
    // Ways refuse proofs with the codes of their plugins.
    problems: Object.assign({}, ...plugins.map(({ problems }) => problems)) as ProblemTable,
    texts: mergedTexts(plugins),
    refusedForms: plugins.find((each) => each.refusedForms)?.refusedForms,
    setUp: () => ({}),
  }
}

function mergedTexts(plugins: readonly AnyPlugin[]): PluginTexts {
  const merged: Record<string, object> = { en: {} }
  for (const { texts = { en: {} } } of plugins)
    for (const [language, table] of Object.entries(texts))
      merged[language] = Object.assign(merged[language] ?? {}, table)
  return merged as PluginTexts
}

/** Returns the path below the base path; `undefined` for any other path. */
function pathBelowBase(
  pathname: string,
  { basePath, trailingSlash }: SessionPlan,
): string | undefined {
  if (!pathname.startsWith(`${basePath}/`)) return undefined
  const end = trailingSlash && pathname.endsWith('/') ? -1 : undefined
  return pathname.slice(basePath.length + 1, end)
}

/** An escape that is written in lower case: the same in upper case is the one spelling (RFC 3986 section 6.2.2.1). */
const LOWER_ESCAPE = /%(?:[a-f]|.[a-f])/

/** Returns `undefined` for a segment that has another spelling, so that a rule of a proxy for a path cannot be bypassed. */
function decoded(segment: string): string | undefined {
  if (ESCAPED_LETTER.test(segment) || LOWER_ESCAPE.test(segment)) return undefined
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}
