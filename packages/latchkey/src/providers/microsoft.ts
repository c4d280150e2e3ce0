/**
 * Sign in with Microsoft. It is `microsoft-entra-id` with the id and the options of Better Auth, so that
 * accounts that Better Auth stored are found. The claim `oid` identifies them.
 *
 * Register an app with the redirect URI `https://your.site/auth/callback/microsoft` of type "Web", then
 * set `AUTH_MICROSOFT_ID` and `AUTH_MICROSOFT_SECRET`. **Without `tenantId`, everybody with a Microsoft
 * account of any organization can sign in**, and an address counts as proven only with the optional
 * claim `xms_edov`, as described for `microsoft-entra-id`.
 *
 * @see https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-auth-code-flow
 * @module
 */

import type { OIDCConfig } from '../options/provider-options.ts'
import {
  entraId,
  type MicrosoftEntraIDOptions,
  type MicrosoftEntraIDProfile,
} from './microsoft-entra-id.ts'

/** The claims of the ID token, and the picture. */
export type MicrosoftProfile = MicrosoftEntraIDProfile

/** What an application may say about Microsoft. */
export type MicrosoftOptions = MicrosoftEntraIDOptions & {
  /** The organization. @default 'common', which is any */
  tenantId?: string | undefined
  /** @default 'https://login.microsoftonline.com' */
  authority?: string | undefined
  /** Signs people in without their picture. @default false */
  disableProfilePhoto?: boolean | undefined
}

export default function Microsoft(options: MicrosoftOptions = {}): OIDCConfig<MicrosoftProfile> {
  const {
    tenantId = 'common',
    authority = 'https://login.microsoftonline.com',
    disableProfilePhoto = false,
    ...rest
  } = options
  const changes = {
    id: 'microsoft',
    name: 'Microsoft',
    defaultIssuer: `${authority}/${tenantId}/v2.0`,
    tenantIssuer: `${authority}/{tid}/v2.0`,
    authorization: { params: { scope: 'openid profile email User.Read offline_access' } },
    profile: ({ oid, sub, name, email, email_verified, photo }: MicrosoftProfile) => ({
      id: oid ?? sub,
      name: name ?? null,
      email: email_verified === false ? null : (email ?? null),
      image: photo ?? null,
    }),
  } as const
  return entraId(disableProfilePhoto ? { ...changes, supplement: undefined } : changes, rest)
}
