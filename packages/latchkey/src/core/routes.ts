import type { AuthAction, AuthMethod } from '../http/request.ts'
import type { ReadAction, VisitAction } from './actions/action.ts'
import { callback } from './actions/callback.ts'
import { csrf } from './actions/csrf.ts'
import { showError, showVerifyRequest } from './actions/pages.ts'
import { providers } from './actions/providers.ts'
import { readSession, updateSession } from './actions/session.ts'
import { showSignIn, signIn } from './actions/signin.ts'
import { showSignOut, signOut } from './actions/signout.ts'
import { webauthnOptions } from './actions/webauthn-options.ts'

/** A route: its handler, and the properties that must be known before it runs. */
export type Route = About &
  (
    | { readonly kind: 'read'; readonly run: ReadAction }
    | { readonly kind: 'visit'; readonly run: VisitAction }
  )

interface About {
  /** `programs` receive errors as JSON, `people` as a page. */
  readonly for: 'programs' | 'people'
  /** Whether the path may end with the id of a provider. */
  readonly provider?: true
  /** Whether the form must have the CSRF token. */
  readonly csrf?: true
  /** Whether it signs in, or adds a way to sign in: refused to a program with a token in a header. */
  readonly signsIn?: true
  /** Whether an error response sets the cookies that the next form needs. */
  readonly refreshesVisit?: true
  /** Whether a flow ends here. It then shows no page, and an error clears the cookies of the flow. */
  readonly endsFlow?: true
}

const ofCallback = {
  kind: 'visit',
  run: callback,
  for: 'people',
  provider: true,
  refreshesVisit: true,
  signsIn: true,
  endsFlow: true,
} as const

/**
 * All actions and their methods. Other requests are answered with an error. `core/auth.ts` handles `GET session` itself,
 * without this table. The callback checks the CSRF token itself, since that depends on the provider.
 */
export const routes: Readonly<Record<AuthAction, Readonly<Partial<Record<AuthMethod, Route>>>>> = {
  callback: { GET: ofCallback, POST: ofCallback },
  csrf: { GET: { kind: 'visit', run: csrf, for: 'programs' } },
  error: { GET: { kind: 'read', run: showError, for: 'people' } },
  providers: { GET: { kind: 'read', run: providers, for: 'programs' } },
  session: {
    GET: { kind: 'read', run: readSession, for: 'programs' },
    POST: { kind: 'read', run: updateSession, for: 'programs', csrf: true },
  },
  signin: {
    GET: { kind: 'visit', run: showSignIn, for: 'people', provider: true, refreshesVisit: true },
    POST: {
      kind: 'visit',
      run: signIn,
      for: 'people',
      provider: true,
      csrf: true,
      signsIn: true,
      refreshesVisit: true,
    },
  },
  signout: {
    GET: { kind: 'visit', run: showSignOut, for: 'people', refreshesVisit: true },
    POST: { kind: 'visit', run: signOut, for: 'people', csrf: true, refreshesVisit: true },
  },
  'verify-request': { GET: { kind: 'read', run: showVerifyRequest, for: 'people' } },
  'webauthn-options': {
    GET: { kind: 'visit', run: webauthnOptions, for: 'programs', provider: true, signsIn: true },
  },
}
