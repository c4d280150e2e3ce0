/**
 * Sign in with Kakao.
 *
 * Register an OAuth app with the callback URL `https://your.site/auth/callback/kakao`, then set
 * `AUTH_KAKAO_ID` and `AUTH_KAKAO_SECRET`.
 *
 * The Kakao console determines which of these values users are asked for.
 *
 * @see https://developers.kakao.com/docs/latest/en/kakaologin/rest-api
 * @module
 */

import { type OAuthProvider, oauth } from './define.ts'
import { mark } from './marks/kakao.ts'

/** The members of the answer. */
export interface KakaoProfile {
  id: number
  kakao_account: {
    /** As far as the person agreed to it, as all of these. */
    profile?: {
      nickname?: string
      profile_image_url?: string
      thumbnail_image_url?: string
      is_default_image?: boolean
    }
    email?: string
    /** `false` when the address went to somebody else at Kakao. */
    is_email_valid?: boolean
    is_email_verified?: boolean
    name?: string
    age_range?: AgeRange
    /** `YYYY`. */
    birthyear?: string
    /** `MMDD`. */
    birthday?: string
    birthday_type?: Birthday
    gender?: Gender
    phone_number?: string
    /** Identifies the person across services, after they proved who they are. */
    ci?: string
    ci_authenticated_at?: DateTime
    /** Could be had if the person agreed, as the next ones. */
    profile_needs_agreement?: boolean
    profile_nickname_needs_agreement?: boolean
    profile_image_needs_agreement?: boolean
    name_needs_agreement?: boolean
    email_needs_agreement?: boolean
    age_range_needs_agreement?: boolean
    birthyear_needs_agreement?: boolean
    birthday_needs_agreement?: boolean
    gender_needs_agreement?: boolean
    phone_number_needs_agreement?: boolean
    ci_needs_agreement?: boolean
  }
  /** Only where the app does not sign people up on its own. */
  has_signed_up?: boolean
  connected_at?: DateTime
  synched_at?: DateTime
  properties?: {
    id?: string
    status?: string
    registered_at?: DateTime
    msg_blocked?: boolean
    nickname?: string
    profile_image?: string
    thumbnail_image?: string
  }
  [member: string]: unknown
}

/** An instant, in UTC (RFC 3339). */
export type DateTime = string

export type Gender = 'female' | 'male'

/** The calendar that a birthday is of. */
export type Birthday = 'SOLAR' | 'LUNAR'

/** Years. */
export type AgeRange =
  | '1-9'
  | '10-14'
  | '15-19'
  | '20-29'
  | '30-39'
  | '40-49'
  | '50-59'
  | '60-69'
  | '70-79'
  | '80-89'
  | '90-'

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
