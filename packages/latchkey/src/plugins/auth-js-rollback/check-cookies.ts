import type { BegunSignIn, Cookie, CookieName } from '../../entries/plugin.ts'

/** The cookie in which Auth.js keeps each check. It has one of each, for the latest sign-in. */
const cookieNames = {
  state: 'state',
  pkce: 'pkceCodeVerifier',
  nonce: 'nonce',
} as const satisfies Readonly<Record<string, CookieName>>

/** Returns the cookies by which Auth.js finishes a sign-in. They are marked: our own cookie decides here. */
export function checkCookies(signIn: BegunSignIn): Promise<readonly Cookie[]> {
  const { provider, checks } = signIn
  const names = (['state', 'pkce', 'nonce'] as const).filter((name) => checks.includes(name))
  return Promise.all(
    names.map((name) =>
      signIn.keep(cookieNames[name], { value: signIn[name] ?? '', provider, attempt: true }),
    ),
  )
}
