/**
 * Sign in with United Effects.
 *
 * Register an OAuth app with the callback URL `https://your.site/auth/callback/united-effects`, then set
 * `AUTH_UNITED_EFFECTS_ID`, `AUTH_UNITED_EFFECTS_SECRET` and `AUTH_UNITED_EFFECTS_ISSUER`. The issuer
 * belongs to your auth group: `https://auth.your.site/your-auth-group`.
 *
 * @see https://docs.unitedeffects.com/integrations/nextauthjs
 * @module
 */

import { type OIDCProvider, oidc } from './define.ts'

/** The claims of the ID token that the default user is made of. */
export interface UnitedEffectsProfile {
  sub: string
  name?: string
  email?: string
  email_verified?: boolean
  picture?: string
  [claim: string]: unknown
}

const unitedEffects: OIDCProvider<UnitedEffectsProfile> = oidc({
  id: 'united-effects',
  name: 'United Effects',
  authorization: { params: { scope: 'openid email profile', resource: '{issuer}' } },
})

export default unitedEffects
