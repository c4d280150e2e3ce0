/**
 * Sign in with EVE Online.
 *
 * Create an application with authentication only. Give it the callback URL
 * `https://your.site/auth/callback/eveonline`, then set `AUTH_EVEONLINE_ID` and
 * `AUTH_EVEONLINE_SECRET`.
 *
 * A character signs in, not a person. EVE Online does not return an email address.
 *
 * @see https://developers.eveonline.com/docs/services/sso/
 * @module
 */

import { type OAuthProvider, oauth } from './define.ts'

/** The members of the answer. */
export interface EVEOnlineProfile {
  CharacterID: number
  CharacterName: string
  ExpiresOn: string
  Scopes: string
  TokenType: string
  CharacterOwnerHash: string
  IntellectualProperty: string
  [member: string]: unknown
}

const eveOnline: OAuthProvider<EVEOnlineProfile> = oauth({
  id: 'eveonline',
  name: 'EVE Online',
  authorization: {
    url: 'https://login.eveonline.com/v2/oauth/authorize',
    params: { scope: 'publicData' },
  },
  token: 'https://login.eveonline.com/v2/oauth/token',
  userinfo: 'https://login.eveonline.com/oauth/verify',
  checks: ['state'],
  profile: ({ CharacterID: id, CharacterName: name }) => ({
    id: String(id),
    name,
    email: null,
    image: `https://images.evetech.net/characters/${id}/portrait?size=128`,
  }),
})

export default eveOnline
