import { warningLine } from './errors.ts'

/**
 * Warnings about the configuration and the place where it runs. Frameworks bundle an application several times, for
 * example for each route, and each bundle compiles the same configuration.
 */
const ofTheStart: ReadonlySet<string> = new Set([
  'adapter-methods-missing',
  'address-mismatch',
  'client-id-missing',
  'cookie-refused',
  'csrf-disabled',
  'debug-enabled',
  'duplicate-provider-id',
  'env-url-basepath-mismatch',
  'env-url-basepath-redundant',
  'front-channel-logout',
  'limits-in-process',
  'limits-off',
  'low-contrast',
  'mount-point',
  'option-ignored',
  'password-hashing',
  'provider-deprecated',
  'provider-tokens-uncoordinated',
  'proxy-not-trusted',
  'redirect-proxy-open',
  'session-secrets',
  'sessions-unchecked',
  'short-secret',
  'unknown-option',
])

/** The lines that consoles of this process have shown. All copies of the library share them. */
const key = Symbol.for('latchkey.shown-warnings')
const MOST_LINES = 1000

/**
 * Logs a warning to the console. A warning of the start is logged once for each process and configuration.
 *
 * @param configuration what distinguishes the configuration from others in the process.
 */
export function warnOnConsole(
  console: Pick<Console, 'warn'>,
  code: string,
  detail?: string,
  configuration = '',
): void {
  if (ofTheStart.has(code)) warnOnceOnConsole(console, code, detail, configuration)
  else console.warn(warningLine(code, detail))
}

/** Logs a warning of the start to the console, once for each process and configuration. */
export function warnOnceOnConsole(
  console: Pick<Console, 'warn'>,
  code: string,
  detail?: string,
  configuration = '',
): void {
  const line = warningLine(code, detail)
  if (isFirst(console, `${configuration} ${line}`)) console.warn(line)
}

function isFirst(console: object, line: string): boolean {
  const shared = globalThis as { [key]?: WeakMap<object, Set<string>> }
  const consoles = (shared[key] ??= new WeakMap())
  const lines = consoles.get(console) ?? new Set()
  consoles.set(console, lines)
  if (lines.has(line)) return false
  // Some name an address, of which there may be many.
  if (lines.size >= MOST_LINES) lines.clear()
  lines.add(line)
  return true
}
