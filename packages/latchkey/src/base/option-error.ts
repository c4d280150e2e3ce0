/** The sections of `docs/reference` about the options of these functions, and about adapters. */
export const OPTION_SECTIONS = {
  account: 'configuration.md#the-plugin-account',
  accounts: 'configuration.md#the-plugins-of-accounts',
  adapter: 'errors.md#setting-up-an-adapter',
  adapterCall: 'errors.md#adaptererror',
  createTokenVerifier: 'configuration.md#verifying-tokens',
  emailCode: 'configuration.md#the-plugin-emailcode',
  federatedLogout: 'configuration.md#the-plugin-federatedlogout',
  limits: 'configuration.md#the-plugin-limits',
  migrate: 'errors.md#migrating-the-tables',
  i18n: 'configuration.md#the-plugin-i18n',
  naming: 'schema.md#your-own',
  passwords: 'configuration.md#the-plugin-passwords',
  providerTokens: 'configuration.md#the-plugin-providertokens',
  revocations: 'configuration.md#verifiers',
  sessions: 'configuration.md#the-plugin-sessions',
  tokens: 'configuration.md#the-plugin-tokens',
  twoFactor: 'configuration.md#the-plugin-twofactor',
  usernames: 'configuration.md#the-plugin-usernames',
} as const

export type OptionSection = keyof typeof OPTION_SECTIONS

/** Creates the error of an invalid option. Its message ends with the section of the docs about the option. */
export function optionError(message: string, of: OptionSection): TypeError {
  return new TypeError(withDocs(message, of))
}

/** Returns the message with the section of the docs that explains it. */
export function withDocs(message: string, of: OptionSection): string {
  return `${message} (latchkey/docs/reference/${OPTION_SECTIONS[of]})`
}
