/**
 * Sign in with VK.
 *
 * Register an app with the callback URL `https://your.site/auth/callback/vk`, then set `AUTH_VK_ID` and
 * `AUTH_VK_SECRET`. New apps are made for VK ID, which is another protocol than this one.
 *
 * @see https://dev.vk.com/en/api/access-token/authcode-flow-user
 * @module
 */

import { mark } from '../marks/vk.ts'
import { fullName } from '../oauth/full-name.ts'
import { type OAuthProvider, oauth } from './define.ts'

/** The members of the answer that the default user is made of. */
export interface VkProfile {
  id: number
  first_name: string
  last_name: string
  photo_100: string
  /** From the token response: with the scope `email`, for people who have one. */
  email?: string | null
  [member: string]: unknown
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
