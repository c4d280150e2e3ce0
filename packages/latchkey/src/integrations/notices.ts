import type { AuthConfig } from '../index.ts'

/** What only an integration can see is wrong. Each is said once. */
export interface Notices {
  mountPoint(mount: string, base: string): void
  /** @param setting that has the framework believe its proxy. */
  untrustedProxy(setting: string): void
}

/** Tells the application's logger; the console where it has none. */
export function noticing(logger: AuthConfig['logger']): Notices {
  const said = new Set<string>()
  const warn = (code: 'mount-point' | 'proxy-not-trusted', detail: string): void => {
    if (said.has(code)) return
    said.add(code)
    if (logger?.warn) logger.warn(code, detail)
    else console.warn(`[latchkey][warn][${code}] ${detail}`)
  }
  return {
    mountPoint: (mount, base) =>
      warn(
        'mount-point',
        // As JSON: a mount point with parameters has what the visitor wrote.
        `mounted at ${JSON.stringify(mount)}, but the base path is ${JSON.stringify(base)}; make both the same (mount point, \`basePath\`, path of AUTH_URL)`,
      ),
    untrustedProxy: (setting) =>
      warn(
        'proxy-not-trusted',
        `a proxy says that the browser used https (X-Forwarded-Proto), but is not trusted, so addresses begin with http and cookies are not secure; set ${setting}`,
      ),
  }
}
