import type { AuthConfig } from 'latchkey'
import { type Adapter, atomic } from 'latchkey/adapters'
import { federatedLogout } from 'latchkey/plugins/federated-logout'
import { limits } from 'latchkey/plugins/limits'
import { providerTokens } from 'latchkey/plugins/provider-tokens'
import { type Push, type SessionsOptions, sessions } from 'latchkey/plugins/sessions'
import { type TokensOptions, tokens } from 'latchkey/plugins/tokens'
import type { Provider } from 'latchkey/providers'
import Nodemailer from 'latchkey/providers/nodemailer'
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
  const providers = [...(demo?.providers ?? []), ...demoPasskeys, ...mail, ...chosen]
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
    plugins: pluginsOf(settings, adapter, parts.push),
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
    limits: () =>
      settings.limits ? [limits({ store: abilities.countAttempt ? 'adapter' : 'process' })] : [],
    sessions: () => (wantsSessions ? [sessions(sessionsOptions(settings, push))] : []),
    providerTokens: () => ((settings.providerTokens ?? hasRecords) ? [providerTokens()] : []),
    federatedLogout: () => federatedLogoutOf(settings, hasRecords && hasSessions),
    tokens: () => tokensOf(settings, hasSessions),
  }
  const added = Object.entries(own).flatMap(([name, create]) => (isMissing(name) ? create() : []))
  return [...added, ...plugins]
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
  return [Nodemailer({ id: 'email', name: 'Email', server, from, code })]
}
