/**
 * Sign in with VK.
 *
 * Register an app with the callback URL `https://your.site/auth/callback/vk`, then set `AUTH_VK_ID` and
 * `AUTH_VK_SECRET`. New apps use VK ID, which is another protocol; this provider does not support it.
 *
 * @see https://dev.vk.com/en/api/access-token/authcode-flow-user
 * @module
 */

import { fullName } from '../protocols/oauth/full-name.ts'
import { type OAuthProvider, oauth } from './define.ts'
import { mark } from './marks/vk.ts'

/** The members of the answer. */
export interface VkProfile extends VkFields {
  id: number
  first_name: string
  last_name: string
  photo_100: string
  /** From the token response: with the scope `email`, for people who have one. */
  email?: string | null
  /** May the rest of the profile be seen? */
  can_access_closed: boolean
  is_closed: boolean
  /** `'deleted'` or `'banned'`, and only then. */
  deactivated?: string
  [member: string]: unknown
}

/** There only when `fields` of the userinfo request names them. */
interface VkFields extends VkTexts, VkFlags {
  /** 1 female, 2 male, 0 not said. */
  sex?: 0 | 1 | 2
  online_app?: number
  friend_status?: 0 | 1 | 2 | 3
  city?: { id: number; title: string }
  country?: { id: number; title: string }
  timezone?: number
  connections?: Partial<
    Record<'facebook' | 'skype' | 'twitter' | 'livejournal' | 'instagram', string>
  >
  wall_default?: 'owner' | 'all'
  contacts?: { mobile_phone?: string; home_phone?: string }
  status_audio?: {
    access_key?: string
    artist: string
    id: number
    owner_id: number
    title: string
    url?: string
    duration: number
    date?: number
    album_id?: number
    genre_id?: number
    performer?: string
  }
  last_seen?: { platform?: 1 | 2 | 3 | 4 | 5 | 6 | 7; time?: number }
  exports?: Partial<Record<'facebook' | 'livejournal' | 'twitter' | 'instagram', number>>
  crop_photo?: { photo: VkPhoto; crop: VkArea; rect: VkArea }
  followers_count?: number
  common_count?: number
  occupation?: { id?: number; name?: string; type?: 'work' | 'school' | 'university' }
  career?: {
    group_id?: number
    company?: string
    country_id?: number
    city_id?: number
    city_name?: string
    from?: number
    until?: number
    position?: string
  }
  military?: { country_id: number; from?: number; unit: string; unit_id: number; until?: number }
  education?: {
    university?: number
    university_name?: string
    faculty?: number
    faculty_name?: string
    graduation?: number
  }
  relation?: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8
  relation_partner?: {
    id: number
    first_name: string
    last_name: string
    deactivated?: string
    hidden?: number
    can_access_closed?: boolean
    is_closed?: boolean
  }
  personal?: {
    alcohol?: 1 | 2 | 3 | 4 | 5
    inspired_by?: string
    langs?: string[]
    life_main?: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8
    people_main?: 1 | 2 | 3 | 4 | 5 | 6
    political?: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9
    religion?: string
    smoking?: 1 | 2 | 3 | 4 | 5
  }
  universities?: {
    id?: number
    name?: string
    city?: number
    country?: number
    faculty?: number
    faculty_name?: string
    chair?: number
    chair_name?: string
    education_form?: string
    education_status?: string
    graduation?: number
    university_group_id?: number
  }[]
  schools?: {
    id?: string
    name?: string
    city?: number
    country?: number
    class?: string
    speciality?: string
    type?: number
    type_str?: string
    year_from?: number
    year_to?: number
    year_graduated?: number
  }[]
  relatives?: {
    id?: number
    name?: string
    type: 'parent' | 'child' | 'grandparent' | 'grandchild' | 'sibling'
  }[]
  counters?: Partial<
    Record<
      | 'albums'
      | 'audios'
      | 'followers'
      | 'friends'
      | 'groups'
      | 'mutual_friends'
      | 'notes'
      | 'online_friends'
      | 'pages'
      | 'photos'
      | 'user_videos'
      | 'videos',
      number
    >
  >
}

type VkTexts = Partial<
  Record<
    | `${'first' | 'last'}_name_${'nom' | 'gen' | 'dat' | 'acc' | 'ins' | 'abl'}`
    | `photo_${'50' | '200' | '200_orig' | '400' | '400_orig' | 'max' | 'max_orig' | 'id'}`
    | 'about'
    | 'activities'
    | 'bdate'
    | 'books'
    | 'domain'
    | 'games'
    | 'home_town'
    | 'interests'
    | 'maiden_name'
    | 'movies'
    | 'music'
    | 'nickname'
    | 'quotes'
    | 'screen_name'
    | 'site'
    | 'status'
    | 'tv',
    string
  >
>

type VkFlags = Partial<
  Record<
    | `can_${'post' | 'see_all_posts' | 'see_audio' | 'send_friend_request' | 'write_private_message'}`
    | 'blacklisted'
    | 'blacklisted_by_me'
    | 'has_mobile'
    | 'has_photo'
    | 'is_favorite'
    | 'is_friend'
    | 'is_hidden_from_feed'
    | 'is_no_index'
    | 'online'
    | 'online_mobile'
    | 'trending'
    | 'verified',
    0 | 1
  >
>

interface VkArea {
  x: number
  y: number
  x2: number
  y2: number
}

interface VkPhoto {
  id: number
  album_id: number
  owner_id: number
  user_id?: number
  post_id?: number
  access_key?: string
  date: number
  text?: string
  place?: string
  lat?: number
  long?: number
  width?: number
  height?: number
  photo_256?: string
  can_comment?: 0 | 1
  has_tags: boolean
  images?: { height?: number; type?: string; url?: string; width?: number }[]
  sizes?: { height: number; src?: string; type: string; url: string; width: number }[]
}

/** Of the API. */
const v = '5.131'

const vk: OAuthProvider<VkProfile> = oauth({
  id: 'vk',
  name: 'VK',
  authorization: { url: 'https://oauth.vk.com/authorize', params: { scope: 'email', v } },
  // Says no type of the token.
  token: { url: 'https://oauth.vk.com/access_token', params: { v }, isLenient: true },
  userinfo: {
    url: 'https://api.vk.com/method/users.get',
    params: { fields: 'photo_100', v },
    unwrap: 'response.0',
  },
  client: { token_endpoint_auth_method: 'client_secret_post' },
  supplement: async ({ tokens }) => ({ email: tokens['email'] ?? null }),
  profile: ({ id, first_name, last_name, email, photo_100 }) => ({
    id: String(id),
    name: fullName(first_name, last_name),
    email: email ?? null,
    image: photo_100,
  }),
  style: { brandColor: '#07f', mark },
})

export default vk
