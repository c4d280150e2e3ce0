/**
 * Sign in with Zoom.
 *
 * Register an OAuth app with the callback URL `https://your.site/auth/callback/zoom`, then set
 * `AUTH_ZOOM_ID` and `AUTH_ZOOM_SECRET`.
 *
 * Set the scopes in the app at Zoom.
 *
 * @see https://developers.zoom.us/docs/integrations/oauth/
 * @module
 */

import { fullName } from '../protocols/oauth/full-name.ts'
import { type OAuthProvider, oauth } from './define.ts'
import { mark } from './marks/zoom.ts'

/** The members of the answer. */
export interface ZoomProfile {
  id: string
  first_name: string
  last_name: string
  email: string
  /** 0 while nobody has proven the address. */
  verified: number
  pic_url: string
  type: number
  role_name: string
  pmi: number
  use_pmi: boolean
  vanity_url: string
  personal_meeting_url: string
  timezone: string
  dept: string
  created_at: string
  last_login_time: string
  last_client_version: string
  host_key: string
  jid: string
  group_ids: string[]
  im_group_ids: string[]
  account_id: string
  language: string
  phone_country: string
  phone_number: string
  status: string
  [member: string]: unknown
}

const zoom: OAuthProvider<ZoomProfile> = oauth({
  id: 'zoom',
  name: 'Zoom',
  authorization: { url: 'https://zoom.us/oauth/authorize', params: { scope: '' } },
  token: 'https://zoom.us/oauth/token',
  userinfo: 'https://api.zoom.us/v2/users/me',
  emailProofClaim: 'verified',
  profile: ({ id, first_name, last_name, email, verified, pic_url }) => ({
    id,
    name: fullName(first_name, last_name),
    email: verified === 0 ? null : email,
    image: pic_url,
  }),
  // https://devsupport.zoom.us/hc/en-us/articles/360060332931, read 2026-11-23: only the latest refresh token works.
  tokens: { rotation: 'strict', revocation: 'https://zoom.us/oauth/revoke' },
  style: { brandColor: '#0b5cff', mark },
})

export default zoom
