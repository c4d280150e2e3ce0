import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { AuthConfig } from 'latchkey'
import { nearest } from 'latchkey/plugin'
import { isRecord, optionNames } from './options.ts'
import { firstLine, UserError } from './user-error.ts'

const FILE_NAMES = [
  'latchkey.config.ts',
  'latchkey.config.mts',
  'latchkey.config.js',
  'latchkey.config.mjs',
  'latchkey.config.json',
]

/** Every member of {@link AuthConfig} that a file may set in `auth`; the compiler ensures that none is missing. */
const authMembers: Readonly<Record<keyof AuthConfig, true>> = {
  providers: true,
  adapter: true,
  records: true,
  plugins: true,
  basePath: true,
  trailingSlash: true,
  secret: true,
  session: true,
  jwt: true,
  acceptSessionsFrom: true,
  callbacks: true,
  events: true,
  texts: true,
  cookies: true,
  pages: true,
  theme: true,
  debug: true,
  logger: true,
  mail: true,
  trustHost: true,
  allowCrossSite: true,
  useSecureCookies: true,
  redirectProxyUrl: true,
  redirectProxyOrigins: true,
  experimental: true,
  skipCSRFCheck: true,
  raw: true,
  waitUntil: true,
}

/** Members of `auth` that are also options of the service, and members that only authors of frameworks need. */
const liftedMembers = ['secret', 'basePath', 'trustHost'] as const
const frameworkMembers = ['raw', 'skipCSRFCheck'] as const

/** The content of a configuration file. Its names are checked, its values are not. */
export interface ConfigFile {
  /** Name of the file for messages. */
  readonly name: string
  /** Options of the service, by name. */
  readonly values: Readonly<Record<string, unknown>>
  /** Configuration of the library. */
  readonly auth: Partial<AuthConfig>
}

/** Argument of a configuration that is a function. */
export interface ConfigContext {
  readonly production: boolean
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * Reads the named configuration file, or the one in the working directory.
 *
 * @returns `undefined` if none is named and there is none.
 * @throws {UserError} if it cannot be read, or has an unknown member.
 */
export async function readConfigFile(
  path: string | undefined,
  directory: string,
  context: ConfigContext,
): Promise<ConfigFile | undefined> {
  const file = path === undefined ? findFile(directory) : resolve(directory, path)
  if (file === undefined) return undefined
  const name = basename(file)
  if (!existsSync(file)) throw new UserError(`--config: there is no file ${file}`)
  const content = await loadFile(file, context)
  if (!isRecord(content))
    throw new UserError(
      `${name}: must export an object (or a function that returns one) with the options as its members`,
    )
  return checkNames(name, content)
}

function findFile(directory: string): string | undefined {
  const [first, second] = FILE_NAMES.filter((name) => existsSync(resolve(directory, name)))
  if (second !== undefined)
    throw new UserError(
      `${first} and ${second} both exist; remove one, or choose one with --config`,
    )
  return first === undefined ? undefined : resolve(directory, first)
}

async function loadFile(file: string, context: ConfigContext): Promise<unknown> {
  try {
    if (file.endsWith('.json')) return parseJson(file, await readFile(file, 'utf8'))
    const module = (await import(pathToFileURL(file).href)) as { default?: unknown }
    if (module.default === undefined)
      throw new UserError(`${basename(file)}: has no default export; write "export default { … }"`)
    return typeof module.default === 'function' ? await module.default(context) : module.default
  } catch (error) {
    if (error instanceof UserError) throw error
    const problem = isReadAsCommonJs(file, error)
      ? `is an ES module, but package.json has another type; name it ${basename(file).replace(/\.(?=[jt]s$)/, '.m')}, or set "type": "module" in package.json`
      : `cannot be loaded: ${withoutText(error)}`
    throw new UserError(`${basename(file)}: ${problem}`, { cause: error })
  }
}

/** The parser's message quotes the text, which may be a secret. The error names only the position. */
function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const at = /at position (\d+)/.exec(firstLine(error))?.[1]
    const lines = text.slice(0, Number(at)).split('\n')
    const place = at && ` at line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`
    throw new UserError(`${basename(file)}: cannot be loaded: it is not valid JSON${place ?? ''}`)
  }
}

/** Returns the message of an error; for an error in the file itself, without the text of the file. */
function withoutText(error: unknown): string {
  const isSyntax = error instanceof Error && error.name === 'SyntaxError'
  return isSyntax ? firstLine(error).replace(/'[^']*'|"[^"]*"|`[^`]*`/g, '…') : firstLine(error)
}

/** `npm init` writes `"type": "commonjs"`, which makes `import` and `export` syntax errors. */
function isReadAsCommonJs(file: string, error: unknown): boolean {
  return (
    /\.[jt]s$/.test(file) &&
    error instanceof Error &&
    error.name === 'SyntaxError' &&
    /outside a module|Unexpected token 'export'/.test(error.message)
  )
}

function checkNames(name: string, content: Record<string, unknown>): ConfigFile {
  const { auth = {}, ...values } = content
  const known = [...optionNames, 'auth']
  for (const key of Object.keys(values)) {
    if (known.includes(key)) continue
    const hint = Object.hasOwn(authMembers, key) ? `; move it to "auth"` : suggestion(key, known)
    throw new UserError(`${name}: there is no option "${key}"${hint}`)
  }
  if (!isRecord(auth)) throw new UserError(`${name}: auth must be an object`)
  for (const key of Object.keys(auth)) {
    if (!Object.hasOwn(authMembers, key))
      throw new UserError(
        `${name}: there is no option "auth.${key}"${suggestion(key, Object.keys(authMembers), 'auth.')}`,
      )
  }
  for (const key of frameworkMembers)
    if (auth[key] !== undefined)
      throw new UserError(`${name}: auth.${key} is for authors of frameworks; remove it`)
  return { name, ...liftMembers(name, values, auth) }
}

/** Moves `auth.secret` and similar members to the options of the same name. If both are set, that is a mistake. */
function liftMembers(
  name: string,
  values: Record<string, unknown>,
  auth: Record<string, unknown>,
): Pick<ConfigFile, 'values' | 'auth'> {
  const lifted = { ...values }
  const rest = { ...auth }
  for (const key of liftedMembers) {
    if (auth[key] === undefined) continue
    if (values[key] !== undefined)
      throw new UserError(`${name}: ${key} and auth.${key} are both set; remove one`)
    lifted[key] = auth[key]
    delete rest[key]
  }
  return { values: lifted, auth: rest }
}

function suggestion(key: string, candidates: readonly string[], prefix = ''): string {
  const found = nearest(key, candidates)
  return found === undefined ? '' : `; did you mean "${prefix}${found}"?`
}
