/**
 * Sign in with Coinbase.
 *
 * Register an OAuth app with the callback URL `https://your.site/auth/callback/coinbase`, then set
 * `AUTH_COINBASE_ID` and `AUTH_COINBASE_SECRET`.
 *
 * @see https://docs.cdp.coinbase.com/coinbase-app/oauth2-integration/overview
 * @module
 */

import { type OAuthProvider, oauth } from './define.ts'
import { mark } from './marks/coinbase.ts'

/** The members of the answer that the default user is made of. */
export interface CoinbaseProfile {
  data: {
    id: string
    name: string
    /** With the scope `wallet:user:email`. */
    email: string
    avatar_url: string
  }
  [member: string]: unknown
}

const coinbase: OAuthProvider<CoinbaseProfile> = oauth({
  id: 'coinbase',
  name: 'Coinbase',
  authorization: {
    url: 'https://login.coinbase.com/oauth2/auth',
    params: { scope: 'wallet:user:email wallet:user:read' },
  },
  token: 'https://login.coinbase.com/oauth2/token',
  userinfo: 'https://api.coinbase.com/v2/user',
  profile: ({ data }) => ({
    id: data?.id,
    name: data?.name,
    email: data?.email,
    image: data?.avatar_url,
  }),
  style: { brandColor: '#0052ff', mark },
})

export default coinbase
