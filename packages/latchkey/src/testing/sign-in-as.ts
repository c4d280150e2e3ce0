import { parseSetCookie } from 'cookie'
import { systemPorts } from '../base/ports.ts'
import { createAuth } from '../core/auth.ts'
import { withOldNames } from '../instance/site.ts'
import type { SessionOf } from '../instance/types.ts'
import type { Session } from '../model/session.ts'
import type { User } from '../model/user.ts'
import type { AuthConfig } from '../options/auth-config.ts'
import { processEnv, withEnv } from '../options/env.ts'
import { createTestProvider } from './provider.ts'
import { browse } from './world.ts'

/** A cookie for `context.addCookies` of Playwright. */
export interface BrowserCookie {
  name: string
  value: string
  url: string
  /** Seconds since the epoch. */
  expires?: number
  httpOnly: boolean
  secure: boolean
  sameSite: 'Lax' | 'None' | 'Strict'
}

/** A signed-in user. */
export interface SignedInAs<S = Session> {
  /** The cookies for Playwright: `await context.addCookies(cookies)`. */
  readonly cookies: BrowserCookie[]
  /** The cookies as headers of a request: `new Request(url, { headers })`. */
  readonly headers: Headers
  /** The session as the browser receives it. It has `user.id` if the configuration sets `session.userId`. */
  readonly session: S
}

/**
 * Signs a user in to an application, as a provider would: it calls the callbacks, the adapter stores a new user, and
 * the session is stored as configured. A stored user with the same address is signed in. Gates of plugins do not apply.
 *
 * @param config the configuration of the application. Without a secret, it is read from the environment.
 * @param user the result of the provider's `profile`.
 * @param origin the origin of the application when the cookies are used.
 * @throws if the sign-in is refused. The message has the URL to which the browser was sent.
 */
export async function signInAs<const Config extends AuthConfig>(
  config: Config,
  user: User,
  origin: string = 'http://localhost:3000',
): Promise<SignedInAs<SessionOf<Config>>> {
  const sub = user.id ?? user.email ?? 'somebody'
  const idp = createTestProvider({ id: 'latchkey-test', profile: { sub, email_verified: true } })
  const provider = {
    ...idp.provider,
    profile: () => ({ ...user, id: sub }),
    allowDangerousEmailAccountLinking: true,
  }
  // There is no other deployment here that receives the responses of providers.
  const { redirectProxyUrl: _, ...complete } = withEnv(withOldNames(processEnv()), {
    ...config,
    trustHost: true,
    providers: [...config.providers, provider],
    plugins: (config.plugins ?? []).map((plugin) => ({
      ...plugin,
      gate: undefined,
      setUp: (host: never) => ({ ...plugin.setUp(host), atGate: undefined }),
    })),
  })
  const set = new Map<string, BrowserCookie>()
  const world = browse({
    core: createAuth(systemPorts),
    config: complete,
    origin,
    log: [],
    now: systemPorts.now,
    advance: () => {},
    received: (lines) => {
      for (const cookie of lines.map((line) => toCookie(line, origin))) set.set(cookie.name, cookie)
    },
  })
  const end = await idp.signIn(world)
  const session = (await world.session()) as SessionOf<Config> | null
  if (!session) {
    throw new Error(`the sign-in was refused; it ends at ${end.headers.get('location')}`)
  }
  const cookies = [...set.values()].filter(({ name }) => world.jar.has(name))
  const pairs = cookies.map(({ name, value }) => `${name}=${value}`)
  return { cookies, headers: new Headers({ cookie: pairs.join('; ') }), session }
}

function toCookie(line: string, url: string): BrowserCookie {
  // The raw value, because a browser does not decode it.
  const {
    name,
    value = '',
    expires,
    httpOnly,
    secure,
    sameSite,
  } = parseSetCookie(line, {
    decode: (text) => text,
  })
  return {
    name,
    value,
    url,
    ...(expires ? { expires: Math.floor(expires.getTime() / 1000) } : {}),
    httpOnly: httpOnly === true,
    secure: secure === true,
    sameSite: sameSite === 'strict' ? 'Strict' : sameSite === 'none' ? 'None' : 'Lax',
  }
}
