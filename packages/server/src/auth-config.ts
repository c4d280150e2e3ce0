import { existsSync } from 'node:fs'
import type { AuthConfig } from 'latchkey'
import { type Adapter, type AtomicAbilities, atomic } from 'latchkey/adapters'
import { account } from 'latchkey/plugins/account'
import { federatedLogout } from 'latchkey/plugins/federated-logout'
import { i18n } from 'latchkey/plugins/i18n'
import { type LimitsOptions, limits } from 'latchkey/plugins/limits'
import { passwords } from 'latchkey/plugins/passwords'
import { type BreachedPort, haveIBeenPwned } from 'latchkey/plugins/passwords/breached'
import { providerTokens } from 'latchkey/plugins/provider-tokens'
import { type Push, type SessionsOptions, sessions } from 'latchkey/plugins/sessions'
import { type TokensOptions, tokens } from 'latchkey/plugins/tokens'
import { twoFactor } from 'latchkey/plugins/two-factor'
import { usernames } from 'latchkey/plugins/usernames'
import type { Provider } from 'latchkey/providers'
import Nodemailer from 'latchkey/providers/nodemailer'
import { breachedFile } from './breached-file.ts'
import { challengeOf } from './challenge.ts'
import type { Demo } from './demo/demo.ts'
import { type Log, libraryLogger } from './observe/log.ts'
import type { Metrics } from './observe/metrics.ts'
import type { Settings } from './settings.ts'
import { firstLine, UserError } from './user-error.ts'

/** What the library's configuration contains in addition to the settings. */
export interface AuthParts {
  readonly secret: readonly string[]
  /** Providers chosen by name. */
  readonly named: readonly Provider[]
  /** The adapter of the configuration, or of the service's store. */
  readonly adapter: Adapter | undefined
  readonly demo: Demo | undefined
  /** Counts events; `undefined` if metrics are off. */
  readonly metrics?: Metrics | undefined
  /** How instances notify each other that a session was ended. */
  readonly push?: Push | undefined
  /** Origin for the default sender address of mails. */
  readonly origin: string | undefined
  readonly log: Log
}

/**
 * Returns the configuration for the library.
 *
 * @throws {UserError} if there is no provider.
 */
export function authConfig(settings: Settings, parts: AuthParts): AuthConfig {
  const { auth, basePath, production } = settings
  const { secret, named, adapter, demo, log } = parts
  const mail = mailProvider(settings, parts)
  const chosen = [...named, ...(auth.providers ?? [])]
  // The service's store supports passkeys; the adapter of a configuration may not.
  const demoPasskeys =
    auth.adapter === undefined && !chosen.some(isPasskey) && demo?.passkeys ? [demo.passkeys] : []
  const plugins = pluginsOf(settings, adapter, parts.push, mail.length > 0 || chosen.some(canMail))
  const hasPasswords = plugins.some(({ name }) => name === 'passwords')
  const ofDemo = demo ? [...demo.providers, ...(hasPasswords ? [] : [demo.account.provider])] : []
  const providers = [...ofDemo, ...demoPasskeys, ...mail, ...chosen]
  if (providers.length === 0 && production)
    throw new UserError(
      'providers: there is no provider; set AUTH_PROVIDERS or SMTP_URL, or auth.providers in a configuration file',
    )
  return {
    ...auth,
    providers,
    secret,
    basePath,
    adapter,
    theme: { ...(demo && { name: 'Latchkey' }), ...themeOf(settings) },
    // The listener has replaced the address in the request with the public origin.
    trustHost: true,
    session: {
      ...(settings.sessionStrategy && { strategy: settings.sessionStrategy }),
      userId: settings.sessionUserId,
      ...auth.session,
    },
    plugins,
    logger: { ...libraryLogger(log), ...auth.logger },
    ...(parts.metrics && { events: parts.metrics.events(auth.events) }),
  }
}

/** Returns the look of the pages: options of the service override members of `auth.theme`. */
function themeOf(settings: Settings): NonNullable<AuthConfig['theme']> {
  const { themeName: name, themeLogo, themeLogoDark, themeAccent, themeAccentDark } = settings
  const logo = forSchemes(themeLogo, themeLogoDark)
  const accent = forSchemes(themeAccent, themeAccentDark)
  const links = Object.entries({
    terms: settings.themeTerms,
    privacy: settings.themePrivacy,
    imprint: settings.themeImprint,
    support: settings.themeSupport,
  }).filter(([, link]) => link !== undefined)
  const { theme } = settings.auth
  return {
    ...theme,
    ...(name !== undefined && { name }),
    ...(logo !== undefined && { logo }),
    ...(accent !== undefined && { accent }),
    ...(links.length > 0 && { footer: { ...theme?.footer, ...Object.fromEntries(links) } }),
  }
}

function forSchemes(
  light: string | undefined,
  dark: string | undefined,
): string | { light: string; dark: string } | undefined {
  return light !== undefined && dark !== undefined ? { light, dark } : light
}

type Plugins = NonNullable<AuthConfig['plugins']>

/** Returns the configuration's plugins and, for each kind that is missing there, the service's own. */
function pluginsOf(
  settings: Settings,
  adapter: Adapter | undefined,
  push: Push | undefined,
  hasMail: boolean,
): Plugins {
  const { auth } = settings
  const { plugins = [] } = auth
  const isMissing = (wanted: string): boolean => !plugins.some(({ name }) => name === wanted)
  const abilities = adapter?.[atomic] ?? {}
  const hasRecords = (auth.records?.[atomic] ?? abilities).createRecord !== undefined
  const wantsSessions = settings.sessions ?? (hasRecords && adapter !== undefined)
  const hasSessions = wantsSessions || !isMissing('sessions')
  const own: Readonly<Record<string, () => Plugins>> = {
    // The service's store counts attempts; the adapter of a configuration may not.
    limits: () => (settings.limits ? [limits(limitsOptions(settings, abilities))] : []),
    sessions: () => (wantsSessions ? [sessions(sessionsOptions(settings, push))] : []),
    providerTokens: () => ((settings.providerTokens ?? hasRecords) ? [providerTokens()] : []),
    federatedLogout: () => federatedLogoutOf(settings, hasRecords && hasSessions),
    tokens: () => tokensOf(settings, hasSessions),
    passwords: () => {
      const canKeep = hasRecords && hasSessions && abilities.countAttempt !== undefined
      return passwordsOf(settings, canKeep && hasMail)
    },
    twoFactor: () => {
      const canAsk = hasRecords && hasSessions && abilities.countAttempt !== undefined
      return twoFactorOf(settings, canAsk, hasMail)
    },
    account: () => {
      const canKeep = hasRecords && hasSessions && abilities.countAttempt !== undefined
      return accountOf(settings, canKeep && hasMail)
    },
    i18n: () => languagesOf(settings),
    usernames: () => (settings.usernames && hasRecords ? [usernames()] : []),
  }
  const added = Object.entries(own).flatMap(([name, create]) => (isMissing(name) ? create() : []))
  return [...added, ...plugins]
}

/** @throws {UserError} for a language that is not built in. */
function languagesOf({ languages }: Settings): Plugins {
  // English is there without the plugin.
  if (languages.length === 1 && languages[0] === 'en') return []
  if (languages === 'all') return [i18n()]
  try {
    return [i18n({ locales: languages, fallback: languages[0] })]
  } catch (error) {
    throw new UserError(`languages: ${firstLine(error)}`)
  }
}

function limitsOptions(settings: Settings, { countAttempt }: AtomicAbilities): LimitsOptions {
  // A challenge can be answered once, which the store remembers.
  if (!countAttempt) return { store: 'process' }
  return { challenge: challengeOf(settings) }
}

/** @param isPossible whether mails can be sent, and the store has what passwords need. */
function passwordsOf(settings: Settings, isPossible: boolean): Plugins {
  const { passwords: wanted = isPossible, twoFactor: second, signUp, verifyAddress } = settings
  // A password that never signs in alone may be shorter.
  const { passwordMinLength: minLength = second === 'all' ? 8 : 15 } = settings
  if (wanted === false) return []
  const isOpen = wanted !== 'sign-in' && signUp !== 'closed'
  const domains = typeof signUp === 'string' ? undefined : signUp
  return [
    passwords({
      minLength,
      signUp:
        isOpen && domains
          ? ({ email }) =>
              domains.includes(email.split('@')[1] ?? '') ? true : { code: 'domain_not_accepted' }
          : isOpen,
      breached: breachedOf(settings),
      verify: verifyAddress,
    }),
  ]
}

/**
 * @param isPossible whether the store has what second factors need.
 * @throws {UserError} if everybody must have one, and the store has not.
 */
function twoFactorOf(settings: Settings, isPossible: boolean, hasMail: boolean): Plugins {
  const { twoFactor: wanted = isPossible && hasMail ? 'optional' : 'off' } = settings
  if (wanted === 'off') return []
  if (!isPossible)
    throw new UserError(
      'twoFactor: needs a store with records, the list of sessions and a count of attempts; set LATCHKEY_DATABASE_RECORDS=true, or set LATCHKEY_TWO_FACTOR=off',
    )
  return [twoFactor({ require: wanted === 'all' ? 'all' : 'offered' })]
}

/**
 * @param isPossible whether mails can be sent, and the store has what the account pages need.
 * @throws {UserError} if they are wanted, and something is missing.
 */
function accountOf(settings: Settings, isPossible: boolean): Plugins {
  const { account: wanted = isPossible } = settings
  if (!wanted) return []
  if (!isPossible)
    throw new UserError(
      'account: needs a mail service, and a store with records, the list of sessions and a count of attempts; set LATCHKEY_DATABASE_RECORDS=true and a mail service, or set LATCHKEY_ACCOUNT=false',
    )
  return [account()]
}

/** @throws {UserError} if there is no such file. */
function breachedOf({ breachedPasswords: list }: Settings): BreachedPort | undefined {
  if (list === 'off') return undefined
  if (list === 'haveibeenpwned') return haveIBeenPwned()
  if (!existsSync(list))
    throw new UserError(
      `breachedPasswords: must be off, haveibeenpwned or the path of a file; there is no file ${list}`,
    )
  return breachedFile(list)
}

function canMail(provider: Provider): boolean {
  return typeof provider === 'object' && provider.type === 'email' && 'sendMail' in provider
}

/** @param hasList whether the plugin `sessions` is on, so that providers can end sessions. */
function federatedLogoutOf(
  { federatedLogout: federated, backchannelLogout }: Settings,
  hasList: boolean,
): Plugins {
  if (federated === 'off') return []
  return [federatedLogout({ federated, backchannel: backchannelLogout && hasList })]
}

/**
 * Returns the plugin `tokens` if an option requires it.
 *
 * @throws {UserError} naming the option that is wrong.
 */
function tokensOf(
  { apiAudiences, apps, devices, apiKeys }: Settings,
  hasSessions: boolean,
): Plugins {
  const asked: Record<string, TokensOptions | undefined> = {
    apiAudiences: apiAudiences && {
      jwt: { audiences: Object.fromEntries(apiAudiences.map((name) => [name, {}])) },
    },
    apps: apps && { native: { clients: apps } },
    devices: devices && { device: { clients: devices } },
    apiKeys: apiKeys ? { apiKeys: apiKeys === true ? {} : apiKeys } : undefined,
  }
  const given = Object.entries(asked).flatMap(([option, part]) => (part ? [{ option, part }] : []))
  for (const { option, part } of given) {
    if (option !== 'apiAudiences' && !hasSessions)
      throw new UserError(
        `${option}: needs the list of sessions, which is off; set LATCHKEY_SESSIONS=true, or remove ${option}`,
      )
    try {
      tokens(part)
    } catch (error) {
      throw new UserError(`${option}: ${firstLine(error)}`, { cause: error })
    }
  }
  return given.length > 0 ? [tokens(Object.assign({}, ...given.map(({ part }) => part)))] : []
}

function sessionsOptions(
  {
    sessionAbsoluteDays,
    sessionLimit: limit,
    sessionRemember: remember,
    revocationBound: bound,
  }: Settings,
  push: Push | undefined,
): SessionsOptions {
  return {
    absoluteMaxAge: sessionAbsoluteDays * 24 * 60 * 60,
    limit,
    remember,
    revocations: { bound, push },
  }
}

function isPasskey(provider: Provider): boolean {
  return typeof provider === 'object' && provider.type === 'webauthn'
}

function mailProvider(settings: Settings, { demo, origin }: AuthParts): Provider[] {
  const server = settings.smtp ?? demo?.mailTransport
  if (server === undefined) return []
  const host = origin === undefined ? undefined : new URL(origin).hostname
  if (settings.mailFrom === undefined && host === undefined)
    throw new UserError(
      'mailFrom: is required with smtp when url is not set; set MAIL_FROM to an address such as Acme <login@acme.example>',
    )
  const from = settings.mailFrom ?? `Latchkey <no-reply@${host}>`
  // The service's store counts attempts at codes; the adapter of a configuration may not.
  const code = demo !== undefined && settings.auth.adapter === undefined
  // The mailbox of the demo has the mails that are not sent.
  const mailbox = settings.smtp === undefined && demo ? { mailbox: '/mailbox' } : {}
  return [Nodemailer({ id: 'email', name: 'Email', server, from, code, ...mailbox })]
}
