import type { RegistrationOptions } from './simple-webauthn.ts'

/**
 * Returns the provider in the account of a key that is only a second factor.
 *
 * No provider of a configuration has this id, so no sign-in finds a user by such an account, also not one of a process that knows
 * nothing of such keys. A flag in a record of its own could be lost, and the key would become a way in.
 */
export function providerOfSecond(id: string): string {
  return `${id}-second-factor`
}

/** Returns the options of a key that is only a second factor: it need not be discoverable, nor verify its user. */
export function optionsOfSecond({
  authenticatorSelection,
  ...options
}: RegistrationOptions): RegistrationOptions {
  const { requireResidentKey: _, ...selection } = authenticatorSelection ?? {}
  return {
    ...options,
    authenticatorSelection: {
      ...selection,
      residentKey: 'discouraged',
      userVerification: 'preferred',
    },
  }
}
