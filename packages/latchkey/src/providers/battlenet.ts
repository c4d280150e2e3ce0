/**
 * Sign in with Battle.net.
 *
 * Create a client with the callback URL `https://your.site/auth/callback/battlenet`, then set
 * `AUTH_BATTLENET_ID`, `AUTH_BATTLENET_SECRET` and `AUTH_BATTLENET_ISSUER`. The issuer depends on the
 * region, for example `https://oauth.battle.net` or `https://oauth.battlenet.com.cn`.
 *
 * Battle.net returns no email address and no picture.
 *
 * @see https://develop.battle.net/documentation/guides/using-oauth
 * @module
 */

import { type OIDCProvider, oidc } from './define.ts'

/** The claims of the ID token. */
export interface BattleNetProfile {
  sub: string
  battle_tag: string
  [claim: string]: unknown
}

/** The issuers that there are; each region also has its own. */
export type BattleNetIssuer =
  | 'https://oauth.battle.net'
  | 'https://oauth.battlenet.com.cn'
  | 'https://www.battlenet.com.cn/oauth'
  | `https://${'us' | 'eu' | 'kr' | 'tw'}.battle.net/oauth`

const battleNet: OIDCProvider<BattleNetProfile> = oidc({
  id: 'battlenet',
  name: 'Battle.net',
  profile: ({ sub, battle_tag }) => ({ id: sub, name: battle_tag, email: null, image: null }),
  style: { brandColor: '#148eff' },
})

export default battleNet
