/**
 * Sign in with a passkey: a credential on the device or in the password manager of the visitor. They
 * need not enter an address, and confirm with a finger, a face or a PIN.
 *
 * Needs the package `@simplewebauthn/server` and an adapter.
 *
 * @see https://www.w3.org/TR/webauthn-3/
 * @module
 */

import type { WebAuthnConfig, WebAuthnUserConfig } from '../options/provider-options.ts'
import { DEFAULT_WEBAUTHN_TIMEOUT, webauthn } from './webauthn.ts'

export default function Passkey(options: WebAuthnUserConfig = {}): WebAuthnConfig {
  return webauthn(
    {
      id: 'passkey',
      name: 'Passkey',
      authenticationOptions: { timeout: DEFAULT_WEBAUTHN_TIMEOUT, userVerification: 'required' },
      registrationOptions: {
        timeout: DEFAULT_WEBAUTHN_TIMEOUT,
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      },
      verifyAuthenticationOptions: { requireUserVerification: true },
      verifyRegistrationOptions: { requireUserVerification: true },
    },
    options,
  )
}
