/**
 * Sign in with GitHub.
 *
 * Register an OAuth app with the callback URL `https://your.site/auth/callback/github`, then set
 * `AUTH_GITHUB_ID` and `AUTH_GITHUB_SECRET`. For GitHub Enterprise Server, set
 * `enterprise: { baseUrl }`.
 *
 * If the email address of a user is private, the provider requests the primary verified address, which
 * the scope `user:email` allows.
 *
 * @see https://docs.github.com/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps
 * @module
 */

import { withoutEndSlashes } from '../base/encoding/end-slashes.ts'
import type {
  OAuthConfig,
  OAuthUserConfig,
  TokenRevocationContext,
  UserinfoRequestContext,
} from '../options/provider-options.ts'
import { fetchUserInfo } from '../protocols/oauth/userinfo.ts'
import { oauth } from './define.ts'
import { mark } from './marks/github.ts'

/** The members of `GET /user`. */
export interface GitHubProfile {
  id: number
  login: string
  name: string | null
  /** Only when it is public, or from the list of addresses. */
  email: string | null
  avatar_url: string
  node_id: string
  gravatar_id: string | null
  url: string
  html_url: string
  followers_url: string
  following_url: string
  gists_url: string
  starred_url: string
  subscriptions_url: string
  organizations_url: string
  repos_url: string
  events_url: string
  received_events_url: string
  /** `'User'`, for people. */
  type: string
  site_admin: boolean
  company: string | null
  blog: string | null
  location: string | null
  hireable: boolean | null
  bio: string | null
  twitter_username?: string | null
  public_repos: number
  public_gists: number
  followers: number
  following: number
  created_at: string
  updated_at: string
  /** On an Enterprise Server. */
  suspended_at?: string | null
  /** With the scope `read:user`, which is asked for, as the rest. */
  private_gists?: number
  total_private_repos?: number
  owned_private_repos?: number
  disk_usage?: number
  collaborators?: number
  two_factor_authentication?: boolean
  plan?: { name: string; space: number; private_repos: number; collaborators: number }
  [member: string]: unknown
}

/** An entry of the list of addresses. */
export interface GitHubEmail {
  email: string
  primary: boolean
  verified: boolean
  /** `null` for addresses but the primary one. */
  visibility: 'public' | 'private' | null
}

/** What an application may say about GitHub. */
export type GitHubOptions = OAuthUserConfig<GitHubProfile> & {
  /** An Enterprise Server of your own. */
  enterprise?: { baseUrl?: string }
}

export default function GitHub(options: GitHubOptions = {}): OAuthConfig<GitHubProfile> {
  const { enterprise, ...rest } = options
  const own = enterprise?.baseUrl && withoutEndSlashes(enterprise.baseUrl)
  const site = own ?? 'https://github.com'
  const api = own ? `${own}/api/v3` : 'https://api.github.com'
  return oauth<GitHubProfile>({
    id: 'github',
    name: 'GitHub',
    issuer: `${site}/login/oauth`,
    authorization: {
      url: `${site}/login/oauth/authorize`,
      params: { scope: 'read:user user:email' },
    },
    token: `${site}/login/oauth/access_token`,
    userinfo: { url: `${api}/user`, request: (context) => readUser(api, context) },
    profile: ({ id, login, name, email, avatar_url }) => ({
      id: String(id),
      name: name ?? login,
      email,
      image: avatar_url,
    }),
    // https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/refreshing-user-access-tokens,
    // read 2026-11-23: of GitHub apps, access tokens end after 8 hours and refresh tokens after 6 months or one use. Tokens
    // of OAuth apps do not end.
    tokens: { rotation: 'strict', revocation: (context) => revokeToken(api, context) },
    style: { brandColor: '#24292f', mark },
  })(rest)
}

async function readUser(
  api: string,
  { tokens, fetch }: UserinfoRequestContext,
): Promise<Record<string, unknown>> {
  const token = String(tokens.access_token)
  const user = await fetchUserInfo({ url: `${api}/user` }, tokens, fetch)
  if (user['email']) return user
  const email = await primaryAddress(api, token, fetch)
  return { ...user, email, ...(email !== null && { email_verified: true }) }
}

/** The primary address if it is verified; without one the sign-in goes on. */
async function primaryAddress(
  api: string,
  token: string,
  send: typeof fetch,
): Promise<string | null> {
  const headers = { accept: 'application/json', authorization: `Bearer ${token}` }
  const response = await send(`${api}/user/emails`, { headers })
  if (!response.ok) return null
  const addresses = (await response.json()) as GitHubEmail[]
  return addresses.find(({ primary, verified }) => primary && verified)?.email ?? null
}

/**
 * Deletes an access token, and with it the refresh token that came along.
 *
 * @see https://docs.github.com/en/rest/apps/oauth-applications#delete-an-app-token
 */
async function revokeToken(
  api: string,
  { provider, token, hint, fetch }: TokenRevocationContext,
): Promise<void> {
  if (hint !== 'access_token') return
  const { clientId = '', clientSecret = '' } = provider
  const { status } = await fetch(`${api}/applications/${encodeURIComponent(clientId)}/token`, {
    method: 'DELETE',
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ access_token: token }),
  })
  // 404, 422: there is no such token any more.
  if (status !== 204 && status !== 404 && status !== 422)
    throw new Error(`GitHub returned status ${status}`)
}
