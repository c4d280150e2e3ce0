/**
 * Sign in with Pipedrive.
 *
 * Create an app in the developer hub with the callback URL
 * `https://your.site/auth/callback/pipedrive`, then set `AUTH_PIPEDRIVE_ID` and
 * `AUTH_PIPEDRIVE_SECRET`.
 *
 * @see https://pipedrive.readme.io/docs/marketplace-oauth-authorization
 * @module
 */

import { type OAuthProvider, oauth } from './define.ts'

/** The members of the answer. */
export interface PipedriveProfile {
  data: {
    id: number
    name: string
    email: string
    /** Only for users with a picture. */
    icon_url?: string | null
    default_currency?: string
    locale?: string
    lang?: number
    phone?: string
    activated?: boolean
    last_login?: string
    created?: string
    modified?: string
    signup_flow_variation?: string
    has_created_company?: boolean
    is_admin?: number
    active_flag?: boolean
    timezone_name?: string
    timezone_offset?: string
    role_id?: number
    is_you?: boolean
    company_id?: number
    company_name?: string
    company_domain?: string
    company_country?: string
    company_industry?: string
    language?: { language_code?: string; country_code?: string }
  }
  success: boolean
  [member: string]: unknown
}

const pipedrive: OAuthProvider<PipedriveProfile> = oauth({
  id: 'pipedrive',
  name: 'Pipedrive',
  authorization: 'https://oauth.pipedrive.com/oauth/authorize',
  token: 'https://oauth.pipedrive.com/oauth/token',
  userinfo: 'https://api.pipedrive.com/users/me',
  profile: ({ data }) => ({
    id: String(data?.id),
    name: data?.name,
    email: data?.email,
    image: data?.icon_url ?? null,
  }),
})

export default pipedrive
