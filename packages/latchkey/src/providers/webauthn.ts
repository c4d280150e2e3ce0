/**
 * Sign in with a passkey or a security key, whichever the visitor has: an authenticator that cannot
 * check who is using it may make one too, but not use it, unless `verifyAuthenticationOptions` and
 * `verifyRegistrationOptions` say otherwise. {@link "providers/passkey"} asks for what it checks.
 *
 * Needs the package `@simplewebauthn/server`, an adapter, and `experimental: { enableWebAuthn: true }`.
 *
 * @see https://www.w3.org/TR/webauthn-3/
 * @module
 */

import type { WebAuthnConfig, WebAuthnUserConfig } from '../options/provider-options.ts'
import { webauthn } from './define.ts'

export default function WebAuthn(options: WebAuthnUserConfig = {}): WebAuthnConfig {
  return webauthn({}, options)
}
