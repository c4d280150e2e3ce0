import type { ReadAction, VisitAction } from './actions/action.ts'
import { callback } from './actions/callback.ts'
import { csrf } from './actions/csrf.ts'
import { showError, showVerifyRequest } from './actions/pages.ts'
import { providers } from './actions/providers.ts'
import { updateSession } from './actions/session.ts'
import { showSignIn, signIn } from './actions/signin.ts'
import { showSignOut, signOut } from './actions/signout.ts'
import { webauthnOptions } from './actions/webauthn-options.ts'
import type { AuthAction, AuthMethod } from './request.ts'

/** Who answers, and whether the form must carry the CSRF token. */
export type Route =
  | { readonly kind: 'read'; readonly run: ReadAction; readonly csrf?: true }
  | { readonly kind: 'visit'; readonly run: VisitAction; readonly csrf?: true }

/**
 * Every action and method that exists, but for `GET session`, which needs nothing of all this (`auth.ts`).
 * What is not in this table is answered with an error. The callback asks for the token itself, since that depends on the provider.
 */
export const routes: Readonly<Record<AuthAction, Readonly<Partial<Record<AuthMethod, Route>>>>> = {
  callback: {
    GET: { kind: 'visit', run: callback },
    POST: { kind: 'visit', run: callback },
  },
  csrf: { GET: { kind: 'visit', run: csrf } },
  error: { GET: { kind: 'read', run: showError } },
  providers: { GET: { kind: 'read', run: providers } },
  session: { POST: { kind: 'read', run: updateSession, csrf: true } },
  signin: {
    GET: { kind: 'visit', run: showSignIn },
    POST: { kind: 'visit', run: signIn, csrf: true },
  },
  signout: {
    GET: { kind: 'visit', run: showSignOut },
    POST: { kind: 'visit', run: signOut, csrf: true },
  },
  'verify-request': { GET: { kind: 'read', run: showVerifyRequest } },
  'webauthn-options': { GET: { kind: 'visit', run: webauthnOptions } },
}
