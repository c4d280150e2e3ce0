import { primitives } from '#crypto'
import { hashKey, KEY_SALT, keyedHash } from '../base/crypto/keyed-hash.ts'
import { isJsonObject } from '../base/encoding/json.ts'
import { AccessDenied, AuthError, MissingSecret, SessionTokenError } from '../base/errors.ts'
import { loadOnce, oncePer } from '../base/once.ts'
import type { Ports } from '../base/ports.ts'
import { sessionAges } from '../core/compile/session-options.ts'
import { type Cookie, jarOf, parseCookies, setCookie } from '../http/cookies/cookies.ts'
import { unproxiedAddress } from '../http/origin/client-address.ts'
import { type Outcome, redirect } from '../http/outcome.ts'
import { ESCAPED_LETTER } from '../http/paths/base-path.ts'
import type { AuthRequest, SiteRequest } from '../http/request.ts'
import { isUsableTarget, trusted, withParams } from '../http/safe-url.ts'
import type { Account } from '../model/account.ts'
import type { JsonObject } from '../model/record.ts'
import { AGE_LIMIT } from '../option-checks/judge.ts'
import type { AuthConfig } from '../options/auth-config.ts'
import { FLOW_MAX_AGE } from '../options/cookie-policy.ts'
import type { EventHandlers } from '../options/events.ts'
import type { PlanGates, PlanPlugins, SessionPlan } from '../plan/plan.ts'
import type {
  ActionHooks,
  AskedProvider,
  BegunSignIn,
  HowStarted,
  Leave,
  Leaving,
} from '../plugin/hooks.ts'
import type { HeadlessSignIn, Host, RecordSealer } from '../plugin/host.ts'
import type { Plugin, PluginParts } from '../plugin/plugin.ts'
import { Problem } from '../plugin/problem.ts'
import type { Limiter, LimitVerdict, SessionControl } from '../plugin/provides.ts'
import type { Answer, PluginPath } from '../plugin/route.ts'
import { createSealer, type Sealer } from '../protocols/sealing/sealer.ts'
import { usedAtEdge } from '../session/at-edge.ts'
import { sessionRequest } from '../session/session-request.ts'
import type { SessionRequest } from '../session/strategy.ts'
import { type SessionHooks, type Watch, watchOf } from '../session/watch.ts'
import type { PendingHost } from '../sign-in/pending.ts'
import { createRecords } from '../store/records.ts'
import type { LastFailures } from './background.ts'

/** Responses of plugins. Their module is loaded with the first of them. */
export interface PluginAnswers {
  /** Handles a request for one path. */
  path(input: Request, path: PluginPath, plan: SessionPlan): Promise<Outcome>
  /** Returns the response for a built-in action that a plugin refused. */
  refuse(
    problem: Error,
    request: AuthRequest,
    tables: Pick<PluginPath, 'problems' | 'texts'>,
    plan: SessionPlan,
  ): Promise<Outcome>
}

type AnyPlugin = Plugin<string, object, never>

/** Sets up the plugins of a plan, each at its first use. */
export function setUpPlugins(
  config: AuthConfig,
  plan: SessionPlan,
  answers: PluginAnswers,
): PlanPlugins {
  const plugins = (config.plugins ?? []) as readonly AnyPlugin[]
  const paths = new Map<string, AnyPlugin>()
  for (const plugin of plugins) {
    for (const route of Object.keys(plugin.routes ?? {})) {
      paths.set(route, plugin)
    }
  }
  const core = createHost(config, plan)
  const { ports, logger } = plan
  const lastFailures = (): LastFailures =>
    sharedBy(storeOf(config), '', () => new Map<string, number>())
  const parts = new Map<AnyPlugin, PluginParts<object, never>>()
  const partsOf = (plugin: AnyPlugin): PluginParts<object, never> => {
    let made = parts.get(plugin)
    if (!made) {
      made = plugin.setUp(hostOf(plugin))
      checkParts(plugin, made, ports)
      parts.set(plugin, made)
    }
    return made
  }
  const gates = compileGates(plugins, partsOf, core, plan)
  const hostOf = ({ name, texts = { en: {} } }: AnyPlugin): Host => ({
    ...core,
    limit: count,
    clientAddress: async (request) => {
      const { clientAddress: asked } = limiterOf() ?? {}
      return asked ? asked(request) : unproxiedAddress(request)
    },
    sessions: control,
    background: async (kind, work) => {
      const services = { ports, logger, lastFailures: lastFailures(), waitUntil: config.waitUntil }
      await (await loadBackground()).inBackground(kind, work, services)
    },
    text: async (request) =>
      plan.texts('original' in request ? request.original : request).with(texts),
    shared: (make) => sharedBy(storeOf(config), name, make),
    async establish({ request, callbackUrl }, identity) {
      const { establish } = await loadEstablish()
      return toAnswer(await establish(identity, { name, request, callbackUrl }, plan))
    },
    async resume({ request }, proof) {
      if (!gates) throw new Problem('invalid_code', 'no plugin has a gate')
      return toAnswer(await gates.resume(request, proof))
    },
  })
  const find = (pathname: string): Found | undefined => {
    const asked = routeAt(pathname, plan)
    if (asked === undefined) return undefined
    const exact = paths.get(asked)
    if (exact) return { plugin: exact, route: asked }
    const end = asked.lastIndexOf('/') + 1
    const route = `${asked.slice(0, end)}*`
    const plugin = end === asked.length ? undefined : paths.get(route)
    const rest = plugin && decoded(asked.slice(end))
    return plugin && rest !== undefined ? { plugin, route, rest } : undefined
  }

  const limiterOf = (): Limiter | undefined =>
    plugins.map((plugin) => partsOf(plugin).limiter).find((each) => each)
  const count: Limiter['count'] = async (...asked) =>
    (await limiterOf()?.count(...asked)) ?? { allowed: true }
  const control = (): SessionControl | undefined =>
    plugins.map((plugin) => partsOf(plugin).sessionControl).find((each) => each)
  let hooks: readonly ActionHooks[] | undefined
  const actions = (): readonly ActionHooks[] =>
    (hooks ??= plugins.flatMap((plugin) => partsOf(plugin).actions ?? []))
  const leaves = (): readonly Leave[] => plugins.flatMap((plugin) => partsOf(plugin).leave ?? [])
  let handlers: readonly EventHandlers[] | undefined
  const listeners = (): readonly EventHandlers[] =>
    (handlers ??= plugins.flatMap((plugin) => partsOf(plugin).listen ?? []))

  const signInFields = plugins.flatMap(({ signInFields: fields = [], texts = { en: {} } }) =>
    fields.map((field) => ({ ...field, texts })),
  )
  let watch: Watch | undefined
  return {
    gates,
    signInFields,
    kept(form) {
      const sent = signInFields.flatMap(({ name }) => (form[name] === '1' ? [[name, '1']] : []))
      return sent.length > 0 ? Object.fromEntries(sent) : undefined
    },
    act: async (request, run, how) => act(request, run, how, actions(), plan),
    refuse(problem, request) {
      const { code } = problem as Problem
      const { problems = {}, texts = { en: {} } } =
        plugins.find((plugin) => Object.hasOwn(plugin.problems ?? {}, code)) ?? {}
      return answers.refuse(problem, request, { problems, texts }, plan)
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
    async limit(...asked) {
      const verdict = await count(...asked)
      if (!verdict.allowed) throw limited(asked[0], verdict)
    },
    async signedIn(...signIn) {
      const cookies = plugins.map(async (plugin) => partsOf(plugin).afterSignIn?.(...signIn))
      return (await Promise.all(cookies)).flatMap((each) => each ?? [])
    },
    hears: (name) => listeners().some((each) => each[name]),
    async tell(name, message) {
      for (const each of listeners()) await each[name]?.(message)
    },
    accountRow: (account) =>
      plugins.reduce((row, plugin) => partsOf(plugin).accounts?.row?.(row) ?? row, account),
    async accountStored(...stored) {
      for (const plugin of plugins) await partsOf(plugin).accounts?.stored?.(...stored)
    },
    get tokenKeeper() {
      return plugins.map((plugin) => partsOf(plugin).tokenKeeper).find((each) => each)
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
    get around() {
      return plugins.flatMap((plugin) => partsOf(plugin).around ?? [])
    },
    get watch() {
      watch ??= watchOf(hooksOf(plugins, partsOf), plan.ports)
      return watch
    },
    answers: (pathname) => find(pathname) !== undefined,
    async answer(input) {
      const { pathname } = new URL(input.url)
      const { plugin, route = '', rest } = find(pathname) ?? {}
      const methods = plugin?.routes?.[route]
      if (!plugin || !methods) throw new AuthError('no plugin answers this path')
      const { own } = partsOf(plugin)
      const { problems = {}, texts = { en: {} } } = plugin
      return answers.path(input, { methods, own, problems, texts, rest }, plan)
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
    async maintain(budgetMs) {
      const named = plugins.map((plugin) => [plugin.name, partsOf(plugin)] as const)
      await (await loadMaintenance()).maintainAll(named, budgetMs, core)
    },
    api(name) {
      const plugin = plugins.find((each) => each.name === name)
      return plugin && partsOf(plugin).api
    },
  }
}

/** All parts of a plugin. Checked at run time, because the compiler accepts objects with further members. */
const PARTS: Readonly<Record<keyof PluginParts, true>> = {
  api: true,
  own: true,
  freshAge: true,
  session: true,
  atGate: true,
  actions: true,
  leave: true,
  limiter: true,
  sessionControl: true,
  listen: true,
  around: true,
  onBegin: true,
  afterSignIn: true,
  accounts: true,
  tokenKeeper: true,
  beforeUserDelete: true,
  onUserDelete: true,
  maintain: true,
}

/** Refuses parts that would have no effect. */
function checkParts(
  { name, gate, judgesSessions, atEdge }: AnyPlugin,
  parts: PluginParts<object, never>,
  ports: Ports,
): void {
  if (parts instanceof Promise || Object(parts) !== parts) {
    throw new AuthError(
      `\`setUp\` of the plugin ${name} must return an object, got ${parts instanceof Promise ? 'a promise' : String(parts)}; do asynchronous work in the functions of that object`,
    )
  }
  const unknown = Object.keys(parts).find((part) => !(part in PARTS))
  if (unknown !== undefined) {
    throw new AuthError(
      `\`setUp\` of the plugin ${name} returns the unknown member ${JSON.stringify(unknown)}; expected one of: ${Object.keys(PARTS).join(', ')}`,
    )
  }
  if ((gate === undefined) !== (parts.atGate === undefined)) {
    throw new AuthError(
      `the plugin ${name} needs both \`gate\` (its position among the gates) and \`atGate\` (in the result of \`setUp\`)`,
    )
  }
  if (parts.session?.onRead && !judgesSessions) {
    throw new AuthError(
      `the plugin ${name} needs \`judgesSessions: true\`, because \`setUp\` returns \`session.onRead\`: code that reads sessions without the plugin then logs a warning`,
    )
  }
  const left = Object.keys(parts.session ?? {}).find((hook) => !usedAtEdge.includes(hook))
  if (left !== undefined && atEdge?.(ports).isWhole) {
    throw new AuthError(
      `\`atEdge\` of the plugin ${name} must not return \`isWhole\`: its hook ${left} is not called at the edge`,
    )
  }
}

/** The route of a path. */
interface Found {
  readonly plugin: AnyPlugin
  readonly route: string
  /** The segment at the place of its star. */
  readonly rest?: string
}

/** Returns the path below the base path; `undefined` for any other path. */
function routeAt(pathname: string, { basePath, trailingSlash }: SessionPlan): string | undefined {
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

function hooksOf(
  plugins: readonly AnyPlugin[],
  partsOf: (plugin: AnyPlugin) => PluginParts<object, never>,
): Record<string, SessionHooks> {
  const named = plugins.map((plugin) => {
    const { session, freshAge = Infinity } = partsOf(plugin)
    const least = Math.min(session?.freshAge ?? Infinity, freshAge)
    return [
      plugin.name,
      session && (freshAge < Infinity ? { ...session, freshAge: least } : session),
    ] as const
  })
  return Object.fromEntries(named.filter(([, hooks]) => hooks)) as Record<string, SessionHooks>
}

/** Loaded later, because reading a session does not need it. */
const loadProviders = loadOnce(() => import('./provider-clients.ts'))

/** Creates the members of the host that are the same for every plugin. */
function createHost(
  config: AuthConfig,
  plan: SessionPlan,
): Omit<
  Host,
  'shared' | 'establish' | 'resume' | 'limit' | 'clientAddress' | 'text' | 'sessions' | 'background'
> {
  const { ports, logger, store, records, basePath, secrets } = plan
  const sealers = oncePer((kind: string) => createSealer(secrets, `latchkey.record.${kind}`))
  const derived = oncePer((purpose: string) =>
    Promise.all(secrets.map((secret) => primitives.hkdf(secret, KEY_SALT, purpose, 32))),
  )
  const hashKeys = oncePer(async (purpose: string) =>
    Promise.all((await derived(purpose)).map(hashKey)),
  )
  const hashes: Host['keyedHashes'] = async (purpose, ...parts) =>
    Promise.all((await hashKeys(purpose)).map((key) => keyedHash(key, parts)))
  const kept = createRecords(records, ports)
  return {
    ports,
    basePath,
    logger,
    store,
    records: kept,
    hasRecords: records !== undefined,
    cookies: plan.cookies,
    lease: async (name, milliseconds) =>
      (await loadLease()).acquireLease(name, milliseconds, { records: kept, ports }),
    current: (request) => plan.session.current(toSessionRequest(request)),
    async session(request) {
      const { session, failed } = await plan.session.read(toSessionRequest(request), {
        readOnly: true,
      })
      if (failed) throw new SessionTokenError('the session could not be read; the log says why')
      return session
    },
    needFresh: async (...asked) => (await loadNeedFresh()).needFresh(...asked, plan),
    renew: (request, { amr }) =>
      plan.session.renew(toSessionRequest(request), {
        amr,
        authTime: Math.floor(ports.now() / 1000),
      }),
    beforeProof: async (userId) => (await plan.watch?.beforeProof(userId)) ?? {},
    begin: (signIn) => beginHeadless(signIn, plan),
    mail: async (...asked) => (await loadMail()).sendMail(...asked, plan),
    forget: (request) => plan.session.forget(request),
    tell: async (name, message) => plan.emit(name, message),
    strategy: () => plan.session.name,
    providers: (rotation) =>
      plan.providerConfigs.flatMap((config) => {
        if (config.type !== 'oauth' && config.type !== 'oidc') return []
        const isAsked = rotation === undefined || config.tokens?.rotation === rotation
        return isAsked ? [config.id] : []
      }),
    connect: async (...asked) => (await loadConnect()).connectAccount(...asked, plan),
    longestSession() {
      const { maxAge, tokenMaxAge } = sessionAges(config)
      return Math.max(maxAge, tokenMaxAge)
    },
    sealer: (kind) => recordSealer(sealers(kind), ports),
    path: (route, params = {}) => trusted(withParams(`${basePath}/${route}`, params)),
    resolveRedirect: async (target, origin) =>
      isUsableTarget(target) ? plan.resolveRedirect(target, origin) : trusted(origin),
    async provider(id) {
      return (await loadProviders()).clientOfProvider(id, plan)
    },
    async keyedHash(purpose, ...parts) {
      const [key] = await hashKeys(purpose)
      if (!key) throw new MissingSecret('set `secret` (or AUTH_SECRET)')
      return keyedHash(key, parts)
    },
    keyedHashes: hashes,
    derivedKeys: derived,
  }
}

async function beginHeadless(
  { user, request, ...proven }: HeadlessSignIn,
  { session, ports }: SessionPlan,
): ReturnType<Host['begin']> {
  const { secure } = request
  const { holder } = proven
  const id = String(user.id)
  const account: Account = {
    provider: holder.via,
    type: 'credentials',
    providerAccountId: id,
    userId: id,
  }
  const signedIn = { user: { ...user, id }, account }
  const proof = { ...signedIn, ...proven, request, since: ports.now(), kept: {} }
  const cookies = await session.issue(signedIn, { cookies: parseCookies(null), secure }, proof)
  const jar = jarOf(new Map(cookies.map(({ name, value }) => [name, value])))
  const current = await session.current({ cookies: jar, secure, holder })
  if (!current) throw new AccessDenied('the `jwt` callback began no session')
  return { cookies, current }
}

function toSessionRequest(request: Request | SiteRequest | SessionRequest): SessionRequest {
  if (!(request instanceof Request)) return request
  return sessionRequest(request, new URL(request.url).origin)
}

/** Creates the gates in their order: gates with a further proof come first. */
function compileGates(
  plugins: readonly AnyPlugin[],
  partsOf: (plugin: AnyPlugin) => PluginParts<object, never>,
  host: PendingHost,
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
      inOrder.map((plugin) => partsOf(plugin)),
      host,
      plan,
    )
  })
  return {
    pass: async (...asked) => (await load()).pass(...asked),
    passed: async (signIn) => (await load()).passed(signIn),
    pending: async (request) => (await load()).pending(request),
    resume: async (...asked) => (await load()).resume(...asked),
  }
}

/** Runs a built-in action with the hooks of plugins before it and after a failure. */
async function act(
  given: AuthRequest,
  run: (request: AuthRequest) => Promise<Outcome>,
  how: HowStarted,
  hooks: readonly ActionHooks[],
  plan: SessionPlan,
): Promise<Outcome> {
  const asked: AskedProvider | undefined = plan.providerConfigs.find(
    ({ id }) => id === given.providerId,
  )
  const provider = asked && pick(asked)
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
    const outcome = await run(request)
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

function limited(
  name: string,
  { retryAfter, headers, members }: Extract<LimitVerdict, { allowed: false }>,
): Problem {
  return new Problem('too_many_attempts', `the limit of ${name} is reached`, {
    headers: { 'retry-after': String(retryAfter), ...headers },
    members: { ...members, retryAfter },
  })
}

function toAnswer(outcome: Outcome): Answer {
  const { cookies } = outcome
  if (outcome.kind !== 'redirect') return { cookies }
  const { to, detour } = outcome
  return { to, cookies, json: { url: to, ...(detour && { detour }) } }
}

function recordSealer(sealer: Sealer, ports: Ports): RecordSealer {
  return {
    seal: async (data, { key, userId, maxAge = AGE_LIMIT - 1 }) =>
      sealer.seal({ data, aud: key, ...(userId !== undefined && { sub: userId }) }, maxAge, ports),
    async open(text, { key, userId }) {
      const { data, aud, sub } = (await sealer.open(text, ports))?.claims ?? {}
      return aud === key && sub === userId && isJsonObject(data) ? (data as JsonObject) : undefined
    },
  }
}

/** The key of values that are shared in the process, without a store. */
const PROCESS = {}

const storeOf = ({ adapter, records }: AuthConfig): object => adapter ?? records ?? PROCESS

// Loaded later, because reading a session does not need them.
const loadBackground = loadOnce(() => import('./background.ts'))
const loadEstablish = loadOnce(() => import('./establish.ts'))
const loadMail = loadOnce(() => import('./send-mail.ts'))
const loadConnect = loadOnce(() => import('./connect-account.ts'))
const loadNeedFresh = loadOnce(() => import('../sign-in/need-fresh.ts'))
const loadLease = loadOnce(() => import('./lease.ts'))
const loadMaintenance = loadOnce(() => import('./maintenance.ts'))

const keptBy = oncePer(() => new Map<string, object>(), new WeakMap<object, Map<string, object>>())

function sharedBy<Kept extends object>(owner: object, name: string, make: () => Kept): Kept {
  const byName = keptBy(owner)
  let made = byName.get(name)
  if (!made) byName.set(name, (made = make()))
  return made as Kept
}
