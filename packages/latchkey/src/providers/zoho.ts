/**
 * Sign in with Zoho.
 *
 * Register an OAuth app with the callback URL `https://your.site/auth/callback/zoho`, then set
 * `AUTH_ZOHO_ID` and `AUTH_ZOHO_SECRET`.
 *
 * It supports accounts of the data center `.com`. For another data center, set the three endpoints.
 *
 * @see https://www.zoho.com/accounts/protocol/oauth/web-server-applications.html
 * @module
 */

import { fullName } from '../protocols/oauth/full-name.ts'
import { type OAuthProvider, oauth } from './define.ts'
import { mark } from './marks/zoho.ts'

/** The members of the answer that the default user is made of. */
export interface ZohoProfile {
  ZUID: number
  First_Name: string
  Last_Name: string
  Email: string
  [member: string]: unknown
}

const zoho: OAuthProvider<ZohoProfile> = oauth({
  id: 'zoho',
  name: 'Zoho',
  authorization: {
    url: 'https://accounts.zoho.com/oauth/v2/auth',
    params: { scope: 'AaaServer.profile.Read' },
  },
  token: 'https://accounts.zoho.com/oauth/v2/token',
  userinfo: 'https://accounts.zoho.com/oauth/user/info',
  profile: ({ ZUID, First_Name, Last_Name, Email }) => ({
    id: String(ZUID),
    name: fullName(First_Name, Last_Name),
    email: Email,
    image: null,
  }),
  style: { brandColor: '#e42527', mark },
})

export default zoho
