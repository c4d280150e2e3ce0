import { primitives } from '#crypto'
import { hashKey, KEY_SALT, keyedHash } from '../base/crypto/keyed-hash.ts'
import { isJsonObject } from '../base/encoding/json.ts'
import { MissingSecret, SessionTokenError } from '../base/errors.ts'
import { loadOnce, oncePer } from '../base/once.ts'
import type { Ports } from '../base/ports.ts'
import { sessionAges } from '../core/compile/session-options.ts'
import { unproxiedAddress } from '../http/origin/client-address.ts'
import type { Outcome } from '../http/outcome.ts'
import type { SiteRequest } from '../http/request.ts'
import { isUsableTarget, type SafeUrl, trusted, withParams } from '../http/safe-url.ts'
import type { JsonObject } from '../model/record.ts'
import { AGE_LIMIT } from '../option-checks/judge.ts'
import type { AuthConfig } from '../options/auth-config.ts'
import { configuredOrigin, isInProduction } from '../options/markers.ts'
import type { PluginTexts } from '../options/plugin-option.ts'
import type { EmailConfig } from '../options/provider-options.ts'
import type { PlanGates, SessionPlan } from '../plan/plan.ts'
import type { FormerHost } from '../plugin/former-host.ts'
import type { Host } from '../plugin/host.ts'
import type {
  HostKeys,
  HostProviders,
  HostSessions,
  HostSite,
  HostUsers,
  HostWork,
  NewPasskeys,
  RecordSealer,
} from '../plugin/host-groups.ts'
import { Problem } from '../plugin/problem.ts'
import type { Mailbox, Provided } from '../plugin/provides.ts'
import type { Answer } from '../plugin/route.ts'
import { createSealer, type Sealer } from '../protocols/sealing/sealer.ts'
import { sessionRequest } from '../session/session-request.ts'
import type { SessionRequest } from '../session/strategy.ts'
import { createRecords } from '../store/records.ts'
import { createAttempts, limitRulesOf } from './attempts/attempts.ts'
import type { AnyPlugin } from './parts.ts'
import { createSealedBy, recordSalt, type SealedBy, sealedKeyId } from './sealed/sealed-by.ts'

/** The members of a host that are the same for every plugin of a plan. */
export interface SharedHost
  extends Pick<
    Host,
    'ports' | 'logger' | 'records' | 'hasRecords' | 'hasMail' | 'store' | 'keys' | 'tell'
  > {
  readonly providers: HostProviders
  readonly users: HostUsers
  readonly work: Pick<HostWork, 'lease'>
  readonly sealedBy: SealedBy
}

/** Creates the members of the host that are the same for every plugin. */
export function createSharedHost(plan: SessionPlan, config: AuthConfig): SharedHost {
  const { ports, logger, store } = plan
  const records = createRecords(plan.records, ports)
  const noted = sharedBy(storeOf(config), 'sealed-by', () => new Set<string>())
  const sealedBy = createSealedBy(plan.secrets, noted, { records, ports, logger })
  const plugins = (config.plugins ?? []) as readonly AnyPlugin[]
  const lasting = new Set(
    plugins.flatMap(({ sealed = [] }) =>
      sealed.flatMap((each) => (each.sealer || each.isRenewed ? [] : each.kind)),
    ),
  )
  return {
    ports,
    logger,
    store,
    records,
    hasRecords: plan.records !== undefined,
    hasMail: mailServiceOf(plan) !== undefined,
    providers: createProviders(plan),
    sealedBy,
    users: {
      delete: async (...asked) => (await loadUsers()).deleteUser(...asked, config, plan),
      needProved: async (userId) => plan.plugins?.accounts.needProved(userId),
      unlink: async (account) => (await loadUsers()).unlinkAccount(account, plan),
    },
    keys: createKeys(plan, sealedBy, lasting),
    work: {
      lease: async (name, milliseconds) =>
        (await loadLease()).acquireLease(name, milliseconds, { records, ports }),
    },
    tell: async (name, message) => plan.emit(name, message),
  }
}

/** The other plugins, as the host of one plugin uses them. */
export interface Surroundings {
  readonly config: AuthConfig
  readonly plan: SessionPlan
  readonly shared: SharedHost
  readonly gates: PlanGates | undefined
  /** Returns what one of the plugins provides for all others. */
  provided<Name extends keyof Provided>(name: Name): Provided[Name] | undefined
}

/** Creates the host of one plugin. */
export function createHost(
  { name, texts = { en: {} } }: { readonly name: string; readonly texts?: PluginTexts | undefined },
  { config, plan, shared, gates, provided }: Surroundings,
): Host {
  const { ports, logger } = plan
  const mailbox = (): Mailbox | undefined =>
    mailServiceOf(plan) !== undefined || isInProduction(config) ? undefined : provided('mailbox')
  const services = () => ({
    ports,
    logger,
    lastFailures: sharedBy(storeOf(config), '', () => new Map<string, number>()),
    waitUntil: config.waitUntil,
  })
  const site = {
    ...createSite(texts, plan, provided, mailbox),
    origin: (config as { readonly [configuredOrigin]?: string })[configuredOrigin],
    mailTemplates: config.mail?.templates,
  }
  return withFormerNames({
    ...shared,
    site,
    sessions: createSessions(name, config, { plan, gates, provided }),
    work: {
      ...shared.work,
      async background(kind, work) {
        await (await loadBackground()).inBackground(kind, work, services())
      },
      async afterResponse(kind, work) {
        const { afterResponse } = await loadBackground()
        afterResponse(kind, work, services())
      },
      continues: config.waitUntil !== undefined,
    },
    attempts: createAttempts(() => provided('limiter'), plan),
    limitRules: limitRulesOf((config.plugins ?? []) as readonly AnyPlugin[]),
    limit: async (...attempt) =>
      (await provided('limiter')?.count(...attempt)) ?? { allowed: true },
    async mail(mail, request) {
      const { kind = name, locale = (await site.text(request)).lang, urls = [] } = mail
      const complete = { ...mail, kind, locale, urls }
      const kept = mailbox()
      if (kept) await kept.keep(complete, request)
      else await (await loadMail()).sendMail(complete, request, plan)
    },
    userNames: () => provided('userNames'),
    plugins: {
      passwords: () => provided('passwords'),
      unproved: () => provided('unproved'),
      factors: () => provided('factors'),
      apiKeys: () => provided('apiKeys'),
      notMe: () => provided('notMe'),
      passkeyOffer: () => provided('passkeyOffer'),
    },
    shared: (make) => sharedBy(storeOf(config), name, make),
  })
}

type Grouped = Omit<Host, keyof FormerHost | 'sessions' | 'providers'> & {
  readonly sessions: HostSessions
  readonly providers: HostProviders
}

function withFormerNames(host: Grouped): Host {
  const { site, sessions, providers, keys, work } = host
  return {
    ...site,
    ...sessions,
    ...keys,
    ...work,
    ...host,
    session: sessions.read,
    longestSession: sessions.longest,
    provider: providers.client,
    connect: providers.connect,
    keyedHash: keys.hash,
    keyedHashes: keys.hashes,
    derivedKeys: keys.derive,
    sessions: Object.assign(() => sessions.control(), sessions),
    providers: Object.assign<HostProviders['ids'], HostProviders>(
      (rotation) => providers.ids(rotation),
      providers,
    ),
  }
}

function createSite(
  texts: PluginTexts,
  plan: SessionPlan,
  provided: Surroundings['provided'],
  mailbox: () => Mailbox | undefined,
): HostSite {
  const { basePath, cookies, theme } = plan
  return {
    basePath,
    cookies,
    theme,
    path: (route, params = {}) => trusted(withParams(`${basePath}/${route}`, params)),
    resolveRedirect: async (target, origin) =>
      isUsableTarget(target) ? plan.resolveRedirect(target, origin) : trusted(origin),
    async text(request) {
      const { headers, url } = 'original' in request ? request.original : request
      // A mail may need a language that no visitor of this process has needed yet.
      await plan.languages?.arrive({ method: 'POST', headers, url })
      return plan.texts({ headers }).with(texts)
    },
    async clientAddress(request) {
      const limiter = provided('limiter')
      return limiter?.clientAddress ? limiter.clientAddress(request) : unproxiedAddress(request)
    },
    mailbox: (request) =>
      mailbox()?.isOpenTo(request)
        ? trusted(`${basePath}/mailbox`)
        : (mailServiceOf(plan)?.mailbox as SafeUrl | undefined),
  }
}

/** Returns the provider that sends the mails of plugins. */
function mailServiceOf({ providerConfigs }: SessionPlan): EmailConfig | undefined {
  return providerConfigs.find((each) => each.type === 'email' && each.sendMail !== undefined) as
    | EmailConfig
    | undefined
}

function createSessions(
  name: string,
  config: AuthConfig,
  { plan, gates, provided }: Pick<Surroundings, 'plan' | 'gates' | 'provided'>,
): HostSessions {
  return {
    current: (request) => plan.session.current(toSessionRequest(request)),
    async read(request) {
      const read = await plan.session.read(toSessionRequest(request), { readOnly: true })
      if (read.failed)
        throw new SessionTokenError('the session could not be read; the log says why')
      return read.session
    },
    needFresh: async (...asked) => (await loadNeedFresh()).needFresh(...asked, plan),
    renew: (request, proof) =>
      plan.session.renew(toSessionRequest(request), {
        ...proof,
        authTime: Math.floor(plan.ports.now() / 1000),
      }),
    async describe(request, described) {
      const asked = toSessionRequest(request)
      const current = await plan.session.current(asked)
      const { amr = [], auth_time: authTime = 0 } = (await current?.facts.known()) ?? {}
      // Nothing was proved now.
      return current && plan.session.renew(asked, { amr, authTime, proved: [], described })
    },
    async establish({ request, callbackUrl }, identity) {
      const { establish } = await loadEstablish()
      return toAnswer(await establish(identity, { name, request, callbackUrl }, plan))
    },
    async resume({ request }, proof) {
      if (!gates) throw new Problem('invalid_code', 'no plugin has a gate')
      return toAnswer(await gates.resume(request, proof))
    },
    beforeProof: async (userId) => (await plan.watch?.beforeProof(userId)) ?? {},
    begin: async (signIn) => (await loadBegin()).beginSession(signIn, plan),
    forget: (request) => plan.session.forget(request),
    strategy: () => plan.session.name,
    longest() {
      const { maxAge, tokenMaxAge } = sessionAges(config)
      return Math.max(maxAge, tokenMaxAge)
    },
    control: () => provided('sessions'),
  }
}

function createProviders(plan: SessionPlan): HostProviders {
  return {
    ids: (rotation) =>
      plan.providerConfigs.flatMap((config) => {
        if (config.type !== 'oauth' && config.type !== 'oidc') return []
        const isAsked = rotation === undefined || config.tokens?.rotation === rotation
        return isAsked ? [config.id] : []
      }),
    client: async (id) => (await loadProviders()).clientOfProvider(id, plan),
    passkeys: async () => (await loadPasskeys()).hostPasskeys(plan),
    connect: async (...asked) => (await loadConnect()).connectAccount(...asked, plan),
    addressOf: async (typed) => (await loadEstablish()).addressOf(typed, plan),
    waysIn: () => ({
      providers: new Map(
        plan.providerConfigs.flatMap((config) => {
          const isOver = 'deprecated' in config && config.deprecated !== undefined
          return isOver ? [] : [[config.id, config.type] as const]
        }),
      ),
      forms: plan.plugins?.actions.signInWays ?? [],
    }),
    newPasskeys: () => newPasskeysOf(plan),
  }
}

/** @param lasting kinds with values that do not expire. */
function createKeys(
  { secrets, ports }: SessionPlan,
  sealedBy: SealedBy,
  lasting: ReadonlySet<string>,
): HostKeys {
  const sealers = oncePer((kind: string) => {
    const notedIn = lasting.has(kind) ? sealedBy : undefined
    return recordSealer(kind, createSealer(secrets, recordSalt(kind)), ports, notedIn)
  })
  const derived = oncePer((purpose: string) =>
    Promise.all(secrets.map((secret) => primitives.hkdf(secret, KEY_SALT, purpose, 32))),
  )
  const hashKeys = oncePer(async (purpose: string) =>
    Promise.all((await derived(purpose)).map(hashKey)),
  )
  return {
    sealer: sealers,
    async hash(purpose, ...parts) {
      const [key] = await hashKeys(purpose)
      if (!key) throw new MissingSecret('set `secret` (or AUTH_SECRET)')
      return keyedHash(key, parts)
    },
    hashes: async (purpose, ...parts) =>
      Promise.all((await hashKeys(purpose)).map((key) => keyedHash(key, parts))),
    derive: derived,
    missing: sealedBy.missing,
  }
}

function newPasskeysOf(plan: SessionPlan): NewPasskeys | undefined {
  const provider = plan.providerConfigs.find(({ type }) => type === 'webauthn')?.id
  return provider === undefined
    ? undefined
    : {
        provider,
        options: async (request, user, how) =>
          (await loadNewPasskeys()).optionsFor(provider, request, user, how, plan),
        register: async (request, user, data, how) =>
          (await loadNewPasskeys()).register(provider, request, user, data, how, plan),
        relyingParty: async (...asked) =>
          (await loadNewPasskeys()).relyingParty(provider, ...asked, plan),
      }
}

function recordSealer(
  kind: string,
  sealer: Sealer,
  ports: Ports,
  sealedBy: SealedBy | undefined,
): RecordSealer {
  const currentKey = loadOnce(async () => sealedKeyId(await sealer.seal({}, 1, ports)))
  return {
    async seal(data, { key, userId, maxAge }) {
      const claims = { data, aud: key, ...(userId !== undefined && { sub: userId }) }
      const sealed = await sealer.seal(claims, maxAge ?? AGE_LIMIT - 1, ports)
      if (maxAge === undefined) await sealedBy?.note(kind, sealed)
      return sealed
    },
    isCurrent: async (text) => sealedKeyId(text) === (await currentKey()),
    async open(text, { key, userId }) {
      sealedBy?.check()
      const { data, aud, sub } = (await sealer.open(text, ports))?.claims ?? {}
      return aud === key && sub === userId && isJsonObject(data) ? (data as JsonObject) : undefined
    },
  }
}

function toSessionRequest(request: Request | SiteRequest | SessionRequest): SessionRequest {
  if (!(request instanceof Request)) return request
  return sessionRequest(request, new URL(request.url).origin)
}

function toAnswer(outcome: Outcome): Answer {
  const { cookies } = outcome
  if (outcome.kind !== 'redirect') return { cookies }
  const { to, detour, members } = outcome
  // Nobody is signed in yet, so no `signed_in` of a plugin stays.
  const step = detour && { status: 'step_required', next: to, detour }
  return { to, cookies, json: { url: to, ...step, ...members } }
}

/** The key of values that are shared in the process, without a store. */
const PROCESS = {}

const storeOf = ({ adapter, records }: AuthConfig): object => adapter ?? records ?? PROCESS

const keptBy = oncePer(() => new Map<string, object>(), new WeakMap<object, Map<string, object>>())

function sharedBy<Kept extends object>(owner: object, name: string, make: () => Kept): Kept {
  const byName = keptBy(owner)
  let made = byName.get(name)
  if (!made) byName.set(name, (made = make()))
  return made as Kept
}

// Loaded later, because reading a session does not need them.
const loadProviders = loadOnce(() => import('./provider-clients.ts'))
const loadPasskeys = loadOnce(() => import('./proofs/host-passkeys.ts'))
const loadBackground = loadOnce(() => import('./background.ts'))
const loadBegin = loadOnce(() => import('./begin-session.ts'))
const loadEstablish = loadOnce(() => import('./establish.ts'))
const loadMail = loadOnce(() => import('./send-mail.ts'))
const loadConnect = loadOnce(() => import('./connect-account.ts'))
const loadNeedFresh = loadOnce(() => import('../sign-in/need-fresh.ts'))
const loadUsers = loadOnce(() => import('./account/users.ts'))
const loadNewPasskeys = loadOnce(() => import('./account/passkeys.ts'))
const loadLease = loadOnce(() => import('./lease.ts'))
