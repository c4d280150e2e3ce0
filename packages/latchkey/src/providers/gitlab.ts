/**
 * Sign in with GitLab.
 *
 * Add an application with the scope `read_user` and the callback URL
 * `https://your.site/auth/callback/gitlab`, then set `AUTH_GITLAB_ID` and `AUTH_GITLAB_SECRET`. For a
 * server of your own give `baseUrl`, such as `https://gitlab.your.site`.
 *
 * @see https://docs.gitlab.com/api/oauth2/
 * @module
 */

import { mark } from '../marks/gitlab.ts'
import type { OAuthConfig, OAuthUserConfig } from '../options/provider-options.ts'
import { oauth } from './define.ts'

/** The members of the answer that the default user is made of. */
export interface GitLabProfile {
  id: number
  /** Instead of `id`, for who turns the provider into an OpenID Connect one. */
  sub?: string
  username: string
  name: string
  email: string
  /** `null` while nobody has proven the address. */
  confirmed_at?: string | null
  avatar_url: string
  [member: string]: unknown
}

/** What an application may say about GitLab. */
export type GitLabOptions = OAuthUserConfig<GitLabProfile> & {
  /** A server of your own. @default 'https://gitlab.com' */
  baseUrl?: string | undefined
}

export default function GitLab(options: GitLabOptions = {}): OAuthConfig<GitLabProfile> {
  const { baseUrl = 'https://gitlab.com', ...rest } = options
  const server = baseUrl.replace(/\/+$/, '')
  return oauth<GitLabProfile>({
    id: 'gitlab',
    name: 'GitLab',
    authorization: { url: `${server}/oauth/authorize`, params: { scope: 'read_user' } },
    token: `${server}/oauth/token`,
    userinfo: `${server}/api/v4/user`,
    profile: ({ sub, id, name, username, email, confirmed_at, avatar_url }) => ({
      id: String(sub ?? id),
      name: name ?? username ?? null,
      email: confirmed_at === null ? null : email,
      image: avatar_url,
    }),
    style: { brandColor: '#fc6d26', mark },
  })(rest)
}
