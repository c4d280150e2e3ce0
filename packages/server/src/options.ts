import { isIP } from 'node:net'
import type { Naming, Preset } from 'latchkey/adapters/sql'
import * as v from 'valibot'
import { hasBrokenPercent } from './store/database-url.ts'

/**
 * One option of the service. Its docstring is its row in README.md: the first paragraph, `@default`, and further
 * paragraphs as details below the table.
 *
 * @template Value the validated value
 * @template Fallback what {@link Option.fallback} returns
 */
export interface Option<Value, Fallback extends Value | undefined = Value | undefined> {
  /** Environment variable, if the option has one. */
  readonly env?: string
  /** Flag of `latchkey serve`, if it has one. */
  readonly flag?: string
  /** Whether the value must never be shown. */
  readonly secret?: boolean
  /** Returns the default, if it does not depend on other options. */
  readonly fallback?: (production: boolean) => Fallback
  /** Validates the value from the environment (text) or from a configuration file (any type). */
  readonly schema: v.GenericSchema<unknown, Value>
}

function option<Value, const Fallback extends Value | undefined = undefined>(
  members: Option<Value, Fallback>,
): Option<Value, Fallback> {
  return members
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const

const NAME = 'must be a name of 1 to 60 characters'
const CLIENT = 'must be a list of { id, name }'
const APP = 'must be a list of { id, name, redirectUris }'

/** Every layout; the compiler ensures that none is missing. */
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

/** Every option of the service. Validation, the types of settings and the table in README.md are made from this list. */
export const options = {
  /**
   * Port to listen on; with 0 the system chooses a free port.
   *
   * @default 3000
   */
  port: option({
    env: 'PORT',
    flag: '--port',
    fallback: () => 3000,
    schema: wholeNumber(0, 65535),
  }),
  /**
   * Host name or IP address of the network interface to listen on.
   *
   * @default `localhost` in development, all interfaces in production
   */
  host: option({
    env: 'HOST',
    flag: '--host',
    fallback: (production) => (production ? undefined : 'localhost'),
    schema: text('a host name or an address'),
  }),
  /**
   * The public URL of the service in browsers.
   *
   * It takes precedence over the headers of requests. A path in it becomes `basePath`.
   *
   * @default `http://localhost:PORT` in development
   */
  url: option({
    env: 'AUTH_URL',
    flag: '--url',
    schema: publicUrl(),
  }),
  /**
   * Takes the public address from the headers of requests, if `url` is not set.
   *
   * The headers are `X-Forwarded-Host` and `X-Forwarded-Proto`, or `Host`. With a list of hosts (separated by
   * commas in the environment), requests for other hosts are refused. `true` accepts every host; this is safe only
   * behind a proxy that sets these headers itself.
   *
   * @default `false`
   */
  trustHost: option({
    env: 'AUTH_TRUST_HOST',
    fallback: () => false,
    schema: trustHost(),
  }),
  /**
   * Base path of the sign-in pages and of all other actions.
   *
   * @default `/auth`
   */
  basePath: option({
    env: 'AUTH_BASE_PATH',
    fallback: () => '/auth',
    schema: v.pipe(
      v.string(),
      v.regex(/^(?:\/[\w.~-]+)+$/, 'must be a path such as /auth, without a slash at its end'),
    ),
  }),
  /**
   * Seals cookies and hashes tokens: at least 32 random characters.
   *
   * `latchkey secret` prints one. With a list, the first secret is used for new values, and all of them are
   * accepted for existing values. In the environment, `AUTH_SECRET_3`, `AUTH_SECRET_2` and `AUTH_SECRET_1` come
   * before `AUTH_SECRET`.
   *
   * @default generated once and stored in `dataDir` in development; required in production
   */
  secret: option({
    env: 'AUTH_SECRET',
    secret: true,
    fallback: (): string[] => [],
    schema: v.pipe(
      v.union(
        [v.string(), v.pipe(v.array(v.string()), v.minLength(1, 'must not be empty'))],
        'must be a string or a list of strings',
      ),
      v.transform((value) => (typeof value === 'string' ? [value] : value)),
      v.check((list) => list.every((secret) => secret !== ''), 'must not be empty'),
    ),
  }),
  /**
   * URL of the database with users, accounts and sessions.
   *
   * `file:` with the path of a SQLite file, `postgres://user:password@host:5432/name`, `mysql://…` (also MariaDB),
   * or `libsql://host?authToken=…`. `sslmode=verify-full` turns on TLS. The service updates the tables of the
   * default database at each start. It updates the tables of a configured database at the start only in
   * development; in production, run `latchkey migrate`.
   *
   * @default `latchkey.db` in `dataDir`
   */
  database: option({
    env: 'DATABASE_URL',
    flag: '--database',
    secret: true,
    schema: text('a URL such as postgres://user:password@host/name or file:/var/lib/latchkey.db'),
  }),
  /**
   * Names of tables and columns: the name of a layout.
   *
   * Choose a layout such as `pg`, `drizzle` or `prisma` for tables that an adapter of Auth.js created. A
   * configuration file may also have an object.
   *
   * @default `singular`
   */
  databaseNaming: option({
    env: 'DATABASE_NAMING',
    flag: '--naming',
    fallback: () => 'singular',
    schema: naming(),
  }),
  /**
   * Whether the database has the table of records, in which plugins store their data.
   *
   * `latchkey migrate` creates the table.
   *
   * @default `true`
   */
  databaseRecords: option({
    env: 'DATABASE_RECORDS',
    flag: '--records',
    fallback: () => true,
    schema: truth(),
  }),
  /**
   * Maximum number of connections to the database server.
   *
   * The sum over all instances must not exceed the limit of the database server.
   *
   * @default 10
   */
  databasePool: option({
    env: 'DATABASE_POOL',
    fallback: () => 10,
    schema: wholeNumber(1, 1000),
  }),
  /**
   * Maximum time in seconds for all store operations of one request.
   *
   * After that, the service responds with 503. The same time limits the wait for the database at the start, and
   * each statement of `latchkey migrate`.
   *
   * @default 10
   */
  databaseTimeout: option({
    env: 'DATABASE_TIMEOUT',
    fallback: () => 10,
    schema: wholeNumber(1, 600),
  }),
  /**
   * URL of a Redis or Valkey server for sessions, one-time values and limits.
   *
   * For example `redis://:password@host:6379/0`, or `rediss:` with TLS. Users and accounts stay in the database.
   *
   * @default none; the database stores everything
   */
  redis: option({
    env: 'REDIS_URL',
    flag: '--redis',
    secret: true,
    schema: v.pipe(
      serverUrl('redis'),
      v.check(
        (value) => /^\/?\d*$/.test(new URL(value).pathname),
        'must end with the server, or with the number of a database, such as /0',
      ),
    ),
  }),
  /**
   * Prefix of all keys in Redis.
   *
   * For a Redis cluster, use a hash tag such as `{latchkey}:`, so that all keys are on one node.
   *
   * @default `latchkey:`
   */
  redisPrefix: option({
    env: 'REDIS_PREFIX',
    fallback: () => 'latchkey:',
    schema: text('a text such as latchkey:'),
  }),
  /**
   * Directory of the embedded database and of the data that development keeps between starts.
   *
   * @default `.latchkey`
   */
  dataDir: option({
    env: 'LATCHKEY_DATA',
    fallback: () => '.latchkey',
    schema: text('the path of a directory'),
  }),
  /**
   * Whether `GET session` returns the id of the user as `user.id`.
   *
   * Use the id as the key for your own data. If `auth.callbacks` has a `session` callback, the callback decides
   * instead.
   *
   * @default `true`
   */
  sessionUserId: option({
    env: 'AUTH_SESSION_USER_ID',
    fallback: () => true,
    schema: truth(),
  }),
  /**
   * Names of catalogue providers, separated by commas, such as `github,google`.
   *
   * Each provider reads its own variables: `AUTH_GITHUB_ID`, `AUTH_GITHUB_SECRET` and, if the provider needs an
   * issuer, for example `AUTH_KEYCLOAK_ISSUER`. Mail services such as `resend` need `AUTH_RESEND_KEY` and
   * `mailFrom`. The service adds these providers to `auth.providers`.
   *
   * @default none
   */
  providers: option({
    env: 'AUTH_PROVIDERS',
    fallback: (): string[] => [],
    schema: v.pipe(
      v.union([v.string(), v.array(v.string())], 'must be a list of provider names'),
      v.transform((value) => (typeof value === 'string' ? listOf(value) : value)),
      v.check(
        (names) => names.every((name) => /^[a-z0-9-]+$/.test(name)),
        'must be a list of provider names such as github,google',
      ),
    ),
  }),
  /**
   * SMTP server for sign-in by email, such as `smtps://user:password@mail.example:465`.
   *
   * @default no mail; a mailbox page in development
   */
  smtp: option({
    env: 'SMTP_URL',
    secret: true,
    schema: serverUrl('smtp'),
  }),
  /**
   * Sender address of the mails.
   *
   * @default `Latchkey <no-reply@HOST>`
   */
  mailFrom: option({
    env: 'MAIL_FROM',
    schema: v.pipe(
      v.string(),
      v.regex(
        /^(?:[^\r\n<>@]*<)?[^\s<>@]+@[^\s<>@]+>?$/,
        'must be an address such as Acme <login@acme.example>',
      ),
    ),
  }),
  /**
   * Name of the application on pages and in mails, 1 to 60 characters.
   *
   * This and the other options with `theme` set the members of `auth.theme`, which has more of them, such as `radius` and
   * `font`.
   *
   * @default `auth.theme.name`, else the host
   */
  themeName: option({
    env: 'LATCHKEY_THEME_NAME',
    schema: v.pipe(v.string(NAME), v.trim(), v.minLength(1, NAME), v.maxLength(60, NAME)),
  }),
  /**
   * Logo on the pages: an https address, a path or a `data:` image.
   *
   * @default `auth.theme.logo`, else a tile with the first letter of the name
   */
  themeLogo: option({ env: 'LATCHKEY_THEME_LOGO', schema: logo() }),
  /**
   * Logo on dark pages. Requires `themeLogo`.
   *
   * @default `themeLogo`
   */
  themeLogoDark: option({ env: 'LATCHKEY_THEME_LOGO_DARK', schema: logo() }),
  /**
   * Colour of the primary button: a CSS colour such as `#0a6b4b`.
   *
   * @default `auth.theme.accent`, else near black, and near white on dark pages
   */
  themeAccent: option({ env: 'LATCHKEY_THEME_ACCENT', schema: colour() }),
  /**
   * The same colour on dark pages. Requires `themeAccent`.
   *
   * @default `themeAccent`
   */
  themeAccentDark: option({ env: 'LATCHKEY_THEME_ACCENT_DARK', schema: colour() }),
  /**
   * Link to the terms of use below each page: an https or mailto address, or a path.
   *
   * @default none
   */
  themeTerms: option({ env: 'LATCHKEY_THEME_TERMS', schema: pageLink() }),
  /**
   * Link to the privacy policy below each page.
   *
   * @default none
   */
  themePrivacy: option({ env: 'LATCHKEY_THEME_PRIVACY', schema: pageLink() }),
  /**
   * Link below each page to the page that says who runs the site.
   *
   * @default none
   */
  themeImprint: option({ env: 'LATCHKEY_THEME_IMPRINT', schema: pageLink() }),
  /**
   * Link to help below each page, such as `mailto:help@example.com`.
   *
   * @default none
   */
  themeSupport: option({ env: 'LATCHKEY_THEME_SUPPORT', schema: pageLink() }),
  /**
   * Home page, mailbox, development identity provider and demo account.
   *
   * Never available in production, since everybody who can reach the service can sign in as any user. If other
   * machines can reach `url` or `host` in development, the service does not start until you set this option.
   *
   * @default `true` in development with a local address
   */
  demo: option({
    env: 'LATCHKEY_DEMO',
    schema: truth(),
  }),
  /**
   * Least important kind of line to log: `trace`, `debug`, `info`, `warn`, `error`, `silent`.
   *
   * @default `info`
   */
  logLevel: option({
    env: 'LOG_LEVEL',
    fallback: () => 'info',
    schema: v.picklist(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`),
  }),
  /**
   * One JSON object per line, or readable text.
   *
   * @default `text` in development, `json` in production
   */
  logFormat: option({
    env: 'LOG_FORMAT',
    fallback: (production) => (production ? 'json' : 'text'),
    schema: v.picklist(['json', 'text'], 'must be json or text'),
  }),
  /**
   * Writes the log lines of successful requests together, four times a second.
   *
   * All other lines are written immediately. At a shutdown and after an uncaught exception no line is lost. If the
   * process is killed (SIGKILL, or a lack of memory), lines of the last quarter of a second are missing.
   *
   * @default `true` in production, `false` in development
   */
  logBuffer: option({
    env: 'LOG_BUFFER',
    fallback: (production) => production,
    schema: truth(),
  }),
  /**
   * Limits sign-in attempts and sent mails, by client and by user name or address.
   *
   * If `auth.plugins` has the plugin `limits`, its rules replace these.
   *
   * @default `true`
   */
  limits: option({
    env: 'LATCHKEY_LIMITS',
    fallback: () => true,
    schema: truth(),
  }),
  /**
   * The challenge of suspicious attempts: `proof-of-work`, `turnstile`, `hcaptcha`, `recaptcha`, `friendly-captcha` or `off`.
   *
   * With `proof-of-work`, the browser computes for a second. The others are services, and need `challengeSite` and
   * `challengeSecret`; while a service cannot be reached, the browser computes instead. Without `limits`, and without a
   * database, there are no challenges.
   *
   * @default `proof-of-work`
   */
  challenge: option({
    env: 'LATCHKEY_CHALLENGE',
    fallback: () => 'proof-of-work',
    schema: v.picklist(
      ['proof-of-work', 'turnstile', 'hcaptcha', 'recaptcha', 'friendly-captcha', 'off'],
      'must be proof-of-work, turnstile, hcaptcha, recaptcha, friendly-captcha or off',
    ),
  }),
  /**
   * The public key of this site at the service of `challenge`.
   *
   * @default none
   */
  challengeSite: option({
    env: 'LATCHKEY_CHALLENGE_SITE',
    schema: text('the key that the service gave you for this site'),
  }),
  /**
   * The secret key of this site at the service of `challenge`.
   *
   * @default none
   */
  challengeSecret: option({
    env: 'LATCHKEY_CHALLENGE_SECRET',
    secret: true,
    schema: text('the secret key that the service gave you for this site'),
  }),
  /**
   * Accounts with a password: `true`, `false`, or `sign-in` for a sign-in without a sign-up.
   *
   * People sign up, prove their address, and reset and change the password. If `auth.plugins` has the plugin `passwords`, this
   * option has no effect.
   *
   * @default `true` where mails can be sent, with `databaseRecords`
   */
  passwords: option({
    env: 'LATCHKEY_PASSWORDS',
    schema: v.union([v.literal('sign-in'), truth()], 'must be true, false or sign-in'),
  }),
  /**
   * When people prove their address: `first`, before there is an account, or `after`, when they may sign in already.
   *
   * With `after`, users add no ways to sign in before the proof, and who does not prove the address within seven days is deleted.
   *
   * @default `first`
   */
  verifyAddress: option({
    env: 'LATCHKEY_VERIFY_ADDRESS',
    fallback: () => 'first' as const,
    schema: v.picklist(['first', 'after'], 'must be first or after'),
  }),
  /**
   * The least characters of a new password, at least 8.
   *
   * @default 15; 8 if `twoFactor` is `all`
   */
  passwordMinLength: option({
    env: 'LATCHKEY_PASSWORD_MIN',
    schema: wholeNumber(8, 200),
  }),
  /**
   * Refuses new passwords that were in a data breach: `off`, `haveibeenpwned`, or the path of a file.
   *
   * `haveibeenpwned` sends the first five digits of a hash to `api.pwnedpasswords.com`. The file has one SHA-1 hash in each line, in
   * ascending order, as the downloads of Pwned Passwords that are ordered by hash: nothing leaves the machine.
   *
   * @default `off`
   */
  breachedPasswords: option({
    env: 'LATCHKEY_BREACHED',
    fallback: () => 'off',
    schema: v.pipe(v.string(), v.nonEmpty('must be off, haveibeenpwned or the path of a file')),
  }),
  /**
   * Who may create an account with a password: `open`, `closed`, or domains of addresses, separated by commas.
   *
   * @default `open`
   */
  signUp: option({
    env: 'LATCHKEY_SIGN_UP',
    fallback: (): 'open' | 'closed' | string[] => 'open',
    schema: signUp(),
  }),
  /**
   * A second factor after each way to sign in: `optional` for users who set one up, `all` if everybody must have one, or `off`.
   *
   * With `all`, users have seven days from their first sign-in. If `auth.plugins` has the plugin `twoFactor`, this option has no effect.
   *
   * @default `optional` where mails can be sent, with `databaseRecords`; otherwise `off`
   */
  twoFactor: option({
    env: 'LATCHKEY_TWO_FACTOR',
    schema: v.picklist(['off', 'optional', 'all'], 'must be off, optional or all'),
  }),
  /**
   * Pages on which people look after their account, download what is stored about them, and delete it.
   *
   * If `auth.plugins` has the plugin `account`, this option has no effect.
   *
   * @default `true` where mails can be sent, with `databaseRecords`; otherwise `false`
   */
  account: option({
    env: 'LATCHKEY_ACCOUNT',
    schema: truth(),
  }),
  /**
   * Languages of the pages and mails: `all`, or some of `en`, `de`, `fr`, `es`, `pt`, `ja`, `zh-Hans` and `ar`, separated by commas.
   *
   * The first of a list is for visitors whom none fits.
   *
   * @default `all`
   */
  languages: option({
    env: 'LATCHKEY_LANGUAGES',
    fallback: (): 'all' | string[] => 'all',
    schema: languages(),
  }),
  /**
   * User names beside addresses, with which people sign in, too.
   *
   * @default `false`
   */
  usernames: option({
    env: 'LATCHKEY_USERNAMES',
    fallback: () => false,
    schema: truth(),
  }),
  /**
   * Whether a sign-out also redirects to the provider to sign out there.
   *
   * `ask` shows a checkbox, `always` and `never` do not ask, and `off` removes the plugin. If `auth.plugins` has
   * the plugin `federatedLogout`, this option has no effect.
   *
   * @default `ask`
   */
  federatedLogout: option({
    env: 'LATCHKEY_FEDERATED_LOGOUT',
    fallback: () => 'ask',
    schema: v.picklist(['ask', 'always', 'never', 'off'], 'must be ask, always, never or off'),
  }),
  /**
   * Whether OpenID providers may end sessions that started with them.
   *
   * Requires `sessions`; without it, this option has no effect.
   *
   * @default `true`
   */
  backchannelLogout: option({
    env: 'LATCHKEY_BACKCHANNEL_LOGOUT',
    fallback: () => true,
    schema: truth(),
  }),
  /**
   * Stores the tokens of providers as sealed records.
   *
   * It also removes them from the columns of the accounts. Users can see and disconnect their accounts at
   * `/auth/account/connections`. If `auth.plugins` has the plugin `providerTokens`, this option has no effect.
   *
   * @default `true` with `databaseRecords`
   */
  providerTokens: option({
    env: 'LATCHKEY_PROVIDER_TOKENS',
    schema: truth(),
  }),
  /**
   * Page at `/auth/account/sessions` on which users list and end their sessions.
   *
   * If `auth.plugins` has the plugin `sessions`, this option has no effect.
   *
   * @default `true` with `databaseRecords`
   */
  sessions: option({
    env: 'LATCHKEY_SESSIONS',
    schema: truth(),
  }),
  /**
   * Where sessions are stored: `database`, or `jwt` for sealed cookies.
   *
   * Sealed cookies are read without the database.
   *
   * @default `database`
   */
  sessionStrategy: option({
    env: 'LATCHKEY_SESSION_STRATEGY',
    schema: v.picklist(['database', 'jwt'], 'must be database or jwt'),
  }),
  /**
   * Maximum age of a session in days, also if it is in use.
   *
   * @default 90
   */
  sessionAbsoluteDays: option({
    env: 'LATCHKEY_SESSION_ABSOLUTE_DAYS',
    fallback: () => 90,
    schema: wholeNumber(1, 3650),
  }),
  /**
   * Maximum number of sessions of a user.
   *
   * A further sign-in ends the session that has been inactive for the longest time.
   *
   * @default none
   */
  sessionLimit: option({
    env: 'LATCHKEY_SESSION_LIMIT',
    schema: wholeNumber(1, 500),
  }),
  /**
   * Whether sessions survive the end of the browser: `always`, `never` or `ask`.
   *
   * `ask` shows a checkbox on the sign-in page. A session that is not remembered ends after 12 hours of inactivity.
   *
   * @default `ask`
   */
  sessionRemember: option({
    env: 'LATCHKEY_SESSION_REMEMBER',
    fallback: () => 'ask',
    schema: v.picklist(['always', 'never', 'ask'], 'must be always, never or ask'),
  }),
  /**
   * Maximum time in milliseconds until every instance rejects an ended sealed session.
   *
   * @default 1000
   */
  revocationBound: option({
    env: 'LATCHKEY_REVOCATION_BOUND',
    fallback: () => 1000,
    schema: wholeNumber(100, 60_000),
  }),
  /**
   * APIs that accept signed tokens of the service, separated by commas.
   *
   * Each entry is the `aud` claim of the tokens for one API. `POST /auth/token` issues the tokens; the public keys
   * are at `/auth/jwks`. If `auth.plugins` has the plugin `tokens`, this option, `apps`, `devices` and `apiKeys`
   * have no effect.
   *
   * @default none
   */
  apiAudiences: option({
    env: 'LATCHKEY_API_AUDIENCES',
    schema: v.pipe(
      v.union([v.string(), v.array(v.string())], 'must be a list of API names'),
      v.transform((value) => (typeof value === 'string' ? listOf(value) : value)),
      v.check(
        (names) => names.length > 0 && names.every((name) => name !== ''),
        'must be a list of API names such as https://api.example.com',
      ),
    ),
  }),
  /**
   * Native apps that sign in through the system browser: a list of `{ id, name, redirectUris }`.
   *
   * Only in the configuration file. Requires `sessions`.
   *
   * @default none
   */
  apps: option({
    schema: v.array(
      v.strictObject(
        { id: v.string(CLIENT), name: v.string(CLIENT), redirectUris: v.array(v.string(APP), APP) },
        APP,
      ),
      APP,
    ),
  }),
  /**
   * Programs without a browser, such as command lines: a list of `{ id, name }`.
   *
   * Only in the configuration file. Requires `sessions`.
   *
   * @default none
   */
  devices: option({
    schema: v.array(
      v.strictObject({ id: v.string(CLIENT), name: v.string(CLIENT) }, CLIENT),
      CLIENT,
    ),
  }),
  /**
   * API keys that users create and revoke: `true`, or `{ scopes: […] }`.
   *
   * Only in the configuration file. `scopes` lists the permissions that a key may have. Requires `sessions`.
   *
   * @default `false`
   */
  apiKeys: option({
    fallback: () => false,
    schema: v.union(
      [v.boolean(), v.strictObject({ scopes: v.array(v.string()) })],
      'must be true, false or { scopes: ["orders:read"] }',
    ),
  }),
  /**
   * Set it to `confirmed` if `sessions` is off on purpose.
   *
   * `latchkey doctor` then omits the check `sessions-off`, which looks for ended sealed sessions that are valid
   * again.
   *
   * @default none
   */
  sessionsOff: option({
    env: 'LATCHKEY_SESSIONS_OFF',
    schema: v.literal('confirmed', 'must be confirmed'),
  }),
  /**
   * Bearer token for `GET /metrics`: at least 16 random characters.
   *
   * The endpoint returns counters in the text format of Prometheus, without users and sessions. Without this
   * option, it returns 404.
   *
   * @default none; no metrics
   */
  metricsToken: option({
    env: 'LATCHKEY_METRICS_TOKEN',
    secret: true,
    schema: v.pipe(
      v.string('must be a string'),
      v.regex(/^[\x21-\x7E]{16,}$/, 'must be 16 characters or more, without spaces'),
    ),
  }),
  /**
   * IP addresses and networks of the proxies in front, separated by commas, such as `10.0.0.0/8`.
   *
   * The service takes the client address from `X-Forwarded-For` of requests that come from them.
   *
   * @default none; the address of the connection
   */
  trustedProxies: option({
    env: 'LATCHKEY_TRUSTED_PROXIES',
    fallback: (): string[] => [],
    schema: v.pipe(
      v.union([v.string(), v.array(v.string())], 'must be a list of addresses and networks'),
      v.transform((value) => (typeof value === 'string' ? listOf(value) : value)),
      v.check(
        (networks) => networks.every(isNetwork),
        'must be a list of addresses and networks such as 10.0.0.0/8',
      ),
    ),
  }),
  /**
   * Maximum number of connections at the same time.
   *
   * The service closes any further connection, and logs how many it closed. One client address (of IPv6, the first
   * 64 bits) may have a tenth of them, and at least 100 (the first 56 bits twice, the first 48 five times as many);
   * private addresses and `trustedProxies` may have all. Each connection needs an open file, so `ulimit -n` must be
   * higher.
   *
   * @default 10000
   */
  maxConnections: option({
    env: 'LATCHKEY_MAX_CONNECTIONS',
    fallback: () => 10_000,
    schema: wholeNumber(1, 1_000_000),
  }),
  /**
   * Maximum size of a request body in bytes; a larger body gets 413.
   *
   * @default 262144
   */
  bodyLimit: option({
    env: 'LATCHKEY_BODY_LIMIT',
    fallback: () => 262_144,
    schema: wholeNumber(1024, 64 * 1024 * 1024),
  }),
  /**
   * Seconds after SIGTERM or SIGINT during which the service still accepts requests.
   *
   * `/readyz` returns 503 meanwhile, so that a load balancer stops sending requests. Choose more time than the load
   * balancer needs.
   *
   * @default 3 in production, at most a third of `drainTimeout`; 0 in development
   */
  drainDelay: option({
    env: 'LATCHKEY_DRAIN_DELAY',
    schema: wholeNumber(0, 600),
  }),
  /**
   * Seconds after SIGTERM or SIGINT until open requests are aborted.
   *
   * The time includes `drainDelay`.
   *
   * @default 9
   */
  drainTimeout: option({
    env: 'LATCHKEY_DRAIN_TIMEOUT',
    fallback: () => 9,
    schema: wholeNumber(0, 600),
  }),
} as const

export type OptionName = keyof typeof options
export type OptionValue<Name extends OptionName> =
  (typeof options)[Name] extends Option<infer Value, infer _> ? Value : never
/** The configured and validated values, without defaults. */
export type OptionValues = { [Name in OptionName]?: OptionValue<Name> }
/** The configured values and the defaults. Options without a default are `undefined`. */
export type CompletedValues = {
  readonly [Name in keyof typeof options]: OptionValue<Name> | Missing<(typeof options)[Name]>
}

type Missing<Of> =
  Of extends Option<infer _, infer Fallback>
    ? undefined extends Fallback
      ? undefined
      : never
    : never

export const optionNames: readonly OptionName[] = Object.keys(options) as OptionName[]

/** Adds the defaults that do not depend on other options. */
export function withFallbacks(values: OptionValues, production: boolean): CompletedValues {
  const pairs = optionNames.map((name) => {
    const { fallback }: Option<unknown> = options[name]
    return [name, values[name] ?? fallback?.(production)]
  })
  return Object.fromEntries(pairs) as CompletedValues
}

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

/** A schema for the URL of a server, which may have a user and a password. */
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

function logo(): v.GenericSchema<unknown, string> {
  const message =
    'must be an https address, a path such as /logo.svg, or a data: image of at most 16 kB'
  return v.pipe(
    v.string(message),
    v.regex(/^(?:https?:\/\/|\/(?![/\\])|data:image\/)\S+$/i, message),
    v.maxLength(16 * 1024, message),
  )
}

function colour(): v.GenericSchema<unknown, string> {
  const message = 'must be a CSS colour such as #0a6b4b'
  return v.pipe(
    v.string(message),
    v.regex(/^(?:#(?:[\da-f]{3,4}){1,2}|[a-z]{3,24}|[a-z]{3,5}\([\d\s.,%/a-z+-]+\))$/i, message),
  )
}

function pageLink(): v.GenericSchema<unknown, string> {
  const message = 'must be an https or mailto address, or a path such as /terms'
  return v.pipe(
    v.string(message),
    v.regex(/^(?:https:\/\/[^/\s]\S*|mailto:[^@\s]+@[^@\s]+|\/(?:[^/\\\s]\S*)?)$/i, message),
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

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function languages(): v.GenericSchema<unknown, 'all' | string[]> {
  return v.pipe(
    v.union([v.string(), v.array(v.string())], 'must be all, or languages such as en,de'),
    v.transform((value) =>
      value === 'all' ? value : typeof value === 'string' ? listOf(value) : value,
    ),
  )
}

function signUp(): v.GenericSchema<unknown, 'open' | 'closed' | string[]> {
  const fault = 'must be open, closed, or domains such as acme.example,acme.test'
  return v.pipe(
    v.union([v.string(), v.array(v.string())], fault),
    v.transform((value) =>
      value === 'open' || value === 'closed'
        ? value
        : (typeof value === 'string' ? listOf(value) : value).map((domain) => domain.toLowerCase()),
    ),
    v.check(
      (value) =>
        typeof value === 'string' ||
        (value.length > 0 && value.every((domain) => /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(domain))),
      fault,
    ),
  )
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

/** Whether a text is a host with or without a port, as in a `Host` header. */
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
