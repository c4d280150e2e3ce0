/**
 * Sign in with whatever the application checks itself: a user name and a password, a one-time code,
 * a wallet.
 *
 * `authorize` is given the fields of the form as they were sent: check their types. Return the user,
 * or `null` when the credentials are wrong; throw `CredentialsSignin` for a `code` of your own. With
 * database sessions return a user that the adapter has.
 *
 * @module
 */

import type { CredentialsConfig, CredentialsUserConfig } from '../options/provider-options.ts'
import { credentials } from './define.ts'

export type { CredentialsProviderId } from '../options/provider-ids.ts'
export type { CredentialInput, CredentialsConfig } from '../options/provider-options.ts'

export default function Credentials(
  options: Pick<CredentialsConfig, 'authorize'> & CredentialsUserConfig,
): CredentialsConfig {
  return credentials(options)
}
