/**
 * Sign in with NetSuite.
 *
 * Create an integration record with the scopes "RESTlets" and "REST Web Services" and the callback URL
 * `https://your.site/auth/callback/netsuite`, which must be https. Then set `AUTH_NETSUITE_ID` and
 * `AUTH_NETSUITE_SECRET`, and the options `accountID` and `userinfo`. NetSuite has no userinfo endpoint,
 * so `userinfo` is the URL of your own RESTlet or Suitelet, which returns `id`, `name` and `email`.
 *
 * @see https://docs.oracle.com/en/cloud/saas/netsuite/ns-online-help/section_157771281570.html
 * @module
 */

import type {
  OAuthConfig,
  OAuthUserConfig,
  UserinfoEndpointHandler,
} from '../options/provider-options.ts'
import { oauth } from './define.ts'

/** The members of the answer. */
export interface NetSuiteProfile {
  id: number
  name: string
  email: string
  location: number
  role: number
  roleId?: string
  roleCenter?: string
  contact?: number
  subsidiary?: number
  department?: number
  [member: string]: unknown
}

/** What NetSuite has beside the options of every provider. */
export interface OAuthNetSuiteOptions {
  /** As it is in your addresses: `1234567`, or `1234567-sb1` for a sandbox. */
  accountID: string
  userinfo: string | UserinfoEndpointHandler
  /** @default what NetSuite takes for the default */
  prompt?: 'none' | 'login' | 'consent' | undefined
  /** @default 'restlets rest_webservices' */
  scope?: string | undefined
}

/** What an application says about NetSuite. */
export type NetSuiteOptions = OAuthUserConfig<NetSuiteProfile> & OAuthNetSuiteOptions

export default function NetSuite(options: NetSuiteOptions): OAuthConfig<NetSuiteProfile> {
  const { prompt, scope = 'restlets rest_webservices', ...rest } = options ?? {}
  return oauth<NetSuiteProfile, Pick<NetSuiteOptions, 'accountID'>>({
    id: 'netsuite',
    name: 'NetSuite',
    authorization: {
      url: 'https://{accountID}.app.netsuite.com/app/login/oauth2/authorize.nl',
      params: { scope, prompt },
    },
    token: 'https://{accountID}.suitetalk.api.netsuite.com/services/rest/auth/oauth2/v1/token',
    checks: ['state'],
    profile: ({ id, name, email }) => ({ id: String(id), name, email, image: null }),
    style: { brandColor: '#181a1b' },
  })(rest)
}
