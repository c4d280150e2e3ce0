/**
 * Sign in with WeChat.
 *
 * Register an official account or a website app, with your site as its authorized domain, then set
 * `AUTH_WECHAT_ID` (the AppID) and `AUTH_WECHAT_SECRET`. The callback URL is
 * `https://your.site/auth/callback/wechat`. A page that people open outside of WeChat needs a website
 * app: `wechat({ platformType: 'WebsiteApp' })`.
 *
 * If the app is linked to an open-platform account, `unionid` identifies a user, otherwise `openid`.
 * Link the app before the first user signs in, because linking changes the identifiers. WeChat does not
 * return an email address.
 *
 * @see https://developers.weixin.qq.com/doc/oplatform/en/Website_App/WeChat_Login/Wechat_Login.html
 * @module
 */

import type { OAuthConfig, OAuthUserConfig } from '../options/provider-options.ts'
import { oauth } from './define.ts'
import { mark } from './marks/wechat.ts'

/** The members of the answer. */
export interface WeChatProfile {
  /** Of the person, for this app. */
  openid: string
  /** Of the person, for all apps of an open-platform account; not for other apps. */
  unionid?: string
  nickname: string
  headimgurl: string
  /** 1 male, 2 female, 0 not said. */
  sex: number
  province: string
  city: string
  country: string
  privilege: string[]
  [member: string]: unknown
}

/** What an application may say about WeChat. */
export type WeChatOptions = OAuthUserConfig<WeChatProfile> & {
  /** @default 'OfficialAccount' */
  platformType?: 'OfficialAccount' | 'WebsiteApp' | undefined
}

export default function WeChat(options: WeChatOptions = {}): OAuthConfig<WeChatProfile> {
  const { platformType = 'OfficialAccount', ...rest } = options
  const isWebsite = platformType === 'WebsiteApp'
  const page = isWebsite ? 'qrconnect' : 'oauth2/authorize'
  return oauth<WeChatProfile>({
    id: 'wechat',
    name: 'WeChat',
    // Without the fragment the page does not work within WeChat.
    authorization: {
      url: `https://open.weixin.qq.com/connect/${page}#wechat_redirect`,
      params: { appid: '{clientId}', scope: isWebsite ? 'snsapi_login' : 'snsapi_userinfo' },
    },
    // Knows us by its own parameters, and says no type of the token.
    token: {
      url: 'https://api.weixin.qq.com/sns/oauth2/access_token',
      params: { appid: '{clientId}', secret: '{clientSecret}' },
      isLenient: true,
    },
    userinfo: {
      url: 'https://api.weixin.qq.com/sns/userinfo',
      params: {
        access_token: '{tokens.access_token}',
        openid: '{tokens.openid}',
        lang: 'zh_CN',
      },
      headers: { authorization: '' },
    },
    checks: ['state'],
    profile: ({ unionid, openid, nickname, headimgurl }) => ({
      id: String(unionid ?? openid),
      name: nickname,
      email: null,
      image: headimgurl,
    }),
    style: { brandColor: '#000', mark },
  })(rest)
}
