/**
 * Sign in with Nextcloud.
 *
 * Add an OAuth 2.0 client with the callback URL `https://your.site/auth/callback/nextcloud`, then set
 * `AUTH_NEXTCLOUD_ID`, `AUTH_NEXTCLOUD_SECRET` and `AUTH_NEXTCLOUD_ISSUER`. The issuer is the URL of
 * your server, such as `https://cloud.your.site`.
 *
 * @see https://docs.nextcloud.com/server/latest/admin_manual/configuration_server/oauth2.html
 * @module
 */

import { withoutEndSlashes } from '../base/encoding/end-slashes.ts'
import { type OAuthProvider, oauth } from './define.ts'
import { mark } from './marks/nextcloud.ts'

/** The members of the answer. */
export interface NextcloudProfile {
  id: string
  displayname: string
  email: string | null
  /** Made here of the server's address and the id; there for accounts without a picture, too. */
  avatar: string
  phone: string
  address: string
  website: string
  twitter: string
  fediverse: string
  organisation: string
  role: string
  headline: string
  biography: string
  groups: string[]
  language: string
  locale: string
  enabled: boolean
  storageLocation: string
  [member: string]: unknown
}

const nextcloud: OAuthProvider<NextcloudProfile> = oauth({
  id: 'nextcloud',
  name: 'Nextcloud',
  authorization: '{issuer}/apps/oauth2/authorize',
  token: '{issuer}/apps/oauth2/api/v1/token',
  userinfo: {
    url: '{issuer}/ocs/v1.php/cloud/users/{tokens.user_id}',
    headers: { 'OCS-APIRequest': 'true' },
    unwrap: 'ocs.data',
  },
  supplement: async ({ provider, profile }) => ({
    avatar: `${withoutEndSlashes(provider.issuer ?? '')}/avatar/${profile.id}/512`,
  }),
  profile: ({ id, displayname, email, avatar }) => ({
    id,
    name: displayname,
    email,
    image: avatar,
  }),
  style: { brandColor: '#0082c9', mark },
})

export default nextcloud
