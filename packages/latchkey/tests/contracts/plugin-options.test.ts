import { html } from 'latchkey/plugin'
import { type AccountOptions, account } from 'latchkey/plugins/account'
import { accounts } from 'latchkey/plugins/accounts'
import { type EmailCodeOptions, emailCode } from 'latchkey/plugins/email-code'
import { type FederatedLogoutOptions, federatedLogout } from 'latchkey/plugins/federated-logout'
import { type I18nOptions, i18n } from 'latchkey/plugins/i18n'
import { type LimitsOptions, limits } from 'latchkey/plugins/limits'
import { friendlyCaptcha } from 'latchkey/plugins/limits/friendly-captcha'
import { hcaptcha } from 'latchkey/plugins/limits/hcaptcha'
import { proofOfWork } from 'latchkey/plugins/limits/proof-of-work'
import { recaptcha } from 'latchkey/plugins/limits/recaptcha'
import { turnstile } from 'latchkey/plugins/limits/turnstile'
import { type PasswordsOptions, passwords } from 'latchkey/plugins/passwords'
import { haveIBeenPwned } from 'latchkey/plugins/passwords/breached'
import { bcrypt } from 'latchkey/plugins/passwords/foreign'
import { type ProviderTokensOptions, providerTokens } from 'latchkey/plugins/provider-tokens'
import { type SessionsOptions, sessions } from 'latchkey/plugins/sessions'
import { type TokensOptions, tokens } from 'latchkey/plugins/tokens'
import { type TwoFactorOptions, twoFactor } from 'latchkey/plugins/two-factor'
import { type UsernamesOptions, usernames } from 'latchkey/plugins/usernames'
import { expect, test } from 'vitest'

/** All options of a type, and of the objects in it, so that the compiler says which one is missing here. */
type All<T> = T extends (...given: never) => unknown
  ? T
  : T extends readonly (infer Each)[]
    ? readonly All<Each>[]
    : T extends object
      ? { readonly [Name in keyof T]-?: All<Exclude<T[Name], undefined>> }
      : T

type Options = Readonly<Record<string, unknown>>

const push = { listen: () => () => undefined, tell: () => undefined } as never
const noop = (): undefined => undefined
const rule = { by: 'network', limit: 5, window: 60 } as const

const ofAccount: Required<AccountOptions> = {
  pages: true,
  changeName: true,
  changeImage: true,
  changeAddress: true,
  fresh: { sensitive: 600, address: 300 },
  undo: 86_400,
  export: true,
  deletion: { grace: 0, confirm: 'mail' },
  sections: [
    {
      id: 'orders',
      title: 'Orders',
      about: 'What you bought.',
      icon: 'data',
      order: 5,
      render: () => html``,
      actions: { cancel: noop },
    },
  ],
  limits: true,
}
const ofEmailCode: All<EmailCodeOptions> = {
  length: 6,
  expiresIn: 600,
  tries: 5,
  resendAfter: 60,
  perAddress: { limit: 10, window: 86_400 },
  signUp: true,
  link: false,
  limits: true,
}
const ofLogout: Required<FederatedLogoutOptions> = {
  federated: 'ask',
  returnTo: '/',
  backchannel: { providers: ['a'], maxAge: 120, skew: 60, requireSid: true },
  frontchannel: { providers: ['a'] },
}
const ofLanguages: Required<I18nOptions> = {
  locales: ['en', 'nl'],
  fallback: 'en',
  messages: { nl: { 'signin.title': 'Aanmelden' } },
  choose: noop,
  picker: true,
}
const ofLimits: Required<LimitsOptions> = {
  store: 'adapter',
  client: { header: 'x-real-ip', proxies: ['10.0.0.0/8'] },
  rules: { signin: [{ ...rule, store: 'process', unknownDevices: true, over: 'challenge' }] },
  exempt: ['10.0.0.0/8'],
  headers: true,
  newDeviceMail: true,
  challenge: turnstile({ siteKey: 'a', secretKey: 'b' }),
  challengeWhen: 'always',
  hooks: { isBot: () => false, isDisposable: () => false, decide: noop },
}
const ofPasswords: Required<PasswordsOptions> = {
  minLength: 15,
  maxLength: 256,
  blocklist: { more: ['correct horse'] },
  breached: haveIBeenPwned(),
  breachedAtSignIn: true,
  hash: { memory: 19_456, passes: 2, parallelism: 1 },
  hashing: { maxMemory: 262_144, concurrency: 1, queue: 256, patience: 5 },
  foreign: [bcrypt()],
  dummy: 'own',
  pepper: { keys: ['k'.repeat(32)] },
  signUp: true,
  verify: 'first',
  requireVerified: true,
  unprovedLifetime: 600,
  resetSignsIn: true,
  fields: [
    {
      name: 'phone',
      label: 'Phone',
      type: 'tel',
      required: true,
      maxLength: 30,
      autocomplete: 'tel',
      validate: () => true,
    },
  ],
  name: 'optional',
  mailUnknown: true,
  mailInBackground: true,
  limits: true,
}
const ofFactors: All<TwoFactorOptions> = {
  issuer: 'Shop',
  methods: ['totp'],
  require: 'all',
  grace: 60,
  trustDevice: 60,
  trustProviders: ['okta'],
  totp: { digits: 6, period: 30, algorithm: 'SHA1', window: 1, most: 5 },
  recovery: { count: 10, hash: { memory: 19_456, passes: 2, parallelism: 1 } },
  limits: true,
}
const ofNames: Required<UsernamesOptions> = {
  least: 3,
  most: 30,
  pattern: /[a-z]+/,
  reserved: ['root'],
  change: { every: 60 },
  signIn: true,
}
const ofSessions: Required<SessionsOptions> = {
  absoluteMaxAge: 600,
  remember: 'ask',
  shortMaxAge: 600,
  limit: 5,
  atLimit: 'evict',
  freshAge: 600,
  touch: 600,
  exposeId: true,
  administrator: () => true,
  device: true,
  address: true,
  bind: ['browser'],
  bindReaction: 'report',
  bindNetworkEnds: true,
  revocations: { bound: 1000, stale: 'read', push, endpoint: true, maxEntries: 1000 },
}
const ofProviderTokens: Required<ProviderTokensOptions> = {
  store: 'auto',
  cookie: { path: '/', budget: 8000, refresh: 'anywhere', grace: 60 },
  providers: ['a'],
  margin: 60,
  assumedLifetime: 600,
  columns: 'clear',
  onNarrower: 'keep',
  revoke: 'unlink',
  inSession: true,
  idToken: true,
  adoptFromSession: {
    provider: 'a',
    access_token: 'accessToken',
    refresh_token: 'refreshToken',
    expires_at: 'expiresAt',
    scope: 'scopes',
    error: 'fault',
  },
  legacyError: true,
  onRenew: noop,
}
const ofTokens: All<Omit<TokensOptions, 'jwt'>> & Pick<Required<TokensOptions>, 'jwt'> = {
  jwt: {
    audiences: { 'https://api.example': { scopes: ['read'], maxAge: 60, sensitive: true } },
    alg: 'ES256',
    maxAge: 300,
    keys: 'records',
    rotateEvery: 172_800,
    publishAhead: 86_400,
    keepAfter: 86_400,
    issuer: 'https://shop.example',
    clientId: 'shop',
    claims: () => ({}),
    mayIssue: () => true,
  },
  apiKeys: {
    prefix: 'shop',
    scopes: ['read'],
    maxPerUser: 5,
    maxAge: 600,
    defaultAge: 600,
    rate: { limit: 5, seconds: 60 },
    touch: 60,
    freshAge: 60,
    actsAsSession: true,
  },
  device: {
    clients: [{ id: 'cli', name: 'Shop' }],
    maxAge: 600,
    interval: 5,
    sessionMaxAge: 600,
    freshAge: 600,
  },
  native: {
    clients: [{ id: 'app', name: 'Shop', redirectUris: ['https://shop.example/app'] }],
    codeMaxAge: 60,
    maxAge: 600,
    absoluteMaxAge: 600,
    renewAfter: 60,
    grace: 60,
    freshAge: 600,
    consent: 'always',
  },
  bearerOrigins: ['https://admin.example'],
}
const keys = { siteKey: 'a', secretKey: 'b', hostnames: ['shop.example'], whenUnavailable: 'allow' }

/** Each function with all of its options. */
const plugins: readonly (readonly [name: string, make: (given: never) => unknown, all: object])[] =
  [
    ['account', account, ofAccount],
    ['emailCode', emailCode, ofEmailCode],
    ['federatedLogout', federatedLogout, ofLogout],
    ['i18n', i18n, ofLanguages],
    ['limits', limits, ofLimits],
    ['passwords', passwords, ofPasswords],
    ['twoFactor', twoFactor, ofFactors],
    ['usernames', usernames, ofNames],
    ['sessions', sessions, ofSessions],
    ['providerTokens', providerTokens, ofProviderTokens],
    ['tokens', tokens, ofTokens],
    ['proofOfWork', proofOfWork, { cost: 5, range: [5, 10], expiresIn: 60 }],
    ['turnstile', turnstile, keys],
    ['hcaptcha', hcaptcha, keys],
    ['recaptcha', recaptcha, { ...keys, score: 0.5 }],
    [
      'friendlyCaptcha',
      friendlyCaptcha,
      { ...keys, region: 'eu', script: 'https://cdn.example/w.js' },
    ],
    [
      'haveIBeenPwned',
      haveIBeenPwned,
      { fetch, baseUrl: 'https://mirror.example', least: 2, timeout: 100 },
    ],
    [
      'accounts',
      accounts,
      {
        limits: ofLimits,
        sessions: ofSessions,
        passwords: ofPasswords,
        twoFactor: ofFactors,
        account: ofAccount,
        i18n: ofLanguages,
        emailCode: ofEmailCode,
        usernames: ofNames,
      },
    ],
  ]

/** Objects with methods that another function makes, and objects whose names the application chooses. */
const OPAQUE: readonly string[] = ['challenge', 'push', 'breached', 'foreign', 'pattern', 'keys']
const FREE: readonly string[] = ['messages', 'rules', 'audiences', 'actions']

interface Spot {
  /** Names and places, from the outside. */
  readonly path: readonly string[]
  readonly value: unknown
}

/** Returns each option, and each option in an option. */
function spotsIn(options: object, path: readonly string[] = []): Spot[] {
  return Object.entries(options).flatMap(([name, value]: [string, unknown]) => {
    const here = [...path, name]
    const isOpaque = typeof value !== 'object' || value === null || OPAQUE.includes(name)
    return [{ path: here, value }, ...(isOpaque ? [] : spotsIn(value, here))]
  })
}

/** Returns the options with other entries at a place. */
function changed(
  options: unknown,
  path: readonly string[],
  entries: (name: string) => Options,
): unknown {
  const [name = '', ...rest] = path
  const own = Object(options) as Options
  if (Array.isArray(options))
    return options.map((each: unknown, at) =>
      String(at) !== name
        ? each
        : rest.length > 0
          ? changed(each, rest, entries)
          : Object.values(entries(name))[0],
    )
  if (rest.length > 0) return { ...own, [name]: changed(own[name], rest, entries) }
  const { [name]: _, ...others } = own
  return { ...others, ...entries(name) }
}

/** Returns the message of the error that options cause; `undefined` without one. */
function refusal(make: (given: never) => unknown, given: unknown): string | undefined {
  try {
    make(given as never)
    return undefined
  } catch (error) {
    return error instanceof TypeError ? error.message : `no TypeError: ${String(error)}`
  }
}

const isPlace = (name = ''): boolean => /^\d+$/.test(name)
const isFree = (name = ''): boolean => FREE.includes(name)

test.each(plugins)('%s accepts all of its options', (_, make, all) => {
  expect(refusal(make, all)).toBe(undefined)
})

test.each(plugins)(
  '%s refuses each misspelled option at the start, and names the one that was probably meant',
  (_, make, all) => {
    for (const { path, value } of spotsIn(all)) {
      const [name = '', parent] = path.toReversed()
      if (isPlace(name) || isFree(parent) || path.includes('messages')) continue
      const given = changed(all, path, () => ({ [`${name}s`]: value }))
      expect(refusal(make, given), path.join('.')).toMatch(
        new RegExp(
          String.raw`there is no option .*\b${name}s.; did you mean .*\b${name}.\? The options are: .*\b${name}\b`,
        ),
      )
    }
  },
)

test.each(plugins)(
  '%s refuses each value of a wrong type at the start, by name',
  (of, make, all) => {
    const unlike = (value: unknown): unknown[] =>
      typeof value === 'string' ? [7, []] : [typeof value === 'number' ? '5' : 7, 'wrong']
    for (const { path, value } of spotsIn(all)) {
      // Of what the application names itself and of a list, the message may name the option alone.
      const at = path.findIndex((name) => isPlace(name) || isFree(name))
      const outer = path.slice(Math.max(0, at - 1))
      const names = [path.at(-1), ...(at < 0 ? [] : outer)].filter((name) => !isPlace(name))
      for (const odd of [...unlike(value), null]) {
        const said = refusal(
          make,
          changed(all, path, (name) => ({ [name]: odd })),
        )
        // Some options may be null, which leaves them out.
        if (odd === null && said === undefined) continue
        const isOther = path.length === 1 && of === 'accounts'
        expect(String(said), `${path.join('.')}: ${JSON.stringify(odd)}`).toMatch(
          new RegExp(isOther ? 'must be an object' : names.join('|')),
        )
      }
    }
  },
)

test.each(plugins)('%s refuses options that are no object', (name, make) => {
  for (const odd of [null, 'wrong', 7, ['wrong'], Promise.resolve({})])
    expect(refusal(make, odd)).toContain(`${name}(): the options must be an object, got `)
})
