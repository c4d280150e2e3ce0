/**
 * Sign in with Foursquare.
 *
 * Register an app with the callback URL `https://your.site/auth/callback/foursquare`, then set
 * `AUTH_FOURSQUARE_ID` and `AUTH_FOURSQUARE_SECRET`.
 *
 * The provider uses version 2 of the API, which is available to projects from before 2021-11-18.
 *
 * @see https://docs.foursquare.com/developer/docs/using-oauth-authentication
 * @module
 */

import type { OAuthConfig, OAuthUserConfig } from '../options/provider-options.ts'
import { fullName } from '../protocols/oauth/full-name.ts'
import { oauth } from './define.ts'
import { mark } from './marks/foursquare.ts'

/** The members of the answer that the default user is made of. */
export interface FoursquareProfile {
  response: {
    user: {
      id: string
      firstName?: string
      lastName?: string
      contact?: { email?: string }
      /** Only for people with a picture; its size goes between the two. */
      photo?: { prefix: string; suffix: string }
    }
  }
  [member: string]: unknown
}

/** What an application may say about Foursquare. */
export type FoursquareOptions = OAuthUserConfig<FoursquareProfile> & {
  /** The day up to which changes of the API are known, `YYYYMMDD`. @default '20230131' */
  apiVersion?: string | undefined
}

export default function Foursquare(
  options: FoursquareOptions = {},
): OAuthConfig<FoursquareProfile> {
  const { apiVersion = '20230131', ...rest } = options
  return oauth<FoursquareProfile>({
    id: 'foursquare',
    name: 'Foursquare',
    authorization: 'https://foursquare.com/oauth2/authenticate',
    token: 'https://foursquare.com/oauth2/access_token',
    userinfo: {
      url: 'https://api.foursquare.com/v2/users/self',
      params: { v: apiVersion, oauth_token: '{tokens.access_token}' },
      headers: { authorization: '' },
    },
    profile({ response }) {
      const { id, firstName, lastName, contact, photo } = response?.user ?? {}
      return {
        id: String(id),
        name: fullName(firstName, lastName),
        email: contact?.email ?? null,
        image: photo ? `${photo.prefix}original${photo.suffix}` : null,
      }
    },
    style: { brandColor: '#000', mark },
  })(rest)
}
