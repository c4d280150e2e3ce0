/**
 * Sign in with a passkey or a security key. The authenticator must verify the user, unless
 * `verifyAuthenticationOptions` and `verifyRegistrationOptions` turn this off.
 *
 * Needs the package `@simplewebauthn/server` and an adapter.
 *
 * @see https://www.w3.org/TR/webauthn-3/
 * @module
 */

import { passkeys } from '../base/texts/en.ts'
import { compileWebAuthn } from '../flows/webauthn/webauthn-provider.ts'
import { checkPasskeys } from '../option-checks/check-passkeys.ts'
import { checkWith, compileWith } from '../options/markers.ts'
import type { WebAuthnConfig, WebAuthnUserConfig } from '../options/provider-options.ts'
import { simpleWebAuthn } from '../protocols/webauthn/load.ts'

export type {
  GetUserInfo,
  WebAuthnConfig,
  WebAuthnProviderType,
} from '../options/provider-options.ts'
/** As Auth.js calls it. */
export type { RelyingParty as RelayingParty } from '../protocols/webauthn/simple-webauthn.ts'

export default function WebAuthn(options: WebAuthnUserConfig = {}): WebAuthnConfig {
  return webauthn({}, options)
}

/** Milliseconds that a person has to use their authenticator. */
export const DEFAULT_WEBAUTHN_TIMEOUT = 300_000

/**
 * Describes a way to sign in with passkeys. Not beside those of the other types: who bundles them
 * would need the package that passkeys need.
 */
export function webauthn(
  description: Omit<WebAuthnUserConfig, 'simpleWebAuthn'>,
  options: WebAuthnUserConfig = {},
): WebAuthnConfig {
  return {
    id: 'webauthn',
    name: 'WebAuthn',
    enableConditionalUI: true,
    authenticationOptions: { timeout: DEFAULT_WEBAUTHN_TIMEOUT },
    registrationOptions: { timeout: DEFAULT_WEBAUTHN_TIMEOUT },
    formFields: {
      email: {
        label: passkeys['passkey.email'],
        type: 'email',
        required: true,
        autocomplete: 'username webauthn',
        autocapitalize: 'none',
        spellcheck: 'false',
        placeholder: passkeys['passkey.email.example'],
      },
    },
    ...description,
    ...defined(options),
    simpleWebAuthn: { ...simpleWebAuthn, ...options.simpleWebAuthn },
    [compileWith]: compileWebAuthn,
    [checkWith]: checkPasskeys,
    type: 'webauthn',
  }
}

function defined<T extends object>(object: T): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T
}
