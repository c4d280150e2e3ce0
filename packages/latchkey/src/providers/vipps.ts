/**
 * Sign in with Vipps.
 *
 * Set up Login for a sales unit with the callback URL `https://your.site/auth/callback/vipps`, then
 * set `AUTH_VIPPS_ID` and `AUTH_VIPPS_SECRET`.
 *
 * The profile comes from the userinfo endpoint. For tests, set
 * `issuer: 'https://apitest.vipps.no/access-management-1.0/access/'`.
 *
 * @see https://developer.vippsmobilepay.com/docs/APIs/login-api/
 * @module
 */

import { type OIDCProvider, oidc } from './define.ts'

interface VippsAddress {
  address_type: string
  country: string
  formatted: string
  postal_code: string
  region: string
  street_address: string
}

/** The members of the userinfo answer. */
export interface VippsProfile {
  sub: string
  name?: string
  email?: string
  email_verified?: boolean
  picture?: string
  /** Only with a scope that asks for it, as what follows. */
  accounts?: { account_name: string; account_number: number; bank_name: string }[]
  address?: VippsAddress
  other_addresses?: VippsAddress[]
  birthdate?: string
  family_name?: string
  given_name?: string
  nin?: string
  phone_number?: string
  sid?: string
  delegatedConsents?: {
    language: string
    heading: string
    termsDescription: string
    confirmConsentButtonText: string
    links: {
      termsLinkText: string
      termsLinkUrl: string
      privacyStatementLinkText: string
      privacyStatementLinkUrl: string
    }
    timeOfConsent: string
    consents: {
      id: string
      accepted: boolean
      required: boolean
      textDisplayedToUser: string
    }[]
  }
  [claim: string]: unknown
}

const vipps: OIDCProvider<VippsProfile> = oidc({
  id: 'vipps',
  name: 'Vipps',
  issuer: 'https://api.vipps.no/access-management-1.0/access/',
  authorization: { params: { scope: 'openid name email' } },
  idToken: false,
  checks: ['pkce', 'state', 'nonce'],
  style: { brandColor: '#f05c18' },
})

export default vipps
