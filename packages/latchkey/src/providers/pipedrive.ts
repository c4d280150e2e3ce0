/**
 * Sign in with Pipedrive.
 *
 * Create an app in the developer hub with the callback URL
 * `https://your.site/auth/callback/pipedrive`, then set `AUTH_PIPEDRIVE_ID` and
 * `AUTH_PIPEDRIVE_SECRET`.
 *
 * @see https://pipedrive.readme.io/docs/marketplace-oauth-authorization
 * @module
 */

import { type OAuthProvider, oauth } from './define.ts'

/** The members of the answer that the default user is made of. */
export interface PipedriveProfile {
  data: {
    id: number
    name: string
    email: string
    /** Only for users with a picture. */
    icon_url?: string | null
  }
  [member: string]: unknown
}

const pipedrive: OAuthProvider<PipedriveProfile> = oauth({
  id: 'pipedrive',
  name: 'Pipedrive',
  authorization: 'https://oauth.pipedrive.com/oauth/authorize',
  token: 'https://oauth.pipedrive.com/oauth/token',
  userinfo: 'https://api.pipedrive.com/users/me',
  profile: ({ data }) => ({
    id: String(data?.id),
    name: data?.name,
    email: data?.email,
    image: data?.icon_url ?? null,
  }),
})

export default pipedrive
