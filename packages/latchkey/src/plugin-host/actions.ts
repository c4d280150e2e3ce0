import { toError } from '../base/errors.ts'
import type { Cookie } from '../http/cookies/cookies.ts'
import { setCookie } from '../http/cookies/cookies.ts'
import { type Outcome, redirect } from '../http/outcome.ts'
import type { AuthRequest } from '../http/request.ts'
import { FLOW_MAX_AGE } from '../options/cookie-policy.ts'
import type { PluginActions, SessionPlan } from '../plan/plan.ts'
import type {
  ActionHooks,
  AskedProvider,
  BegunSignIn,
  HowStarted,
  Leave,
  Leaving,
} from '../plugin/hooks.ts'
import type { Problem } from '../plugin/problem.ts'
import { limited } from './attempts/limited.ts'
import type { PluginSet } from './parts.ts'
import { type PluginAnswers, problemTablesOf } from './router.ts'

/** Creates what plugins add to built-in actions and their pages. */
export function createActions(
  { plugins, partsOf, provided }: PluginSet,
  answers: PluginAnswers,
  plan: SessionPlan,
): PluginActions {
  let made: readonly ActionHooks[] | undefined
  const hooks = (): readonly ActionHooks[] =>
    (made ??= plugins.flatMap((plugin) => partsOf(plugin).actions ?? []))
  const takesNames = plugins.some(({ provides }) => provides?.includes('userNames'))
  const leaves = (): readonly Leave[] => plugins.flatMap((plugin) => partsOf(plugin).leave ?? [])
  const signInFields = plugins.flatMap(({ signInFields: fields = [], texts = { en: {} } }) =>
    fields.map((field) => ({ ...field, texts })),
  )
  const counted = new Set(
    plugins.flatMap(({ limits, providers = [] }) =>
      limits ? providers.flatMap((each) => (typeof each === 'object' ? each.id : [])) : [],
    ),
  )
  return {
    hasSecondKeys: plugins.some(({ provides }) => provides?.includes('factors')),
    signInFields,
    signInWays: plugins.flatMap(({ name, signInWay }) =>
      signInWay ? [{ ...signInWay, plugin: name, takesNames }] : [],
    ),
    authorize(provider, request) {
      const plugin = plugins.find(
        ({ signInWay }) => signInWay && 'provider' in signInWay && signInWay.provider === provider,
      )
      return plugin && partsOf(plugin).authorize?.(request)
    },
    kept(form) {
      const sent = signInFields.flatMap(({ name }) => (form[name] === '1' ? [[name, '1']] : []))
      return sent.length > 0 ? Object.fromEntries(sent) : undefined
    },
    run: async (request, action, how) =>
      run(request, action, how, { hooks: hooks(), plan, counted }),
    refuse(problem, request) {
      const { code } = problem as Problem
      const tables = problemTablesOf(code, plugins) ?? { problems: {}, texts: { en: {} } }
      return answers.refuse(problem, request, tables, plan)
    },
    commonFields: plugins.flatMap(({ commonFields = [] }) => commonFields),
    async limit(...attempt) {
      const verdict = await provided('limiter')?.count(...attempt)
      if (verdict && !verdict.allowed) throw limited(attempt[0], verdict)
    },
    async begun(signIn, specOf) {
      const keep: BegunSignIn['keep'] = async (name, claims) => {
        const spec = specOf(name)
        const sealed = await plan.sealer(spec.name).seal(claims, FLOW_MAX_AGE, plan.ports)
        return setCookie(spec, sealed, new Date(plan.ports.now() + FLOW_MAX_AGE * 1000))
      }
      const cookies = plugins.map(async (plugin) => partsOf(plugin).onBegin?.({ ...signIn, keep }))
      return (await Promise.all(cookies)).flatMap((each) => each ?? [])
    },
    async signedIn(...signIn) {
      // The session is there: a plugin that fails adds nothing to it, and takes nothing from it.
      const cookies = plugins.map(async (plugin) => {
        try {
          return await partsOf(plugin).afterSignIn?.(...signIn)
        } catch (error) {
          plan.logger.error(toError(error))
          return undefined
        }
      })
      return (await Promise.all(cookies)).flatMap((each) => each ?? [])
    },
    async signOutPage(request) {
      const additions = leaves().map(async ({ page }) => page?.(request))
      return (await Promise.all(additions)).flatMap((each) => each ?? [])
    },
    async leave(signedOut) {
      const cookies: Cookie[] = []
      let to: Leaving['to']
      for (const each of leaves()) {
        const leaving = await each.to(signedOut)
        to ??= leaving?.to
        cookies.push(...(leaving?.cookies ?? []))
      }
      return { to, cookies }
    },
  }
}

/** Runs a built-in action with the hooks of plugins before it and after a failure. */
async function run(
  given: AuthRequest,
  action: (request: AuthRequest) => Promise<Outcome>,
  how: HowStarted,
  {
    hooks,
    plan,
    counted,
  }: {
    readonly hooks: readonly ActionHooks[]
    readonly plan: SessionPlan
    /** Ids of providers whose plugins count the attempts themselves. */
    readonly counted: ReadonlySet<string>
  },
): Promise<Outcome> {
  const asked: AskedProvider | undefined = plan.providerConfigs.find(
    ({ id }) => id === given.providerId,
  )
  const provider = asked && { ...pick(asked), isCounted: counted.has(asked.id) }
  let request = given
  const tellFailed = async (): Promise<void> => {
    for (const hook of hooks) await hook.failed?.(request, provider, how)
  }
  for (const hook of hooks) {
    const { to, query } = (await hook.before?.(request, provider, how)) || {}
    if (to !== undefined) return redirect(to)
    if (query) request = withQuery(request, query)
  }
  try {
    const outcome = await action(request)
    if (outcome.kind === 'redirect' && outcome.error) await tellFailed()
    return outcome
  } catch (error) {
    await tellFailed()
    throw error
  }
}

function withQuery(request: AuthRequest, params: Readonly<Record<string, string>>): AuthRequest {
  const { method, action, providerId, origin, base, secure, cookies, form, original } = request
  const query = new URLSearchParams(request.query)
  for (const [name, value] of Object.entries(params)) query.set(name, value)
  return { method, action, providerId, origin, base, secure, cookies, form, original, query }
}

/** Returns the public members of a provider, without secrets. */
const pick = ({ id, type, normalizeIdentifier }: AskedProvider): AskedProvider => ({
  id,
  type,
  normalizeIdentifier,
})
