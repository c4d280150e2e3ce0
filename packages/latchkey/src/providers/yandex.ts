/**
 * Sign in with Yandex.
 *
 * Register an app with access to the data, the email address and the picture of the user, and the
 * callback URL `https://your.site/auth/callback/yandex`, then set `AUTH_YANDEX_ID` and
 * `AUTH_YANDEX_SECRET`.
 *
 * @see https://yandex.com/dev/id/doc/en/
 * @module
 */

import { type OAuthProvider, oauth } from './define.ts'

/** What Yandex says of a user. */
export interface YandexProfile {
  /** Identifier of the person at Yandex. */
  id: string
  login: string
  /** The app that the token was issued for. */
  client_id: string
  /** Made by Yandex of `client_id` and `id`. */
  psuid: string
  /** With the scope `login:email`. */
  default_email?: string
  /** With the scope `login:email`; at present only the default one. */
  emails?: string[]
  /** With the scope `login:avatar`; true when `default_avatar_id` is that of the placeholder. */
  is_avatar_empty?: boolean
  /** With the scope `login:avatar`. */
  default_avatar_id?: string
  /** With the scope `login:birthday`: `YYYY-MM-DD`, zeros for what is unknown. */
  birthday?: string | null
  /** With the scope `login:info`, as the next four. */
  first_name?: string
  last_name?: string
  display_name?: string
  /** First and last name. */
  real_name?: string
  /** Missing when Yandex does not say. */
  sex?: 'female' | 'male' | null
  /** With the scope `login:default_phone`; Yandex may leave it out. */
  default_phone?: { id: number; number: string }
}

/**
 * A size of the picture: 28, 34, 42, 50, 56, 68, 75, 84, 100 and 200 pixels wide and high, in this
 * order.
 */
export type YandexAvatarSize =
  | 'islands-small'
  | 'islands-34'
  | 'islands-middle'
  | 'islands-50'
  | 'islands-retina-small'
  | 'islands-68'
  | 'islands-75'
  | 'islands-retina-middle'
  | 'islands-retina-50'
  | 'islands-200'

const yandex: OAuthProvider<YandexProfile> = oauth({
  id: 'yandex',
  name: 'Yandex',
  authorization: {
    url: 'https://oauth.yandex.ru/authorize',
    params: { scope: 'login:info login:email login:avatar' },
  },
  token: 'https://oauth.yandex.ru/token',
  userinfo: { url: 'https://login.yandex.ru/info', params: { format: 'json' } },
  profile: ({ id, display_name, real_name, first_name, default_email, emails, ...avatar }) => ({
    id,
    name: display_name ?? real_name ?? first_name ?? null,
    email: default_email ?? emails?.[0] ?? null,
    image: pictureOf(avatar, 'islands-200'),
  }),
  style: { brandColor: '#fc0' },
})

export default yandex

function pictureOf(
  { is_avatar_empty, default_avatar_id: id }: Partial<YandexProfile>,
  size: YandexAvatarSize,
): string | null {
  return id && !is_avatar_empty ? `https://avatars.yandex.net/get-yapic/${id}/${size}` : null
}
