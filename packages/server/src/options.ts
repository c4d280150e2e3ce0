import { isIP } from 'node:net'
import type { Naming, Preset } from 'latchkey/adapters/sql'
import * as v from 'valibot'
import { hasBrokenPercent } from './store/database-url.ts'

/** One option of the service: where it comes from, what it is unless said otherwise, and what it does. */
export interface Option<T> {
  /** Environment variable, if it can be given as one. */
  readonly env?: string
  /** Flag of `latchkey serve`, if it has one. */
  readonly flag?: string
  /** The default, as the documentation says it. */
  readonly fallback: string
  /** One or two sentences for the documentation. */
  readonly what: string
  /** True when the value must never be shown. */
  readonly secret?: boolean
  /** Takes what the environment (text) or a configuration file (any type) says. */
  readonly schema: v.GenericSchema<unknown, T>
}

function option<T>(members: Option<T>): Option<T> {
  return members
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const

const CLIENT = 'must be a list of { id, name }'
const APP = 'must be a list of { id, name, redirectUris }'

/** Every layout; the compiler sees to it that none is missing. */
const layouts = {
  singular: true,
  pascal: true,
  plural: true,
  'snake-plural': true,
  snake: true,
  pg: true,
  drizzle: true,
  prisma: true,
  typeorm: true,
  kysely: true,
  d1: true,
  supabase: true,
  sequelize: true,
  'mikro-orm': true,
} as const satisfies Record<Preset, true>

const layoutNames = Object.keys(layouts) as Preset[]

/** Every option of the service. Validation, `--help` and the table in README.md are made of it. */
export const options = {
  port: option({
    env: 'PORT',
    flag: '--port',
    fallback: '3000',
    what: 'Port to listen on; 0 takes any free one.',
    schema: wholeNumber(0, 65535),
  }),
  host: option({
    env: 'HOST',
    flag: '--host',
    fallback: '`localhost` in development, every address in production',
    what: 'Name or address of the network interface to listen on.',
    schema: text('a host name or an address'),
  }),
  url: option({
    env: 'AUTH_URL',
    flag: '--url',
    fallback: '`http://localhost:PORT` in development',
    what:
      'The public URL of the service, as browsers see it. It always wins over what a request says ' +
      'of itself. A path in it becomes `basePath`.',
    schema: publicUrl(),
  }),
  trustHost: option({
    env: 'AUTH_TRUST_HOST',
    fallback: '`false`',
    what:
      'Without `url`: take the public address from `X-Forwarded-Host` and `X-Forwarded-Proto`, or ' +
      '`Host`. A list of hosts (separated by commas in the environment) answers only to those; ' +
      '`true` answers to any, which is safe only behind a proxy that sets these headers itself.',
    schema: trustHost(),
  }),
  basePath: option({
    env: 'AUTH_BASE_PATH',
    fallback: '`/auth`',
    what: 'Path below which the sign-in pages and the other actions live.',
    schema: v.pipe(
      v.string(),
      v.regex(/^(?:\/[\w.~-]+)+$/, 'must be a path such as /auth, without a slash at its end'),
    ),
  }),
  secret: option({
    env: 'AUTH_SECRET',
    fallback: 'made once and kept in `dataDir` in development; required in production',
    what:
      'Seals cookies and hashes tokens: 32 random characters or more, as `latchkey secret` prints ' +
      'them. In a list the first is used for what is new and the others are still read; in the ' +
      'environment `AUTH_SECRET_3`, `AUTH_SECRET_2` and `AUTH_SECRET_1` come before it.',
    secret: true,
    schema: v.pipe(
      v.union(
        [v.string(), v.pipe(v.array(v.string()), v.minLength(1, 'must not be empty'))],
        'must be text or a list of texts',
      ),
      v.transform((value) => (typeof value === 'string' ? [value] : value)),
      v.check((list) => list.every((secret) => secret !== ''), 'must not be empty'),
    ),
  }),
  database: option({
    env: 'DATABASE_URL',
    flag: '--database',
    fallback: '`latchkey.db` in `dataDir`',
    what:
      'Where users, accounts and sessions are stored: `file:` and the path of a SQLite file, ' +
      '`postgres://user:password@host:5432/name`, `mysql://…` (also MariaDB), or ' +
      '`libsql://host?authToken=…`. `sslmode=verify-full` asks for TLS. The embedded default is brought up to date at ' +
      'start; one that is named here is only in development, and by `latchkey migrate` in production.',
    secret: true,
    schema: text('a URL such as postgres://user:password@host/name or file:/var/lib/latchkey.db'),
  }),
  databaseNaming: option({
    env: 'DATABASE_NAMING',
    flag: '--naming',
    fallback: '`singular`',
    what:
      'How tables and columns are called: the name of a layout, such as `pg`, `drizzle` or `prisma` ' +
      'for the tables that an adapter of Auth.js made; in a configuration file also an object.',
    schema: naming(),
  }),
  databaseRecords: option({
    env: 'DATABASE_RECORDS',
    flag: '--records',
    fallback: '`true`',
    what:
      'The database has the table of records, in which plugins store what is theirs; `latchkey migrate` ' +
      'makes it.',
    schema: truth(),
  }),
  databasePool: option({
    env: 'DATABASE_POOL',
    fallback: '10',
    what: 'Connections to the database server, at most. All instances together need no more than it allows.',
    schema: wholeNumber(1, 1000),
  }),
  databaseTimeout: option({
    env: 'DATABASE_TIMEOUT',
    fallback: '10',
    what:
      'Seconds that the store may take in the course of one request, over all that is asked of it, before ' +
      'the answer is 503. The start waits for a server that does not answer yet for as long, and so does ' +
      'each statement of `latchkey migrate`.',
    schema: wholeNumber(1, 600),
  }),
  redis: option({
    env: 'REDIS_URL',
    flag: '--redis',
    fallback: 'none; everything is in the database',
    what:
      'A Redis or Valkey server, such as `redis://:password@host:6379/0` (`rediss:` with TLS). ' +
      'Sessions, what can be used once, and limits are kept there then; users and accounts stay in ' +
      'the database.',
    secret: true,
    schema: v.pipe(
      serverUrl('redis'),
      v.check(
        (value) => /^\/?\d*$/.test(new URL(value).pathname),
        'must end with the server, or with the number of a database, such as /0',
      ),
    ),
  }),
  redisPrefix: option({
    env: 'REDIS_PREFIX',
    fallback: '`latchkey:`',
    what:
      'What all keys in Redis begin with. In a cluster it has a hash tag, such as `{latchkey}:`, so ' +
      'that they are in one place.',
    schema: text('a text such as latchkey:'),
  }),
  dataDir: option({
    env: 'LATCHKEY_DATA',
    fallback: '`.latchkey`',
    what: 'Directory for the embedded database and what development keeps between two starts.',
    schema: text('the path of a directory'),
  }),
  sessionUserId: option({
    env: 'AUTH_SESSION_USER_ID',
    fallback: '`true`',
    what:
      '`GET session` returns the id of the user as `user.id`, the key for data of your own. A `session` ' +
      'callback in `auth.callbacks` decides this itself.',
    schema: truth(),
  }),
  providers: option({
    env: 'AUTH_PROVIDERS',
    fallback: 'none',
    what:
      'Providers of the catalogue by name, separated by commas, such as `github,google`. Each takes ' +
      '`AUTH_GITHUB_ID`, `AUTH_GITHUB_SECRET` and, where it needs one, `AUTH_KEYCLOAK_ISSUER`; ' +
      'services that send mail, such as `resend`, take `AUTH_RESEND_KEY` and `mailFrom`. ' +
      'They are added to `auth.providers`.',
    schema: v.pipe(
      v.union([v.string(), v.array(v.string())], 'must be a list of provider names'),
      v.transform((value) => (typeof value === 'string' ? listOf(value) : value)),
      v.check(
        (names) => names.every((name) => /^[a-z0-9-]+$/.test(name)),
        'must be a list of provider names such as github,google',
      ),
    ),
  }),
  smtp: option({
    env: 'SMTP_URL',
    fallback: 'no mail; a mailbox page in development',
    what:
      'SMTP server for sign-in links, such as `smtps://user:password@mail.example:465`. Adds sign-in ' +
      'by email.',
    secret: true,
    schema: serverUrl('smtp'),
  }),
  mailFrom: option({
    env: 'MAIL_FROM',
    fallback: '`Latchkey <no-reply@HOST>`',
    what: 'Sender of the mails.',
    schema: v.pipe(
      v.string(),
      v.regex(
        /^(?:[^\r\n<>@]*<)?[^\s<>@]+@[^\s<>@]+>?$/,
        'must be an address such as Acme <login@acme.example>',
      ),
    ),
  }),
  demo: option({
    env: 'LATCHKEY_DEMO',
    fallback: '`true` in development, at an address of this machine',
    what:
      'Home page, mailbox, development identity provider and demo account. Never in production: ' +
      'anybody who reaches them can sign in as anybody. If other machines reach `url` or `host` in ' +
      'development, the service does not start until this is set.',
    schema: truth(),
  }),
  logLevel: option({
    env: 'LOG_LEVEL',
    fallback: '`info`',
    what: `Least important kind of line to log: ${LOG_LEVELS.map((level) => `\`${level}\``).join(', ')}.`,
    schema: v.picklist(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`),
  }),
  logFormat: option({
    env: 'LOG_FORMAT',
    fallback: '`text` in development, `json` in production',
    what: 'One JSON object a line, or lines for people.',
    schema: v.picklist(['json', 'text'], 'must be json or text'),
  }),
  limits: option({
    env: 'LATCHKEY_LIMITS',
    fallback: '`true`',
    what:
      'Limits how often passwords, codes and passkeys are tried and mails are sent, by client and by what ' +
      'was typed. The plugin `limits` in `auth.plugins` takes the place of these rules.',
    schema: truth(),
  }),
  federatedLogout: option({
    env: 'LATCHKEY_FEDERATED_LOGOUT',
    fallback: '`ask`',
    what:
      'Whether a sign-out also leads to the provider: `ask` shows a checkbox, and there are `always`, `never` and, ' +
      'without the plugin, `off`. The plugin `federatedLogout` in `auth.plugins` takes its place.',
    schema: v.picklist(['ask', 'always', 'never', 'off'], 'must be ask, always, never or off'),
  }),
  backchannelLogout: option({
    env: 'LATCHKEY_BACKCHANNEL_LOGOUT',
    fallback: '`true`',
    what:
      'Whether OpenID providers may end the sessions that began with them. Needs the list of sessions ' +
      '(`sessions`); without it this option does nothing.',
    schema: truth(),
  }),
  providerTokens: option({
    env: 'LATCHKEY_PROVIDER_TOKENS',
    fallback: '`true` where the database has the table of records',
    what:
      'Keeps the tokens of providers as sealed records, and empties the columns of accounts that had them. People see ' +
      'and disconnect their accounts at `/auth/account/connections`. The plugin `providerTokens` in `auth.plugins` ' +
      'takes the place of this one.',
    schema: truth(),
  }),
  sessions: option({
    env: 'LATCHKEY_SESSIONS',
    fallback: '`true` where the database has the table of records',
    what:
      'Lets people see where they are signed in, at `/auth/account/sessions`, and end sessions there. The plugin ' +
      '`sessions` in `auth.plugins` takes the place of this one.',
    schema: truth(),
  }),
  sessionStrategy: option({
    env: 'LATCHKEY_SESSION_STRATEGY',
    fallback: '`database`',
    what: 'Where sessions are: in the database, or sealed in cookies (`jwt`), which are read without the database.',
    schema: v.picklist(['database', 'jwt'], 'must be database or jwt'),
  }),
  sessionAbsoluteDays: option({
    env: 'LATCHKEY_SESSION_ABSOLUTE_DAYS',
    fallback: '90',
    what: 'Days after which a session ends, however much it is used.',
    schema: wholeNumber(1, 3650),
  }),
  sessionLimit: option({
    env: 'LATCHKEY_SESSION_LIMIT',
    fallback: 'none',
    what: 'How many sessions a user may have; one more ends the one that was seen longest ago.',
    schema: wholeNumber(1, 500),
  }),
  sessionRemember: option({
    env: 'LATCHKEY_SESSION_REMEMBER',
    fallback: '`ask`',
    what:
      'Whether a session outlives the browser: `always`, `never`, or a checkbox of the sign-in page asks. One that ' +
      'does not ends after 12 hours in which nobody uses it.',
    schema: v.picklist(['always', 'never', 'ask'], 'must be always, never or ask'),
  }),
  revocationBound: option({
    env: 'LATCHKEY_REVOCATION_BOUND',
    fallback: '1000',
    what: 'Milliseconds after which no instance takes a sealed session any more that was ended.',
    schema: wholeNumber(100, 60_000),
  }),
  apiAudiences: option({
    env: 'LATCHKEY_API_AUDIENCES',
    fallback: 'none',
    what:
      'APIs that take signed tokens of the service, by what `aud` of their tokens says, separated by commas. ' +
      '`POST /auth/token` issues the tokens, and the public keys are at `/auth/jwks`. The plugin `tokens` in `auth.plugins` takes the place of this ' +
      'option and of the three below.',
    schema: v.pipe(
      v.union([v.string(), v.array(v.string())], 'must be a list of names of APIs'),
      v.transform((value) => (typeof value === 'string' ? listOf(value) : value)),
      v.check(
        (names) => names.length > 0 && names.every((name) => name !== ''),
        'must be a list of names of APIs such as https://api.example.com',
      ),
    ),
  }),
  apps: option({
    fallback: 'none',
    what:
      'Apps that sign in with the browser of the system: a list of `{ id, name, redirectUris }` in the configuration ' +
      'file. Needs `sessions`.',
    schema: v.array(
      v.strictObject(
        { id: v.string(CLIENT), name: v.string(CLIENT), redirectUris: v.array(v.string(APP), APP) },
        APP,
      ),
      APP,
    ),
  }),
  devices: option({
    fallback: 'none',
    what:
      'Programs that sign in without a browser, such as command lines: a list of `{ id, name }` in the configuration ' +
      'file. Needs `sessions`.',
    schema: v.array(
      v.strictObject({ id: v.string(CLIENT), name: v.string(CLIENT) }, CLIENT),
      CLIENT,
    ),
  }),
  apiKeys: option({
    fallback: '`false`',
    what:
      'Keys for programs, which users make and end: `true`, or `{ scopes: […] }` with what keys may allow, in the configuration ' +
      'file. Needs `sessions`.',
    schema: v.union(
      [v.boolean(), v.strictObject({ scopes: v.array(v.string()) })],
      'must be true, false or { scopes: ["orders:read"] }',
    ),
  }),
  sessionsOff: option({
    env: 'LATCHKEY_SESSIONS_OFF',
    fallback: 'none',
    what:
      'Set it to `confirmed` if `sessions` is off on purpose: `latchkey doctor` then does not look for sealed sessions ' +
      'that were ended and are valid again.',
    schema: v.literal('confirmed', 'must be confirmed'),
  }),
  metricsToken: option({
    env: 'LATCHKEY_METRICS_TOKEN',
    fallback: 'none: there are no metrics',
    what:
      'What `GET /metrics` needs as `Authorization: Bearer …`: 16 random characters or more. It answers with counters ' +
      'in the text format of Prometheus, which name no user and no session. Without the token it is 404.',
    secret: true,
    schema: v.pipe(
      v.string('must be text'),
      v.regex(/^[\x21-\x7E]{16,}$/, 'must be 16 characters or more, without blanks'),
    ),
  }),
  trustedProxies: option({
    env: 'LATCHKEY_TRUSTED_PROXIES',
    fallback: 'none; the connection says where a client is',
    what:
      'Addresses and networks of the proxies in front, separated by commas, such as `10.0.0.0/8`. ' +
      '`X-Forwarded-For` of a request that comes from them says where a client is.',
    schema: v.pipe(
      v.union([v.string(), v.array(v.string())], 'must be a list of addresses and networks'),
      v.transform((value) => (typeof value === 'string' ? listOf(value) : value)),
      v.check(
        (networks) => networks.every(isNetwork),
        'must be a list of addresses and networks such as 10.0.0.0/8',
      ),
    ),
  }),
  maxConnections: option({
    env: 'LATCHKEY_MAX_CONNECTIONS',
    fallback: '10000',
    what:
      'Most connections at the same time; the service accepts and closes any further one, and logs how many. Each ' +
      'needs an open file, so `ulimit -n` must be higher.',
    schema: wholeNumber(1, 1_000_000),
  }),
  bodyLimit: option({
    env: 'LATCHKEY_BODY_LIMIT',
    fallback: '262144',
    what: 'Longest request body that is read, in bytes; a longer one is answered with 413.',
    schema: wholeNumber(1024, 64 * 1024 * 1024),
  }),
  drainDelay: option({
    env: 'LATCHKEY_DRAIN_DELAY',
    fallback: '3 in production, and not more than a third of `drainTimeout`; 0 in development',
    what:
      'Seconds after SIGTERM or SIGINT in which `/readyz` answers 503 and requests are still taken, so ' +
      'that a balancer notices. Choose more than it takes to notice.',
    schema: wholeNumber(0, 600),
  }),
  drainTimeout: option({
    env: 'LATCHKEY_DRAIN_TIMEOUT',
    fallback: '9',
    what:
      'Seconds after SIGTERM or SIGINT, `drainDelay` included, after which requests that are still open ' +
      'are cut off.',
    schema: wholeNumber(0, 600),
  }),
} as const

export type OptionName = keyof typeof options
export type OptionValue<Name extends OptionName> =
  (typeof options)[Name] extends Option<infer T> ? T : never
/** What was said about the options: checked, and without defaults. */
export type OptionValues = { [Name in OptionName]?: OptionValue<Name> }

export const optionNames: readonly OptionName[] = Object.keys(options) as OptionName[]

function wholeNumber(least: number, most: number): v.GenericSchema<unknown, number> {
  const message = `must be a whole number from ${least} to ${most}`
  return v.pipe(
    v.union([v.number(), v.pipe(v.string(), v.regex(/^\d{1,9}$/), v.transform(Number))], message),
    v.integer(message),
    v.minValue(least, message),
    v.maxValue(most, message),
  )
}

function text(what: string): v.GenericSchema<unknown, string> {
  return v.pipe(v.string(`must be ${what}`), v.trim(), v.minLength(1, `must be ${what}`))
}

/** The address of a server, perhaps with user and password. */
function serverUrl(scheme: string): v.GenericSchema<unknown, string> {
  const message = `must begin with ${scheme}:// or ${scheme}s:// and name a server`
  return v.pipe(
    v.string(message),
    v.rawTransform(({ dataset: { value }, addIssue, NEVER }) => {
      const url = URL.canParse(value) ? new URL(value) : undefined
      if (!url?.hostname || !RegExp(`^${scheme}s?:$`).test(url.protocol)) {
        addIssue({ message })
        return NEVER
      }
      if (hasBrokenPercent(url)) {
        addIssue({ message: 'has a broken percent sign; write %25 for the character itself' })
        return NEVER
      }
      return value
    }),
  )
}

function naming(): v.GenericSchema<unknown, Preset | Naming> {
  const message = `must be one of ${layoutNames.join(', ')}`
  return v.union([v.picklist(layoutNames, message), v.custom<Naming>(isRecord)], message)
}

function isNetwork(text: string): boolean {
  const [address = '', bits] = text.split('/', 2)
  const version = isIP(address)
  const most = version === 4 ? 32 : 128
  return version !== 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most))
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function truth(): v.GenericSchema<unknown, boolean> {
  return v.pipe(
    v.union([v.boolean(), v.picklist(['true', 'false', '1', '0'])], 'must be true or false'),
    v.transform((value) => value === true || value === 'true' || value === '1'),
  )
}

function trustHost(): v.GenericSchema<unknown, boolean | string[]> {
  const message = 'must be true, false or a list of hosts such as login.example.com'
  return v.pipe(
    v.union([v.boolean(), v.string(), v.array(v.string())], message),
    v.transform((value): boolean | string[] => {
      if (typeof value !== 'string') return value
      if (value === 'true' || value === '1') return true
      return value === 'false' || value === '0' ? false : listOf(value)
    }),
    v.transform((value) =>
      typeof value === 'boolean' ? value : value.map((host) => host.toLowerCase()),
    ),
    v.check(
      (value) =>
        typeof value === 'boolean' || (value.length > 0 && value.every((host) => isHost(host))),
      message,
    ),
  )
}

function publicUrl(): v.GenericSchema<unknown, URL> {
  return v.pipe(
    v.string('must be a URL such as https://login.example.com'),
    v.check(
      (value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol),
      'must be a URL such as https://login.example.com',
    ),
    v.transform((value) => new URL(value)),
    v.check(
      ({ search, hash, username, password }) => search + hash + username + password === '',
      'must be without user name, query and fragment',
    ),
  )
}

/** True for a host with or without a port, as it stands in a `Host` header. */
export function isHost(value: string): boolean {
  return (
    value.length <= 255 &&
    /^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i.test(value) &&
    URL.canParse(`http://${value}`)
  )
}

function listOf(value: string): string[] {
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
