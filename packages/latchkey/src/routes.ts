import type { ReadAction, VisitAction } from './actions/action.ts'
import { callback } from './actions/callback.ts'
import { csrf } from './actions/csrf.ts'
import { showError, showVerifyRequest } from './actions/pages.ts'
import { providers } from './actions/providers.ts'
import { readSession, updateSession } from './actions/session.ts'
import { showSignIn, signIn } from './actions/signin.ts'
import { showSignOut, signOut } from './actions/signout.ts'
import { webauthnOptions } from './actions/webauthn-options.ts'
import type { AuthAction, AuthMethod } from './request.ts'

/** Who answers, and all that is to be known of it before. */
export type Route = About &
  (
    | { readonly kind: 'read'; readonly run: ReadAction }
    | { readonly kind: 'visit'; readonly run: VisitAction }
  )

interface About {
  /** Programs get an error as JSON, people a page. */
  readonly for: 'programs' | 'people'
  /** May the id of a provider follow? */
  readonly provider?: true
  /** Must the form carry the CSRF token? */
  readonly csrf?: true
  /** Does an error leave the browser with what its next form needs? */
  readonly refreshesVisit?: true
  /** Does a flow end here? No page is shown then, and an error forgets what the flow kept in the browser. */
  readonly endsFlow?: true
}

const ofCallback = {
  kind: 'visit',
  run: callback,
  for: 'people',
  provider: true,
  refreshesVisit: true,
  endsFlow: true,
} as const

/**
 * Every action and method that exists. What is not in this table is answered with an error. `GET session` needs nothing of
 * all this, and is answered before (`auth.ts`). The callback asks for the token itself, since that depends on the provider.
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
    GET: { kind: 'visit', run: showSignIn, for: 'people', refreshesVisit: true },
    POST: {
      kind: 'visit',
      run: signIn,
      for: 'people',
      provider: true,
      csrf: true,
      refreshesVisit: true,
    },
  },
  signout: {
    GET: { kind: 'visit', run: showSignOut, for: 'people', refreshesVisit: true },
    POST: { kind: 'visit', run: signOut, for: 'people', csrf: true, refreshesVisit: true },
  },
  'verify-request': { GET: { kind: 'read', run: showVerifyRequest, for: 'people' } },
  'webauthn-options': {
    GET: { kind: 'visit', run: webauthnOptions, for: 'programs', provider: true },
  },
}
