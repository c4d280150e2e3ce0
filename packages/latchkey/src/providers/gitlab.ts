/**
 * Sign in with GitLab.
 *
 * Add an application with the scope `read_user` and the callback URL
 * `https://your.site/auth/callback/gitlab`, then set `AUTH_GITLAB_ID` and `AUTH_GITLAB_SECRET`. For your
 * own server, set `baseUrl`, for example `https://gitlab.your.site`.
 *
 * @see https://docs.gitlab.com/api/oauth2/
 * @module
 */

import { withoutEndSlashes } from '../base/encoding/end-slashes.ts'
import type { OAuthConfig, OAuthUserConfig } from '../options/provider-options.ts'
import { oauth } from './define.ts'
import { mark } from './marks/gitlab.ts'

/** The members of the answer. */
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
  state: string
  web_url: string
  created_at: string
  /** Empty or `null` for who says nothing, as the others of this kind. */
  bio: string | null
  location?: string
  public_email: string
  skype: string
  linkedin: string
  twitter: string
  website_url: string
  organization: string
  job_title: string
  pronouns: string
  bot: boolean
  work_information?: string
  followers: number
  following: number
  local_time: string
  last_sign_in_at: string
  theme_id: number
  last_activity_on: string
  color_scheme_id: number
  projects_limit: number
  current_sign_in_at: string
  identities: { provider: string; extern_uid: string }[]
  can_create_group: boolean
  can_create_project: boolean
  two_factor_enabled: boolean
  external: boolean
  private_profile: boolean
  commit_email: string
  /** Of paid plans, as the next one. */
  shared_runners_minutes_limit?: number | null
  extra_shared_runners_minutes_limit?: number | null
  [member: string]: unknown
}

/** What an application may say about GitLab. */
export type GitLabOptions = OAuthUserConfig<GitLabProfile> & {
  /** A server of your own. @default 'https://gitlab.com' */
  baseUrl?: string | undefined
}

export default function GitLab(options: GitLabOptions = {}): OAuthConfig<GitLabProfile> {
  const { baseUrl = 'https://gitlab.com', ...rest } = options
  const server = withoutEndSlashes(baseUrl)
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
