/**
 * Sign in with BankID Norge.
 *
 * Order an OIDC client from BankID with the callback URL
 * `https://your.site/auth/callback/bankid-no`, then set `AUTH_BANKID_NO_ID` and
 * `AUTH_BANKID_NO_SECRET`.
 *
 * BankID returns the email address only to clients with permission. For tests, set
 * `issuer: 'https://auth.current.bankid.no/auth/realms/current'`.
 *
 * @see https://developer.bankid.no/bankid-oidc-provider/
 * @module
 */

import { type OIDCProvider, oidc } from './define.ts'

/** The members of the userinfo answer. */
export interface BankIDNorwayProfile {
  sub: string
  name: string
  /** Only when the client may ask for it. */
  email?: string
  exp: number
  iat: number
  auth_time?: number
  jti?: string
  iss: string
  aud: string
  typ?: 'ID'
  azp?: string
  session_state?: string
  at_hash?: string
  given_name?: string
  family_name?: string
  birthdate?: string
  updated_at?: number
  acr?: string
  sid?: string
  amr?: 'BID' | 'BIM' | 'BIS'
  bankid_altsub?: string
  originator?: string
  /** Of the certificate that they signed with. */
  additionalCertInfo?: {
    certValidFrom: number
    serialNumber: string
    keyAlgorithm: string
    keySize: string
    policyOid: string
    certQualified: boolean
    certValidTo: number
    versionNumber: string
    subjectName: string
  }
  tid?: string
  /** The national identity number, for clients that may ask for it. */
  nnin_altsub?: string
  [claim: string]: unknown
}

const bankIDNorway: OIDCProvider<BankIDNorwayProfile> = oidc({
  id: 'bankid-no',
  name: 'BankID Norge',
  issuer: 'https://auth.bankid.no/auth/realms/prod',
  authorization: { params: { ui_locales: 'no', login_hint: 'BIS' } },
  idToken: false,
  checks: ['pkce', 'state', 'nonce'],
  client: {
    token_endpoint_auth_method: 'client_secret_post',
    userinfo_signed_response_alg: 'RS256',
  },
  profile: ({ sub, name, email }) => ({ id: sub, name, email: email ?? null, image: null }),
  style: { brandColor: '#39134c' },
})

export default bankIDNorway
