/**
 * Sign in with Naver.
 *
 * Register an OAuth app with the callback URL `https://your.site/auth/callback/naver`, then set
 * `AUTH_NAVER_ID` and `AUTH_NAVER_SECRET`.
 *
 * @see https://developers.naver.com/docs/login/api/api.md
 * @module
 */

import { type OAuthProvider, oauth } from './define.ts'
import { mark } from './marks/naver.ts'

/** The members of the answer. */
export interface NaverProfile {
  response: {
    id: string
    /** As far as the person agreed to it, as all of these. */
    nickname?: string
    email?: string
    profile_image?: string
    name?: string
    gender?: 'F' | 'M' | 'U'
    age?: string
    birthday?: string
    birthyear?: string
    mobile?: string
  }
  resultcode: string
  message: string
  [member: string]: unknown
}

const naver: OAuthProvider<NaverProfile> = oauth({
  id: 'naver',
  name: 'Naver',
  authorization: 'https://nid.naver.com/oauth2.0/authorize',
  token: 'https://nid.naver.com/oauth2.0/token',
  userinfo: 'https://openapi.naver.com/v1/nid/me',
  profile: ({ response }) => ({
    id: response?.id,
    name: response?.nickname ?? null,
    email: response?.email ?? null,
    image: response?.profile_image ?? null,
  }),
  style: { brandColor: '#03c75a', mark },
})

export default naver
