/** The sections of `docs/reference` about the options of these functions, and about adapters. */
export const OPTION_SECTIONS = {
  adapter: 'errors.md#setting-up-an-adapter',
  adapterCall: 'errors.md#adaptererror',
  createTokenVerifier: 'configuration.md#verifying-tokens',
  federatedLogout: 'configuration.md#the-plugin-federatedlogout',
  limits: 'configuration.md#the-plugin-limits',
  migrate: 'errors.md#migrating-the-tables',
  naming: 'schema.md#your-own',
  providerTokens: 'configuration.md#the-plugin-providertokens',
  revocations: 'configuration.md#verifiers',
  sessions: 'configuration.md#the-plugin-sessions',
  tokens: 'configuration.md#the-plugin-tokens',
} as const

type Section = keyof typeof OPTION_SECTIONS

/** Creates the error of an invalid option. Its message ends with the section of the docs about the option. */
export function optionError(message: string, of: Section): TypeError {
  return new TypeError(withDocs(message, of))
}

/** Returns the message with the section of the docs that explains it. */
export function withDocs(message: string, of: Section): string {
  return `${message} (latchkey/docs/reference/${OPTION_SECTIONS[of]})`
}
