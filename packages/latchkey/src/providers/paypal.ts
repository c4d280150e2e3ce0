/**
 * Sign in with PayPal.
 *
 * Create an app with "Log in with PayPal" and the return URL `https://your.site/auth/callback/paypal`,
 * choose the user data that it receives, then set `AUTH_PAYPAL_ID` and `AUTH_PAYPAL_SECRET`. **Without
 * `environment: 'live'`, people sign in at the sandbox.** PayPal does not accept `localhost`.
 *
 * @see https://developer.paypal.com/docs/log-in-with-paypal/integrate/
 * @module
 */

import type { OAuthConfig, OAuthUserConfig } from '../options/provider-options.ts'
import { oauth } from './define.ts'
import { mark } from './marks/paypal.ts'

/** The members of the answer. */
export interface PayPalProfile {
  user_id: string
  /** As far as the app is told of them, as all of these. */
  name?: string
  email?: string
  /** `false` while nobody has proven the address. */
  email_verified?: boolean
  picture?: string
  sub?: string
  given_name?: string
  family_name?: string
  middle_name?: string
  gender?: string
  birthdate?: string
  zoneinfo?: string
  locale?: string
  phone_number?: string
  address?: {
    street_address?: string
    locality?: string
    region?: string
    postal_code?: string
    country?: string
  }
  verified_account?: boolean
  account_type?: string
  age_range?: string
  payer_id?: string
  [member: string]: unknown
}

/** What an application may say about PayPal. */
export type PayPalOptions = OAuthUserConfig<PayPalProfile> & {
  /** @default 'sandbox' */
  environment?: 'sandbox' | 'live' | undefined
}

export default function PayPal(options: PayPalOptions = {}): OAuthConfig<PayPalProfile> {
  const { environment = 'sandbox', ...rest } = options
  const domain = environment === 'live' ? 'paypal.com' : 'sandbox.paypal.com'
  return oauth<PayPalProfile>({
    id: 'paypal',
    name: 'PayPal',
    authorization: { url: `https://www.${domain}/signin/authorize`, params: { scope: null } },
    token: {
      url: `https://api-m.${domain}/v1/oauth2/token`,
      headers: { 'accept-language': 'en_US' },
    },
    userinfo: {
      url: `https://api-m.${domain}/v1/identity/oauth2/userinfo`,
      params: { schema: 'paypalv1.1' },
    },
    checks: ['state'],
    profile: ({ user_id, name, email, email_verified, picture }) => ({
      id: user_id,
      name: name ?? null,
      email: email_verified === false ? null : (email ?? null),
      image: picture ?? null,
    }),
    style: { brandColor: '#002991', mark },
  })(rest)
}
