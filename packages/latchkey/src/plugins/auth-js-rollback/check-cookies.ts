import type { BegunSignIn, Cookie, CookieName } from '../../entries/plugin.ts'

/** The cookies of Auth.js for its checks. Each holds the check of the latest sign-in only. */
const cookieNames = {
  state: 'state',
  pkce: 'pkceCodeVerifier',
  nonce: 'nonce',
} as const satisfies Readonly<Record<string, CookieName>>

/**
 * Returns the cookies with which Auth.js completes a sign-in. They are marked, since Latchkey decides by its own
 * cookie.
 */
export function checkCookies(signIn: BegunSignIn): Promise<readonly Cookie[]> {
  const { provider, checks } = signIn
  const names = (['state', 'pkce', 'nonce'] as const).filter((name) => checks.includes(name))
  return Promise.all(
    names.map((name) =>
      signIn.keep(cookieNames[name], { value: signIn[name] ?? '', provider, attempt: true }),
    ),
  )
}
