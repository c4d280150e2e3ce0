import { createLatchkey } from 'latchkey'
import { definePlugin, type Host, type Plugin, type ProviderClient } from 'latchkey/plugin'
import { authConfig } from '../../auth-config.ts'
import { namedProviders } from '../../named-providers.ts'
import { createLog, type Log } from '../../observe/log.ts'
import { redactor } from '../../observe/redact.ts'
import { freshSecret } from '../../secret-rules.ts'
import { knownSecrets } from '../../secrets.ts'
import { loadSettings, type Settings, type Sources } from '../../settings.ts'
import { explainedLine, UserError } from '../../user-error.ts'
import { checkProviders } from './clock.ts'
import { checkDeletedUsers } from './deleted-users.ts'
import { checkMail } from './mail.ts'
import { type CheckId, checks, Examination, partsOf, type Report } from './report.ts'
import { checkReturnAddress } from './return-address.ts'
import { checkSessionsOff } from './sessions-off.ts'
import { checkBound, checkPush, checkStore, type ExaminedStore } from './store.ts'

/** Checks the configuration and the stores and providers in it. Changes nothing. */
export async function examine(sources: Sources): Promise<Report> {
  const examination = new Examination()
  const settings = await examination.check('configuration', () => loadSettings(sources))
  if (!settings) {
    const others = Object.keys(checks).filter((id) => id !== 'configuration')
    examination.skip('the configuration is wrong', ...(others as CheckId[]))
    return examination.report
  }
  const secrets = knownSecrets(settings, sources.env)
  const stream = { write: () => {} }
  const log = createLog({ level: 'silent', format: 'json', secrets, stream })
  await examination.check('secret', (found) => {
    for (const weakness of settings.warnings) found(partsOf(weakness))
  })
  const { smtp } = settings
  if (smtp === undefined) examination.skip('no mail server is configured', 'mail')
  else await examination.check('mail', (found) => checkMail(smtp, found))
  const store = await checkStore(settings, sources.directory, log, examination)
  try {
    const library = await examination.check('configuration', () =>
      libraryWith(settings, sources.env, store, log),
    )
    if (library) await checkLibrary(library, settings, store, examination)
    else
      examination.skip(
        'the configuration is wrong',
        'client-address',
        'provider',
        'clock',
        'push',
        'revocation-bound',
        'strict-rotation',
        'plain-tokens',
        'sessions-off',
        'deleted-users',
        'sealed-records',
        'password-hashing',
        'lost-factors',
        'return-address',
        'front-channel',
      )
  } finally {
    await store.close()
  }
  return cleaned(examination.report, redactor(secrets))
}

/** What the checks use of the configured library. */
interface Library {
  readonly host: Host
  readonly plugins: ReadonlySet<string>
  /** Codes of the plugins' notes about their options. */
  readonly notes: ReadonlySet<string>
  /** Ids of the providers whose users are all stored. */
  readonly storing: ReadonlySet<string>
  /** Warnings of the library at its start, by code. */
  readonly warnings: ReadonlyMap<string, string>
}

async function libraryWith(
  settings: Settings,
  env: Sources['env'],
  { adapter, push }: ExaminedStore,
  log: Log,
): Promise<Library> {
  const { production, basePath } = settings
  const secret = settings.secret.length > 0 ? settings.secret : [freshSecret()]
  const named = await namedProviders(settings.providers, env, settings.mailFrom)
  const origin = settings.origin ?? (production ? undefined : 'http://localhost')
  const config = authConfig(settings, {
    secret,
    named,
    adapter,
    demo: undefined,
    origin,
    log,
    push,
  })
  const warnings = new Map<string, string>()
  let fault: Error | undefined
  const logger = {
    error: (error: Error) => {
      fault ??= error
    },
    warn: (code: string, ...details: unknown[]) => void warnings.set(code, details.join(' ')),
    debug: () => {},
  }
  let host: Host | undefined
  const inside = definePlugin({
    name: 'doctor',
    setUp(given) {
      host = given
      return {}
    },
  })
  const plugins = [...(config.plugins ?? []), inside]
  const { handler, auth } = createLatchkey({ ...config, plugins, logger })
  const answer = await handler(new Request(`http://localhost${basePath}/providers`))
  if (answer.status >= 500)
    throw new UserError(`auth: ${fault ? explainedLine(fault) : 'cannot be used'}`)
  // Sets up what the library sets up when it first reads a session.
  await auth(new Request('http://localhost/'))
  if (!host) throw new Error('the library did not set up its plugins; report this as a bug')
  const notes = (plugins as readonly Pick<Plugin, 'notes'>[]).flatMap(
    (plugin) => plugin.notes ?? [],
  )
  return {
    host,
    plugins: new Set(plugins.map(({ name }) => name)),
    notes: new Set(notes),
    storing: storing((await answer.json()) as Readonly<Record<string, { readonly type: string }>>),
    warnings,
  }
}

/** Returns the providers whose users are all stored; a credentials provider may store its users elsewhere. */
function storing(listed: Readonly<Record<string, { readonly type: string }>>): ReadonlySet<string> {
  const entries = Object.entries(listed).filter(([, { type }]) => type !== 'credentials')
  return new Set(entries.map(([id]) => id))
}

async function checkLibrary(
  { host, plugins, notes, storing, warnings }: Library,
  settings: Settings,
  store: ExaminedStore,
  examination: Examination,
): Promise<void> {
  await checkClientAddress(plugins.has('limits'), settings, examination)
  const clients = await Promise.all(host.providers.ids().map((id) => host.providers.client(id)))
  const openId = clients.filter((client) => client?.type === 'oidc' && client.issuer !== undefined)
  if (openId.length === 0) examination.skip('there is no OpenID provider', 'provider', 'clock')
  else
    await checkProviders(
      openId.flatMap((client) => client ?? []),
      examination,
    )

  if (!plugins.has('sessions'))
    examination.skip('the list of sessions is off', 'push', 'revocation-bound')
  else if (settings.auth.plugins?.some(({ name }) => name === 'sessions'))
    examination.skip(
      'auth.plugins has the plugin sessions with its own options',
      'push',
      'revocation-bound',
    )
  else await checkSessions(host, settings, store, examination)

  await checkOff(plugins.has('sessions'), host, settings, store, examination)
  await checkDeleted(plugins.has('sessions'), host, storing, store, examination)
  await checkSealed(host, store, examination)
  await checkReturn(
    plugins,
    openId.flatMap((client) => client ?? []),
    settings,
    examination,
  )
  await examination.check('plain-tokens', (found) => {
    if (notes.has('plain-token-columns'))
      found({
        seen: "`columns` of the plugin providerTokens is 'keep', which writes tokens into the table of accounts as plain text",
        fix: "remove `columns: 'keep'` as soon as nothing else reads the tokens from there, and run latchkey tokens seal",
      })
  })
  await examination.check('strict-rotation', (found) => {
    const strict = warnings.get('provider-tokens-uncoordinated')
    if (strict !== undefined)
      found({
        seen: `refresh tokens of ${strict} can be used only once, but there are no records with which instances coordinate the renewal`,
        fix: "use an adapter that stores records, or providerTokens({ cookie: { refresh: 'browser' } })",
      })
  })
  await examination.check('password-hashing', async (found) => {
    for (const lack of (await host.plugins.passwords()?.lacks()) ?? []) {
      const [seen = '', fix = ''] = lack.split(': ')
      found({ seen, fix })
    }
  })
  await examination.check('lost-factors', (found) => {
    if (notes.has('required-without-recovery'))
      found({
        seen: "`require` of the plugin twoFactor is 'all', and `methods` has no recovery codes",
        fix: 'add recovery to `methods`; until then, "latchkey users reset-two-factor" helps each of them',
      })
  })
  await examination.check('front-channel', (found) => {
    if (warnings.has('front-channel-logout'))
      found({
        seen: '`frontchannel` of the plugin federatedLogout is on; it is off by default',
        fix: 'use `backchannel` if the provider has it, and remove `frontchannel`',
      })
  })
}

/** The service itself speaks HTTP, so a proxy is in front of every service whose URL is https. */
async function checkClientAddress(
  isOn: boolean,
  { auth, origin, trustedProxies }: Settings,
  examination: Examination,
): Promise<void> {
  if (!isOn) return examination.skip('limits are off', 'client-address')
  if (auth.plugins?.some(({ name }) => name === 'limits'))
    return examination.skip(
      'auth.plugins has the plugin limits with its own options',
      'client-address',
    )
  await examination.check('client-address', (found) => {
    if (origin?.startsWith('https:') && trustedProxies.length === 0)
      found({
        seen: `the URL ${origin} is https, so a proxy is in front, but trustedProxies is empty: limits by network count all clients as the proxy`,
        fix: 'set LATCHKEY_TRUSTED_PROXIES to the addresses of the proxy',
      })
  })
}

/** Without the plugin `sessions`, nothing checks whether a sealed session was ended. */
async function checkOff(
  isOn: boolean,
  host: Host,
  { sessionsOff }: Settings,
  { adapter, isUsable }: ExaminedStore,
  examination: Examination,
): Promise<void> {
  if (isOn) return examination.check('sessions-off', () => {})
  if (sessionsOff === 'confirmed')
    return examination.skip("sessionsOff is 'confirmed'", 'sessions-off')
  if (host.sessions.strategy() !== 'jwt')
    return examination.skip('sessions are in the database, and end at once', 'sessions-off')
  if (!isUsable || !host.hasRecords)
    return examination.skip('there are no records to check', 'sessions-off')
  await examination.check('sessions-off', (found) => checkSessionsOff(adapter, Date.now(), found))
}

/** A stored session is read together with its user, and ends with the user. */
async function checkDeleted(
  isOn: boolean,
  host: Host,
  providers: ReadonlySet<string>,
  { adapter, isUsable }: ExaminedStore,
  examination: Examination,
): Promise<void> {
  if (!isOn) return examination.skip('the list of sessions is off', 'deleted-users')
  if (host.sessions.strategy() !== 'jwt')
    return examination.skip(
      'sessions are in the database, and end with their user',
      'deleted-users',
    )
  if (!isUsable || !adapter.getUser)
    return examination.skip('there are no users to check', 'deleted-users')
  await examination.check('deleted-users', (found) =>
    checkDeletedUsers(adapter, providers, Date.now(), found),
  )
}

async function checkSealed(
  host: Host,
  { isUsable }: ExaminedStore,
  examination: Examination,
): Promise<void> {
  if (!host.hasRecords || !isUsable)
    return examination.skip('there are no records to check', 'sealed-records')
  await examination.check('sealed-records', async (found) => {
    for (const kind of await host.keys.missing())
      found({
        seen: `records of the kind "${kind}" have values that were sealed with a secret that is not configured`,
        fix: 'set the secret that sealed them as well, for example AUTH_SECRET_2, run "latchkey secrets reseal", and remove it again',
      })
  })
}

async function checkReturn(
  plugins: ReadonlySet<string>,
  openId: readonly ProviderClient[],
  { origin, basePath }: Settings,
  examination: Examination,
): Promise<void> {
  if (!plugins.has('federatedLogout'))
    return examination.skip('no sign-out redirects to a provider', 'return-address')
  if (openId.length === 0) return examination.skip('there is no OpenID provider', 'return-address')
  if (origin === undefined)
    return examination.skip('the public address is not configured', 'return-address')
  await checkReturnAddress(openId, `${origin}${basePath}/logout/return`, examination)
}

async function checkSessions(
  host: Host,
  settings: Settings,
  { adapter, isUsable, push }: ExaminedStore,
  examination: Examination,
): Promise<void> {
  if (host.sessions.strategy() !== 'jwt') {
    examination.skip('sessions are in the database, and end at once', 'push', 'revocation-bound')
    return
  }
  if (!isUsable) {
    examination.skip('the store cannot be used yet', 'push', 'revocation-bound')
    return
  }
  await examination.check('revocation-bound', (found) => checkBound(adapter, settings, found))
  const { database = '', databasePool } = settings
  if (push) await examination.check('push', (found) => checkPush(push, settings, found))
  else if (/^postgres(?:ql)?:/.test(database))
    await examination.check('push', (found) =>
      found({
        seen: `databasePool is ${databasePool}, but push needs its own connection, so the minimum is 2`,
        fix: 'set DATABASE_POOL to 2 or more',
      }),
    )
  else examination.skip('this store has no push', 'push')
}

function cleaned(report: Report, clean: (text: string) => string): Report {
  const findings = report.findings.map((finding) => ({
    ...finding,
    seen: clean(finding.seen),
    fix: clean(finding.fix),
  }))
  return { ...report, findings, checked: [...new Set(report.checked)] }
}
