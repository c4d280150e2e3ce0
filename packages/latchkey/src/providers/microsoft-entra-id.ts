/**
 * Sign in with Microsoft Entra ID, formerly Azure Active Directory.
 *
 * Register an app with the redirect URI `https://your.site/auth/callback/microsoft-entra-id` of type
 * "Web", then set `AUTH_MICROSOFT_ENTRA_ID_ID` and `AUTH_MICROSOFT_ENTRA_ID_SECRET`.
 *
 * **Without an issuer, everybody with a Microsoft account of any organization can sign in.** For one
 * organization, set `AUTH_MICROSOFT_ENTRA_ID_ISSUER` to
 * `https://login.microsoftonline.com/your-tenant-id/v2.0`. The organization determines the email
 * address. If any organization can sign in, the address therefore counts as not proven: it links no
 * accounts, and creates no user if the application also signs users in by mail. To change this, add the
 * optional claim `xms_edov` to the ID token of the app (Token configuration in the Entra admin center).
 * If the claim is true, the address counts as proven.
 *
 * The picture is read from Microsoft Graph (`https://graph.microsoft.com`), 48 pixels wide unless you
 * set `profilePhotoSize`. If it cannot be read, the sign-in continues without it.
 *
 * @see https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-auth-code-flow
 * @module
 */

import type {
  OIDCConfig,
  OIDCUserConfig,
  UserinfoRequestContext,
} from '../options/provider-options.ts'
import { type OIDCDescription, oidc } from './define.ts'
import { colouredMark } from './marks/microsoft.ts'

/** The claims of the ID token, and the picture. */
export interface MicrosoftEntraIDProfile {
  /** Identifier of the person, for this app. */
  sub: string
  /** Identifier of the person in their organization, for all apps. */
  oid?: string
  /** Their organization. */
  tid?: string
  name?: string
  /** For accounts that have one. */
  email?: string
  preferred_username?: string
  /** The picture as a `data:` URL, of people who have one; from Microsoft Graph, with `User.Read`. */
  photo?: string
  aud: string
  iss: string
  iat: number
  nbf: number
  exp: number
  ver: '2.0'
  nonce?: string
  c_hash?: string
  at_hash?: string
  /** Where they signed in, if not at the issuer. */
  idp?: string
  /** Those of the app that they have. */
  roles?: string[]
  /** For Microsoft itself, as the next two. */
  aio?: string
  rh?: string
  uti?: string
  /** Instead of `groups` when there are too many. */
  hasgroups?: boolean
  /** Only when the app's manifest asks for it, as the rest: 0 for a member of the organization, 1 for a guest. */
  acct?: 0 | 1
  acrs?: string
  auth_time?: number
  ctry?: string
  family_name?: string
  fwd?: string
  given_name?: string
  groups?: string[]
  in_corp?: string
  ipaddr?: string
  login_hint?: string
  onprem_sid?: string
  pwd_exp?: number
  pwd_url?: string
  sid?: string
  tenant_ctry?: string
  tenant_region_scope?: string
  upn?: string
  verified_primary_email?: string[]
  verified_secondary_email?: string[]
  vnet?: string
  xms_cc?: string
  /** Is the domain of the address proven to belong to the organization? */
  xms_edov?: boolean
  xms_pdl?: string
  xms_pl?: string
  xms_tpl?: string
  ztdid?: string
  [claim: string]: unknown
}

/** Pixels that a picture is wide and high. */
export type PhotoSize = 48 | 64 | 96 | 120 | 240 | 360 | 432 | 504 | 648

/** What an application may say about Microsoft Entra ID. */
export type MicrosoftEntraIDOptions = OIDCUserConfig<MicrosoftEntraIDProfile> & {
  /** @default 48, which fits into a session cookie */
  profilePhotoSize?: PhotoSize | undefined
}

export default function MicrosoftEntraID(
  options: MicrosoftEntraIDOptions = {},
): OIDCConfig<MicrosoftEntraIDProfile> {
  return entraId({ id: 'microsoft-entra-id', name: 'Microsoft Entra ID' }, options)
}

/** The same service under another id. */
export function entraId(
  changes: Pick<OIDCDescription<MicrosoftEntraIDProfile>, 'id' | 'name'> &
    Partial<OIDCDescription<MicrosoftEntraIDProfile>>,
  { profilePhotoSize = 48, ...options }: MicrosoftEntraIDOptions,
): OIDCConfig<MicrosoftEntraIDProfile> {
  return oidc<MicrosoftEntraIDProfile>({
    defaultIssuer: 'https://login.microsoftonline.com/common/v2.0',
    tenantIssuer: 'https://login.microsoftonline.com/{tid}/v2.0',
    emailProofClaim: 'xms_edov',
    authorization: { params: { scope: 'openid profile email User.Read' } },
    supplement: (context) => readPhoto(profilePhotoSize, context),
    profile: ({ sub, name, email, photo }) => ({
      id: sub,
      name: name ?? null,
      email: email ?? null,
      image: photo ?? null,
    }),
    // https://learn.microsoft.com/entra/identity-platform/refresh-tokens, read 2026-11-23: each use gives a new refresh
    // token, and the old one is not revoked. There is no revocation endpoint.
    tokens: { rotation: 'overlap', revocation: false },
    style: { brandColor: '#0072c6', colouredMark },
    ...changes,
  })(options)
}

/** Many people have none, and many apps may not ask. */
async function readPhoto(
  size: PhotoSize,
  { tokens, fetch: send }: UserinfoRequestContext,
): Promise<{ photo?: string }> {
  const url = `https://graph.microsoft.com/v1.0/me/photos/${size}x${size}/$value`
  const headers = { authorization: `Bearer ${tokens.access_token}` }
  const response = await send(url, { headers })
  if (!response.ok) return {}
  const bytes = new Uint8Array(await response.arrayBuffer())
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  return { photo: `data:image/jpeg;base64,${btoa(text)}` }
}
