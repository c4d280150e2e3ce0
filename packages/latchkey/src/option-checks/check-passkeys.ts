import {
  AuthError,
  DuplicateConditionalUI,
  InvalidProvider,
  MissingWebAuthnAutocomplete,
} from '../base/errors.ts'
import type { ProviderConfig, WebAuthnConfig } from '../options/provider-options.ts'
import { providerOfSecond } from '../protocols/webauthn/second-factor.ts'

const VERSION = /^v\d+(?:\.\d+){0,2}$/

/** Checks a passkey provider. The provider's module sets it as its check. */
export function checkPasskeys(
  provider: WebAuthnConfig,
  all: readonly ProviderConfig[],
): AuthError | undefined {
  const { id, simpleWebAuthn, simpleWebAuthnBrowserVersion: version, formFields = {} } = provider
  if (version && !VERSION.test(version)) {
    return new AuthError(
      `provider ${id}: \`simpleWebAuthnBrowserVersion\` must be a version such as v14.0.0, or false`,
    )
  }
  if (typeof simpleWebAuthn?.verifyRegistrationResponse !== 'function') {
    return new InvalidProvider(
      `provider ${id}: \`simpleWebAuthn\` is missing; create the provider with Passkey() or WebAuthn()`,
    )
  }
  const second = providerOfSecond(id)
  if (all.some((other) => other.id === second)) {
    return new InvalidProvider(
      `provider ${second}: accounts of keys that are only second factors have this id; choose another one`,
    )
  }
  if (!provider.enableConditionalUI) return undefined
  const others = all.slice(0, all.indexOf(provider))
  if (others.some((other) => other.type === 'webauthn' && other.enableConditionalUI)) {
    return new DuplicateConditionalUI(
      `provider ${id}: only one provider can have \`enableConditionalUI\`; set it to false for the others`,
    )
  }
  return Object.values(formFields).some(({ autocomplete }) =>
    String(autocomplete).includes('webauthn'),
  )
    ? undefined
    : new MissingWebAuthnAutocomplete(
        `provider ${id}: with \`enableConditionalUI\`, one of \`formFields\` must have \`autocomplete: 'username webauthn'\``,
      )
}
