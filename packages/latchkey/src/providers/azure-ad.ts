/**
 * Sign in with Azure Active Directory, the former name of `microsoft-entra-id`. It is the same service
 * with the former provider id, so that existing accounts are found.
 *
 * The redirect URI is `https://your.site/auth/callback/azure-ad`, and the variables are
 * `AUTH_AZURE_AD_ID`, `AUTH_AZURE_AD_SECRET` and `AUTH_AZURE_AD_ISSUER`. **Without an issuer, everybody
 * with a Microsoft account of any organization can sign in**, and an address counts as proven only with
 * the optional claim `xms_edov`, as described for `microsoft-entra-id`.
 *
 * @see https://learn.microsoft.com/en-us/entra/identity-platform/
 * @module
 */

import type { OIDCConfig } from '../options/provider-options.ts'
import {
  entraId,
  type MicrosoftEntraIDOptions,
  type MicrosoftEntraIDProfile,
} from './microsoft-entra-id.ts'

/** The claims of the ID token, and the picture. */
export type AzureADProfile = MicrosoftEntraIDProfile

export default function AzureAD(options: MicrosoftEntraIDOptions = {}): OIDCConfig<AzureADProfile> {
  return entraId({ id: 'azure-ad', name: 'Azure Active Directory' }, options)
}
