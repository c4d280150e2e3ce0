/**
 * Sign in with Eventbrite.
 *
 * Register an OAuth app with the callback URL `https://your.site/auth/callback/eventbrite`, then
 * set `AUTH_EVENTBRITE_ID` and `AUTH_EVENTBRITE_SECRET`.
 *
 * @see https://www.eventbrite.com/platform/api#/introduction/authentication
 * @module
 */

import { type OAuthProvider, oauth } from './define.ts'

/** The members of the answer. */
export interface EventbriteProfile {
  id: string
  name: string
  /** One of them is the primary one. */
  emails: { email: string; verified?: boolean; primary: boolean }[]
  /** Only for accounts with a picture. */
  image_id?: string | null
  first_name: string
  last_name: string
  [member: string]: unknown
}

const eventbrite: OAuthProvider<EventbriteProfile> = oauth({
  id: 'eventbrite',
  name: 'Eventbrite',
  authorization: {
    url: 'https://www.eventbrite.com/oauth/authorize',
    params: { scope: 'user.profile' },
  },
  token: 'https://www.eventbrite.com/oauth/token',
  userinfo: 'https://www.eventbriteapi.com/v3/users/me/',
  client: { token_endpoint_auth_method: 'client_secret_post' },
  profile: ({ id, name, emails, image_id }) => ({
    id,
    name,
    email: emails?.find((each) => each?.primary && each.verified !== false)?.email ?? null,
    image: image_id ? pictureOf(image_id) : null,
  }),
  style: { brandColor: '#f05537' },
})

export default eventbrite

/** The picture's address is part of the address of the service that scales it. */
function pictureOf(id: string): string {
  const original = encodeURIComponent(`https://cdn.evbuc.com/images/${id}/1/original.jpg`)
  return `https://img.evbuc.com/${original}`
}
