/**
 * Sign in with Notion.
 *
 * Create a public integration that may read users with their addresses, with the callback URL
 * `https://your.site/auth/callback/notion`, then set `AUTH_NOTION_ID` and `AUTH_NOTION_SECRET`.
 *
 * @see https://developers.notion.com/docs/authorization
 * @module
 */

import { type OAuthProvider, oauth } from './define.ts'
import { mark } from './marks/notion.ts'

/** The owner of the integration's bot, who is the one that signs in. */
export interface NotionProfile extends User {
  [member: string]: unknown
}

export interface User {
  id: string
  object: 'user'
  type?: 'person' | 'bot'
  name: string | null
  avatar_url: string | null
  person?: Person
}

export interface Person {
  /** Only when the integration may read it. */
  email?: string
}

/** What an application may say about Notion. */
export interface NotionOptions {
  /** Has no effect: the callback URL is known. Kept for configurations that name it. */
  redirectUri?: string | undefined
}

const notion: OAuthProvider<NotionProfile, NotionOptions> = oauth({
  id: 'notion',
  name: 'Notion',
  authorization: {
    url: 'https://api.notion.com/v1/oauth/authorize',
    params: { owner: 'user' },
  },
  token: 'https://api.notion.com/v1/oauth/token',
  userinfo: {
    url: 'https://api.notion.com/v1/users/me',
    headers: { 'Notion-Version': '2022-06-28' },
    unwrap: 'bot.owner.user',
  },
  profile: ({ id, name, person, avatar_url }) => ({
    id,
    name,
    email: person?.email ?? null,
    image: avatar_url,
  }),
  style: { brandColor: '#000', mark },
})

export default notion
