/**
 * Sign in with fields that the application checks itself: a user name and a password, a one-time code,
 * a wallet.
 *
 * `authorize` receives the fields of the form as they were sent: check their types. Return the user,
 * or `null` if the credentials are wrong. To show a `code` of your own, throw `CredentialsSignin`. With
 * sessions in a database, return a user that the adapter has.
 *
 * @module
 */

import type { CredentialsConfig, CredentialsUserConfig } from '../options/provider-options.ts'
import { credentials } from './define.ts'

export type { CredentialsProviderId } from '../option-checks/provider-ids.ts'
export type { CredentialInput, CredentialsConfig } from '../options/provider-options.ts'

export default function Credentials(
  options: Pick<CredentialsConfig, 'authorize'> & CredentialsUserConfig,
): CredentialsConfig {
  return credentials(options)
}
