import { ignoredProxy, ignoresProxy } from '../http/ignored-proxy.ts'
import type { AuthConfig } from '../index.ts'
import { processEnv } from './mounted.ts'
import { first, type NodeRequest } from './node-http.ts'
import type { Guarded } from './parts.ts'

/** What only an integration can see is wrong. Each is said once. */
export interface Notices {
  mountPoint(mount: string, base: string): void
  /** Did nothing answer at the sign-in page, to which a guard leads? */
  unanswered(guarded: Guarded, status: number): void
  /**
   * Is there a proxy that the framework does not believe?
   *
   * @param protocol as the framework has it.
   * @param setting that has it believe its proxy.
   */
  proxy(headers: NodeRequest['headers'], protocol: string, setting: string): void
}

const SIGN_IN = '/signin'

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
    unanswered({ path, open }, status) {
      if (!open || status !== 404 || !path.endsWith(SIGN_IN)) return
      const base = JSON.stringify(path.slice(0, -SIGN_IN.length))
      warn(
        'mount-point',
        `a guard leads to ${JSON.stringify(path)}, but nothing answers there; mount the handler at ${base}, or say in \`basePath\` where it is mounted`,
      )
    },
    proxy(headers, protocol, setting) {
      const { AUTH_URL, NEXTAUTH_URL } = processEnv()
      if (AUTH_URL || NEXTAUTH_URL) return
      if (ignoresProxy(protocol, first(headers['x-forwarded-proto']))) {
        warn('proxy-not-trusted', ignoredProxy(setting))
      }
    },
  }
}
