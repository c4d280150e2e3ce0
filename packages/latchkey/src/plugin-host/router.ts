import type { Outcome } from '../http/outcome.ts'
import { ESCAPED_LETTER } from '../http/paths/base-path.ts'
import type { AuthRequest, SiteRequest } from '../http/request.ts'
import type { PluginMatch, PluginRouter, SessionPlan } from '../plan/plan.ts'
import type { PluginPath } from '../plugin/route.ts'
import type { AnyPlugin, PluginSet } from './parts.ts'

/** Responses of plugins. Their module is loaded with the first of them. */
export interface PluginAnswers {
  /** Handles a request for one path. */
  path(request: SiteRequest, path: PluginPath, plan: SessionPlan): Promise<Outcome>
  /** Returns the response for a built-in action that a plugin refused. */
  refuse(
    problem: Error,
    request: AuthRequest,
    tables: Pick<PluginPath, 'problems' | 'texts'>,
    plan: SessionPlan,
  ): Promise<Outcome>
}

/** Finds the routes of plugins by their paths. */
export function createRouter(
  { plugins, partsOf }: PluginSet,
  answers: PluginAnswers,
  plan: SessionPlan,
): PluginRouter {
  const byRoute = new Map<string, AnyPlugin>(
    plugins.flatMap((plugin) =>
      Object.keys(plugin.routes ?? {}).map((route) => [route, plugin] as const),
    ),
  )
  const hasSections = plugins.some(({ accountSections = [] }) => accountSections.length > 0)
  if (hasSections && !byRoute.has('account')) byRoute.set('account', overviewOf(plan))
  const find = (pathname: string): PluginMatch | undefined => {
    const path = pathBelowBase(pathname, plan)
    if (path === undefined) return undefined
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
      const { routes = {}, problems = {}, texts = { en: {} } } = plugin as AnyPlugin
      const { own } = partsOf(plugin)
      return answers.path(
        request,
        { methods: routes[route] ?? {}, own, problems, texts, rest },
        plan,
      )
    },
  }
}

/** The first page of the account, with the sections of all plugins. */
function overviewOf(plan: SessionPlan): AnyPlugin {
  return {
    name: 'account',
    routes: {
      account: {
        GET: {
          who: 'user',
          run: async () => {
            const { showOverview } = await import('./account/overview.ts')
            return (call) => showOverview(call, plan)
          },
        },
      },
    },
    setUp: () => ({}),
  }
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
