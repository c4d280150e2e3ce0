/**
 * Sign in with Hugging Face.
 *
 * Register an OAuth app with the callback URL `https://your.site/auth/callback/huggingface`, then
 * set `AUTH_HUGGINGFACE_ID` and `AUTH_HUGGINGFACE_SECRET`.
 *
 * Allow the scope `email` in the app, or omit it with
 * `authorization: { params: { scope: 'openid profile' } }`.
 *
 * @see https://huggingface.co/docs/hub/en/oauth
 * @module
 */

import { type OIDCProvider, oidc } from './define.ts'
import { mark } from './marks/huggingface.ts'

/** The claims of the ID token. */
export interface HuggingfaceProfile {
  sub: string
  name?: string
  preferred_username?: string
  email?: string
  email_verified?: boolean
  picture?: string
  profile?: string
  website?: string
  isPro?: boolean
  canPay?: boolean
  orgs?: {
    sub: string
    name: string
    picture: string
    preferred_username: string
    isEnterprise: boolean
    canPay?: boolean
    roleInOrg?: 'admin' | 'write' | 'read' | 'contributor'
    pendingSSO?: boolean
    missingMFA?: boolean
    resourceGroups?: {
      sub: string
      name: string
      role: 'admin' | 'write' | 'read' | 'contributor'
    }[]
  }[]
  [claim: string]: unknown
}

const huggingface: OIDCProvider<HuggingfaceProfile> = oidc({
  id: 'huggingface',
  name: 'Hugging Face',
  issuer: 'https://huggingface.co',
  checks: ['state', 'pkce'],
  style: { brandColor: '#ffd21e', mark },
})

export default huggingface
