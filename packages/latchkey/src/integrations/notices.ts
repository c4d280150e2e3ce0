import { mayBeMounted, notesOf } from '../base/instance-notes.ts'
import { warnOnConsole } from '../base/warnings.ts'
import type { AuthConfig } from '../entries/index.ts'
import { ignoredProxy, ignoresProxy, schemeUnlike } from '../http/origin/ignored-proxy.ts'
import { processEnv } from './mounted.ts'
import { first, type NodeRequest } from './node-http.ts'
import type { Guarded } from './parts.ts'

/** Warnings about mistakes that only an integration can see. Each is logged once. */
export interface Notices {
  mountPoint(mount: string, base: string): void
  /** Warns if the sign-in page, to which a guard redirects, returned 404. */
  unanswered(guarded: Guarded, status: number): void
  /** Warns, not in production, if a guard redirects to the sign-in page, and this process has mounted no handler. */
  led(response: Response | undefined, guard: object): void
  /**
   * Warns if a proxy reports https, but the framework does not trust it, or `AUTH_URL` is http.
   *
   * @param protocol the protocol that the framework determined.
   * @param setting the setting with which the framework trusts its proxy.
   */
  proxy(headers: NodeRequest['headers'], protocol: string, setting: string): void
}

const SIGN_IN = '/signin'

/** Warns the application's logger, or the console without one. */
export function noticing(logger: AuthConfig['logger']): Notices {
  const warned = new Set<string>()
  const warn = (
    code: 'mount-point' | 'proxy-not-trusted' | 'address-mismatch',
    detail: string,
  ): void => {
    if (warned.has(code)) return
    warned.add(code)
    if (logger?.warn) logger.warn(code, detail)
    else warnOnConsole(console, code, detail)
  }
  const nowhere = (path: string): void => {
    const base = JSON.stringify(path.slice(0, -SIGN_IN.length))
    warn(
      'mount-point',
      `a guard redirects to ${JSON.stringify(path)}, but no handler is mounted there; mount the handler at ${base}, or set \`basePath\` to its mount point`,
    )
  }
  return {
    mountPoint: (mount, base) =>
      warn(
        'mount-point',
        // As JSON, because a mount point with parameters contains input of the visitor.
        `mounted at ${JSON.stringify(mount)}, but the base path is ${JSON.stringify(base)}; make both the same (mount point, \`basePath\`, path of AUTH_URL)`,
      ),
    unanswered({ path, open }, status) {
      if (open && status === 404 && path.endsWith(SIGN_IN)) nowhere(path)
    },
    led(response, latchkey) {
      const { signIn } = notesOf(latchkey) ?? {}
      const to = response?.headers.get('location')
      // In production, a proxy may send the actions to another process.
      if (!to || signIn === undefined || processEnv()['NODE_ENV'] === 'production') return
      if (!URL.canParse(to) || new URL(to).pathname !== signIn) return
      if (!mayBeMounted(signIn.slice(0, -SIGN_IN.length))) nowhere(signIn)
    },
    proxy(headers, protocol, setting) {
      const { AUTH_URL, NEXTAUTH_URL } = processEnv()
      const url = AUTH_URL || NEXTAUTH_URL
      const forwarded = first(headers['x-forwarded-proto'])
      const scheme = url ? url.slice(0, url.indexOf(':')) : protocol
      if (!ignoresProxy(scheme, forwarded)) return
      if (url) warn('address-mismatch', schemeUnlike(url))
      else warn('proxy-not-trusted', ignoredProxy(setting))
    },
  }
}
