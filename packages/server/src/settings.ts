import { resolve } from 'node:path'
import type { AuthConfig } from 'latchkey'
import * as v from 'valibot'
import { type ConfigFile, readConfigFile } from './config-file.ts'
import { isLoopback } from './http/loopback.ts'
import {
  type CompletedValues,
  type OptionName,
  type OptionValues,
  optionNames,
  options,
  withFallbacks,
} from './options.ts'
import { weaknessOf } from './secret-rules.ts'
import { Mistakes, UserError } from './user-error.ts'

/** All settings of the service: complete, validated and frozen. */
export interface Settings extends Omit<CompletedValues, 'url' | 'demo' | 'drainDelay'> {
  readonly production: boolean
  /**
   * The public origin. If it is `undefined`, it follows from the port in development, and from the request with
   * `trustHost`.
   */
  readonly origin: string | undefined
  readonly demo: boolean
  /** Seconds, at most `drainTimeout`. */
  readonly drainDelay: number
  /** Configuration that the service passes to the library unchanged. */
  readonly auth: Partial<AuthConfig>
  /** Problems that do not prevent the start. */
  readonly warnings: readonly string[]
}

/** Sources of the settings. A flag overrides the environment, and the environment overrides the file. */
export interface Sources {
  readonly flags: Partial<Record<OptionName, string | undefined>>
  readonly env: Readonly<Record<string, string | undefined>>
  readonly directory: string
  readonly config?: string | undefined
}

/**
 * Collects and validates the settings.
 *
 * @throws {UserError} with every mistake: the option, its source and the fix.
 */
export async function loadSettings({ flags, env, directory, config }: Sources): Promise<Settings> {
  const production = isProduction(env)
  const file = await readConfigFile(config, directory, { production, env })
  const mistakes = new Mistakes()
  const { values: said, wrong } = collect(flags, env, file, mistakes)
  const { url, ...values } = withFallbacks(said, production)
  const auth = file?.auth ?? {}
  /** Skips a check if one of its options is already wrong. */
  const judge = <Result>(of: readonly OptionName[], work: () => Result): Result | undefined =>
    of.some((name) => wrong.has(name)) ? undefined : mistakes.attempt(work)

  for (const name of ['database', 'redis'] as const)
    judge([name], () => {
      if (auth.adapter && values[name] !== undefined)
        throw new UserError(
          `${name}: auth.adapter is also set, but only one can be used; remove one`,
        )
    })
  for (const name of ['themeLogo', 'themeAccent'] as const)
    judge([name], () => {
      if (values[`${name}Dark`] !== undefined && values[name] === undefined)
        throw new UserError(`${name}Dark: needs ${name}, the value for light pages; set both`)
    })
  const { secret, trustHost: trust } = values
  judge(['url', 'trustHost'], () => {
    if (production && !url && trust === false)
      throw new UserError(
        'url: is required in production; set AUTH_URL or --url to the public URL, such as ' +
          'https://login.example.com (or set AUTH_TRUST_HOST to the accepted hosts)',
      )
  })
  const place = { host: values.host, origin: url?.origin, trustHost: url ? false : trust }
  const basePath = judge(['url', 'basePath'], () => basePathOf(url, said.basePath))
  const demo = judge(['url', 'host', 'trustHost', 'demo'], () =>
    wantsDemo(values.demo, production, place),
  )
  const drainDelay = judge(['drainDelay', 'drainTimeout'], () => drainDelayOf(values, production))
  const warnings = judge(['secret'], () => checkSecrets(secret, production))
  mistakes.judge()
  return Object.freeze({
    ...values,
    ...place,
    production,
    basePath: basePath ?? values.basePath,
    dataDir: resolve(directory, values.dataDir),
    demo: demo ?? false,
    drainDelay: drainDelay ?? 0,
    auth,
    warnings: warnings ?? [],
  })
}

/** Seconds in which a load balancer notices that an instance is shutting down. */
const USUAL_DELAY = 3

/** @throws {UserError} if the delay is longer than the whole shutdown may take. */
function drainDelayOf(
  { drainDelay, drainTimeout }: Pick<CompletedValues, 'drainDelay' | 'drainTimeout'>,
  production: boolean,
): number {
  if (drainDelay !== undefined && drainDelay > drainTimeout)
    throw new UserError(
      `drainDelay: ${drainDelay} is greater than drainTimeout ${drainTimeout}; decrease it, or increase LATCHKEY_DRAIN_TIMEOUT`,
    )
  return drainDelay ?? (production ? Math.min(USUAL_DELAY, Math.floor(drainTimeout / 3)) : 0)
}

/** The settings that `latchkey migrate` uses. */
export type DatabaseSettings = Pick<
  Settings,
  'database' | 'databaseNaming' | 'databaseRecords' | 'databasePool' | 'databaseTimeout' | 'dataDir'
>

/** Collects the settings of the database. A command that uses only the database needs neither a secret nor a URL. */
export async function loadDatabaseSettings(sources: Sources): Promise<DatabaseSettings> {
  const { flags, env, directory, config } = sources
  const production = isProduction(env)
  const file = await readConfigFile(config, directory, { production, env })
  if (file?.auth.adapter)
    throw new UserError(
      'database: auth.adapter is set; create its tables with its own tools, or remove it',
    )
  const mistakes = new Mistakes()
  const { values } = collect(flags, env, file, mistakes)
  mistakes.judge()
  const completed = withFallbacks(values, production)
  return { ...completed, dataDir: resolve(directory, completed.dataDir) }
}

/**
 * Every other value is a mistake. It must not start the demo, in which anybody can sign in as any user: someone may
 * have written `NODE_ENV=prod`.
 */
function isProduction(env: Sources['env']): boolean {
  const mode = env['NODE_ENV'] || 'development'
  if (!['production', 'development', 'test'].includes(mode))
    throw new UserError(
      `NODE_ENV: ${show(mode)} must be production, development or test; set NODE_ENV=production, or unset it for development`,
    )
  return mode === 'production'
}

function collect(
  flags: Sources['flags'],
  env: Sources['env'],
  file: ConfigFile | undefined,
  mistakes: Mistakes,
): { values: OptionValues; wrong: ReadonlySet<OptionName> } {
  const values: Partial<Record<OptionName, unknown>> = {}
  const wrong = new Set<OptionName>()
  const take = (name: OptionName, value: unknown, source: string): void => {
    const taken = mistakes.attempt(() => ({ value: check(name, value, source) }))
    if (taken) values[name] = taken.value
    else wrong.add(name)
  }
  for (const name of optionNames) {
    const { env: variable, flag } = options[name]
    const fromEnv = variable === undefined ? undefined : environmentValue(variable, env)
    if (flags[name] !== undefined) take(name, flags[name], flag ?? `--${name}`)
    else if (fromEnv !== undefined) take(name, fromEnv, String(variable))
    else if (file?.values[name] !== undefined) take(name, file.values[name], file.name)
  }
  return { values: values as OptionValues, wrong }
}

/** An empty variable counts as absent. The secret may have several variables; the newest comes first. */
function environmentValue(variable: string, env: Sources['env']): unknown {
  const value = env[variable] || undefined
  if (variable !== 'AUTH_SECRET') return value
  const list = [env['AUTH_SECRET_3'], env['AUTH_SECRET_2'], env['AUTH_SECRET_1'], value]
  const given = list.filter((secret) => secret)
  return given.length > 0 ? given : undefined
}

function check(name: OptionName, value: unknown, source: string): unknown {
  const result = v.safeParse(options[name].schema, value)
  if (result.success) return result.output
  const got = 'secret' in options[name] && options[name].secret ? '' : `got ${show(value)}, `
  throw new UserError(`${name}: ${result.issues[0].message} (${got}from ${source})`)
}

/** Returns a value for messages: short, and without the password of a URL. */
function show(value: unknown): string {
  const given = JSON.stringify(value) ?? typeof value
  const [from, to] = [given.indexOf('//'), given.lastIndexOf('@')]
  const text = from < 0 || to < from ? given : `${given.slice(0, from)}//…${given.slice(to)}`
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

function basePathOf(url: URL | undefined, basePath: string | undefined): string {
  const path =
    url?.pathname
      .split('/')
      .filter(Boolean)
      .map((segment) => `/${segment}`)
      .join('') ?? ''
  if (path === '') return basePath ?? '/auth'
  if (basePath !== undefined && basePath !== path)
    throw new UserError(
      `url: its path ${path} differs from basePath ${basePath}; remove the path from the URL`,
    )
  return String(check('basePath', path, 'the path of url'))
}

/**
 * Whether the demo runs. By default it runs only if other machines cannot reach it.
 *
 * @throws {UserError} in production, and if other machines can reach it and the option does not allow that.
 */
function wantsDemo(
  demo: boolean | undefined,
  production: boolean,
  { host, origin, trustHost }: Pick<Settings, 'host' | 'origin' | 'trustHost'>,
): boolean {
  if (production && demo)
    throw new UserError(
      'demo: is not available in production; remove the option, or unset NODE_ENV',
    )
  if (production || demo !== undefined) return demo ?? false
  // The demo needs an origin of its own.
  if (origin === undefined && trustHost !== false) return true
  const open =
    origin !== undefined && !isLoopback(new URL(origin).hostname)
      ? `url: ${origin}`
      : host !== undefined && !isLoopback(host) && `host: ${host}`
  if (open !== false)
    throw new UserError(
      `${open} is reachable from other machines, and everybody who can reach the demo can sign in as any user; ` +
        'set NODE_ENV=production, or LATCHKEY_DEMO=true to allow this',
    )
  return true
}

function checkSecrets(secrets: readonly string[], production: boolean): string[] {
  if (production && secrets.length === 0)
    throw new UserError(
      'secret: is required in production; run "latchkey secret", and set AUTH_SECRET to its output',
    )
  const weakness = secrets.map((secret) => weaknessOf(secret)).find((found) => found !== undefined)
  if (weakness === undefined) return []
  const problem = `${weakness}; run "latchkey secret", and use its output`
  if (production) throw new UserError(`secret: ${problem}`)
  // The log would remove the text after "secret:".
  return [`the secret ${problem} (required in production)`]
}
