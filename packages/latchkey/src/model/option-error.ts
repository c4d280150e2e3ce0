/** The sections of `docs/reference` about the options of these functions. */
export const OPTION_SECTIONS = {
  createTokenVerifier: 'configuration.md#verifying-tokens',
  federatedLogout: 'configuration.md#the-plugin-federatedlogout',
  limits: 'configuration.md#the-plugin-limits',
  naming: 'schema.md#your-own',
  providerTokens: 'configuration.md#the-plugin-providertokens',
  revocations: 'configuration.md#verifiers',
  sessions: 'configuration.md#the-plugin-sessions',
  tokens: 'configuration.md#the-plugin-tokens',
} as const

/** Creates the error of an invalid option. Its message ends with the section of the docs about the option. */
export function optionError(message: string, of: keyof typeof OPTION_SECTIONS): TypeError {
  return new TypeError(`${message} (latchkey/docs/reference/${OPTION_SECTIONS[of]})`)
}
