/**
 * Sign in with Dropbox.
 *
 * Register an OAuth app with the callback URL `https://your.site/auth/callback/dropbox`, then set
 * `AUTH_DROPBOX_ID` and `AUTH_DROPBOX_SECRET`.
 *
 * The response always has a refresh token (`token_access_type=offline`).
 *
 * @see https://developers.dropbox.com/oauth-guide
 * @module
 */

import { type OAuthProvider, oauth } from './define.ts'
import { mark } from './marks/dropbox.ts'

/** The members of the answer that the default user is made of. */
export interface DropboxProfile {
  account_id: string
  name: { display_name: string }
  email: string
  /** `false` while nobody has proven the address. */
  email_verified?: boolean
  /** Only for accounts with a picture. */
  profile_photo_url?: string
  [member: string]: unknown
}

const dropbox: OAuthProvider<DropboxProfile> = oauth({
  id: 'dropbox',
  name: 'Dropbox',
  authorization: {
    url: 'https://www.dropbox.com/oauth2/authorize',
    params: { token_access_type: 'offline', scope: 'account_info.read' },
  },
  token: 'https://api.dropboxapi.com/oauth2/token',
  userinfo: { url: 'https://api.dropboxapi.com/2/users/get_current_account', method: 'POST' },
  profile: ({ account_id, name, email, email_verified, profile_photo_url }) => ({
    id: account_id,
    name: name?.display_name,
    email: email_verified === false ? null : email,
    image: profile_photo_url ?? null,
  }),
  // https://dropbox.tech/developers/using-oauth-2-0-with-offline-access, read 2026-11-23: a refresh token comes with
  // `token_access_type=offline`, and stays.
  tokens: { rotation: 'none', connectParams: { token_access_type: 'offline' } },
  style: { brandColor: '#0061fe', mark },
})

export default dropbox
