/**
 * Sign in with Kakao.
 *
 * Register an OAuth app with the callback URL `https://your.site/auth/callback/kakao`, then set
 * `AUTH_KAKAO_ID` and `AUTH_KAKAO_SECRET`.
 *
 * Which of these things people are asked for is set in the Kakao console.
 *
 * @see https://developers.kakao.com/docs/latest/en/kakaologin/rest-api
 * @module
 */

import { mark } from '../marks/kakao.ts'
import { type OAuthProvider, oauth } from './define.ts'

/** The members of the answer that the default user is made of. */
export interface KakaoProfile {
  id: number
  kakao_account: {
    /** As far as the person agreed to it, as all of these. */
    profile?: { nickname?: string; profile_image_url?: string }
    email?: string
    /** `false` when the address went to somebody else at Kakao. */
    is_email_valid?: boolean
    is_email_verified?: boolean
  }
  [member: string]: unknown
}

const kakao: OAuthProvider<KakaoProfile> = oauth({
  id: 'kakao',
  name: 'Kakao',
  authorization: { url: 'https://kauth.kakao.com/oauth/authorize', params: { scope: '' } },
  token: 'https://kauth.kakao.com/oauth/token',
  userinfo: 'https://kapi.kakao.com/v2/user/me',
  client: { token_endpoint_auth_method: 'client_secret_post' },
  profile: ({ id, kakao_account: account }) => ({
    id: String(id),
    name: account?.profile?.nickname ?? null,
    email:
      account?.is_email_valid === false || account?.is_email_verified === false
        ? null
        : (account?.email ?? null),
    image: account?.profile?.profile_image_url ?? null,
  }),
  style: { brandColor: '#ffcd00', mark },
})

export default kakao
