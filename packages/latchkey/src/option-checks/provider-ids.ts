import type {
  CommonProviderOptions,
  CredentialsConfig,
  EmailConfig,
  OAuthConfig,
  OIDCConfig,
  Provider,
  WebAuthnConfig,
  WebAuthnProviderType,
} from '../options/provider-options.ts'

/** The OAuth and OpenID Connect providers of the catalogue. */
export type OAuthProviderId =
  | '42-school'
  | 'apple'
  | 'asgardeo'
  | 'atlassian'
  | 'auth0'
  | 'authentik'
  | 'azure-ad'
  | 'azure-ad-b2c'
  | 'azure-devops'
  | 'bankid-no'
  | 'battlenet'
  | 'beyondidentity'
  | 'bitbucket'
  | 'box'
  | 'boxyhq-saml'
  | 'bungie'
  | 'click-up'
  | 'cognito'
  | 'coinbase'
  | 'concept2'
  | 'descope'
  | 'discord'
  | 'dribbble'
  | 'dropbox'
  | 'duende-identity-server6'
  | 'eventbrite'
  | 'eveonline'
  | 'facebook'
  | 'faceit'
  | 'figma'
  | 'foursquare'
  | 'freshbooks'
  | 'frontegg'
  | 'fusionauth'
  | 'github'
  | 'gitlab'
  | 'google'
  | 'gumroad'
  | 'hubspot'
  | 'huggingface'
  | 'hydra'
  | 'identity-server4'
  | 'instagram'
  | 'kakao'
  | 'keycloak'
  | 'kick'
  | 'kinde'
  | 'line'
  | 'linear'
  | 'linkedin'
  | 'logto'
  | 'mailchimp'
  | 'mailru'
  | 'mastodon'
  | 'mattermost'
  | 'medium'
  | 'microsoft'
  | 'microsoft-entra-id'
  | 'naver'
  | 'netlify'
  | 'netsuite'
  | 'nextcloud'
  | 'notion'
  | 'okta'
  | 'onelogin'
  | 'osso'
  | 'osu'
  | 'passage'
  | 'patreon'
  | 'paybin'
  | 'paypal'
  | 'ping-id'
  | 'pinterest'
  | 'pipedrive'
  | 'polar'
  | 'railway'
  | 'reddit'
  | 'roblox'
  | 'salesforce'
  | 'simplelogin'
  | 'slack'
  | 'spotify'
  | 'strava'
  | 'threads'
  | 'tiktok'
  | 'todoist'
  | 'trakt'
  | 'twitch'
  | 'twitter'
  | 'united-effects'
  | 'vercel'
  | 'vipps'
  | 'vk'
  | 'webex'
  | 'wechat'
  | 'wikimedia'
  | 'wordpress'
  | 'workos'
  | 'yandex'
  | 'zitadel'
  | 'zoho'
  | 'zoom'

/** The type of mail providers. */
export type EmailProviderType = EmailConfig['type']

/** The mail providers of the catalogue. */
export type EmailProviderId =
  | 'email'
  | 'forwardemail'
  | 'loops'
  | 'mailgun'
  | 'nodemailer'
  | 'postmark'
  | 'resend'
  | 'sendgrid'

export type CredentialsProviderId = 'credentials'

/** The passkey providers of the catalogue. */
export type WebAuthnProviderId = WebAuthnProviderType | 'passkey'

/** Any id; editors suggest the ids of the catalogue. */
export type ProviderId =
  | CredentialsProviderId
  | EmailProviderId
  | OAuthProviderId
  | WebAuthnProviderId
  | (string & Record<never, never>)

/** The catalogue: the default export of each provider's module, by id. */
// Options and profiles are of as many types as there are providers.
// oxlint-disable typescript/no-explicit-any
export type BuiltInProviders = Record<
  OAuthProviderId,
  (options: any) => OAuthConfig<any> | OIDCConfig<any>
> &
  Record<CredentialsProviderId, (options: any) => CredentialsConfig> &
  Record<EmailProviderId, (options: any) => EmailConfig> &
  Record<WebAuthnProviderId, (options: any) => WebAuthnConfig>
// oxlint-enable typescript/no-explicit-any

/** The type of the option `providers`. */
export type AppProviders = (Provider | ReturnType<BuiltInProviders[keyof BuiltInProviders]>)[]

/** A provider in the list of providers. */
export interface AppProvider extends CommonProviderOptions {
  signinUrl: string
  callbackUrl: string
}
