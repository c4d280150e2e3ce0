import type { Awaitable } from '../base/awaitable.ts'
import type { AuthError } from '../base/errors.ts'
import type { Texts } from '../base/texts/texts.ts'
import type { ProviderType, TokenSet } from '../model/account.ts'
import type { Adapter } from '../model/adapter.ts'
import type { Profile } from '../model/profile.ts'
import type { User } from '../model/user.ts'
import type {
  AuthenticationOptions,
  RegistrationOptions,
  RelyingParty,
  SimpleWebAuthn,
  VerifyAuthenticationOptions,
  VerifyRegistrationOptions,
} from '../protocols/webauthn/simple-webauthn.ts'
import type { SentMail } from './mail/mail-options.ts'
import type { checkWith, compileWith, customFetch } from './markers.ts'
import type { Theme } from './pages.ts'

/** The members of every provider. */
export interface CommonProviderOptions {
  /** Id of the provider, a part of its URLs. */
  id: string
  /** Label of the button on the built-in sign-in page. */
  name: string
  /** Kind of the provider: `oauth`, `oidc`, `email`, `credentials` or `webauthn`. */
  type: ProviderType
}

// ── OAuth and OpenID Connect ───────────────────────────────────────────────────────────────

/** Values that bind the response to the request: PKCE (RFC 7636), `state` (RFC 6749 section 10.12), `nonce`. */
export type OAuthCheck = 'pkce' | 'state' | 'nonce' | 'none'

/**
 * An endpoint with its parameters. `{name}` in its strings is replaced by the member `name` of the provider, for
 * example `{issuer}` or `{clientId}`, after options and environment are merged.
 */
export interface EndpointHandler {
  /**
   * Address of the endpoint.
   *
   * `{name}` in it is replaced by the member `name` of the provider, for example `{issuer}` or `{clientId}`.
   *
   * @default from the metadata
   */
  url?: string | undefined
  /**
   * Query parameters of the request.
   *
   * `claims` and `authorization_details` are sent as JSON. `scope: null` of the authorization endpoint sends no
   * scope, not even the default one.
   */
  params?: Record<string, unknown> | undefined
}

/**
 * The logout endpoint of a provider (OpenID Connect RP-Initiated Logout 1.0), for the plugin `federatedLogout`: a URL
 * that accepts the parameters of the standard, an object for an endpoint with other parameters, or `false` if there is no
 * endpoint for applications.
 */
export type EndSession = string | EndSessionEndpoint | false

export interface EndSessionEndpoint {
  /** Address of the logout endpoint. @default `end_session_endpoint` of the metadata */
  url?: string | undefined
  /**
   * Query parameters: with `url` they replace the parameters of the standard, otherwise they are added.
   *
   * `{name}` in a value is replaced by the member `name` of the provider, `{return}` by the address to which the
   * visitor returns, and `{state}`, `{hint}` (the ID token) and `{sid}` (a claim of it) by their values. A parameter
   * without a value is omitted.
   */
  params?: Record<string, string> | undefined
  /** The claim of the ID token that is sent as `logout_hint`: `sid`. @default `login_hint` */
  logoutHint?: 'sid' | undefined
  /** An address and its parameters, if neither `url` nor the metadata names an address. */
  otherwise?: { url: string; params: Record<string, string> } | undefined
}

/** The endpoints of a provider that can be configured. */
export type OAuthEndpointType = 'authorization' | 'token' | 'userinfo'

export interface AuthorizationEndpointHandler extends EndpointHandler {}

/** The parameters of a provider's own request to an endpoint. */
export interface EndpointContext {
  provider: OAuth2Config<unknown> & { signinUrl: string; callbackUrl: string }
  /** A `fetch` that is limited in time and size. Use it instead of the global one. */
  fetch: typeof fetch
}

/** The parameters of a provider's own token request. */
export interface TokenRequestContext extends EndpointContext {
  /** The parameters of the authorization response, such as `code`. */
  params: Record<string, string>
  checks: OAuthChecks
}

/** The values that bind the response to this browser. */
export interface OAuthChecks {
  code_verifier?: string
  state?: string
  nonce?: string
}

export interface TokenEndpointHandler extends EndpointHandler {
  /**
   * Sends the token request itself.
   *
   * It receives `provider`, `fetch`, `params` and `checks`. `fetch` is limited in time and size. The tokens are
   * checked like those of any other token response.
   */
  request?: (context: TokenRequestContext) => Awaitable<{ tokens: TokenSet }>
  /**
   * Additional fields of the token request.
   *
   * `{name}` in a value is replaced by the member `name` of the provider.
   */
  body?: Record<string, string> | undefined
  /**
   * Additional headers of the token request.
   *
   * `{name}` in a value is replaced by the member `name` of the provider.
   */
  headers?: Record<string, string> | undefined
  /**
   * Accepts some token responses that break the standard.
   *
   * It accepts a list as `scope`, a missing `token_type`, and a challenge in addition to tokens.
   *
   * @default false
   */
  isLenient?: boolean | undefined
  /**
   * Changes a token response that breaks the standard, before the library checks it.
   *
   * A returned response replaces the original one.
   */
  conform?: (response: Response) => Awaitable<Response | undefined | void>
  /**
   * A `CryptoKey`, or `{ key, kid }`, for `private_key_jwt`.
   *
   * @see docs/reference/configuration.md#client-authentication
   */
  clientPrivateKey?: CryptoKey | { key: CryptoKey; kid?: string } | undefined
}

/** The parameters of a provider's own userinfo request. */
export interface UserinfoRequestContext extends EndpointContext {
  tokens: TokenSet
}

/** In `url`, `params`, `headers` and `body`, `{tokens.name}` is replaced by a member of the token response. */
export interface UserinfoEndpointHandler extends EndpointHandler {
  /** Method of the userinfo request of a plain OAuth provider: `GET` or `POST`. @default 'GET' */
  method?: 'GET' | 'POST' | undefined
  /**
   * Headers of the request, in addition to `accept` and `authorization` or in their place.
   *
   * An empty header is not sent.
   *
   * @default the access token
   */
  headers?: Record<string, string> | undefined
  /** Body of the request, sent as JSON. */
  body?: Record<string, unknown> | undefined
  /** Path of the profile in the response: names and indexes, for example `response.0`. */
  unwrap?: string | undefined
  /**
   * Sends the userinfo request itself.
   *
   * It receives `provider`, `fetch` and `tokens`. `fetch` is limited in time and size.
   */
  request?: (context: UserinfoRequestContext) => Awaitable<unknown>
}

/** Settings of the application as a client of the provider (RFC 7591 section 2). */
export interface ClientOptions {
  /**
   * The method of client authentication.
   *
   * @default `client_secret_basic`, or `none` without a secret
   * @see docs/reference/configuration.md#client-authentication
   */
  token_endpoint_auth_method?:
    | 'client_secret_basic'
    | 'client_secret_post'
    | 'client_secret_jwt'
    | 'private_key_jwt'
    | 'tls_client_auth'
    | 'self_signed_tls_client_auth'
    | 'none'
  /**
   * The algorithm that signs the assertion of the client.
   *
   * For `client_secret_jwt` it is `HS256`, `HS384` or `HS512`. For `private_key_jwt` with an Ed25519 key it is
   * `Ed25519` or `EdDSA`.
   *
   * @default the first of these that the metadata lists
   * @see docs/reference/configuration.md#client-authentication
   */
  token_endpoint_auth_signing_alg?: string
  /**
   * The algorithm of ID tokens; the client secret verifies `HS256`, `HS384` and `HS512`.
   *
   * @default from the metadata, else `RS256`
   */
  id_token_signed_response_alg?: string
  /** Requires a userinfo response that is a JWT with this signature. */
  userinfo_signed_response_alg?: string
  /** Requires the claim `auth_time` in ID tokens, as in OpenID Connect Registration. */
  require_auth_time?: boolean
  /**
   * Seconds since the user authenticated at the provider, as in OpenID Connect Registration.
   *
   * A `max_age` in `authorization.params` is checked in the same way.
   */
  default_max_age?: number
  [member: string]: unknown
}

/** The look of the provider's button on the built-in sign-in page. */
export interface OAuthProviderButtonStyles {
  /** A CSS colour for sign-in pages of your own. The built-in page has marks in the colour of the text. */
  brandColor?: string
  /** Address of an image that replaces the mark: absolute, or a path on this site. */
  logo?: string
  /** The mark of the provider in the colour of the text: the `d` attribute of one SVG path in a 24 by 24 view box. */
  mark?: string
  /** The mark of a provider that does not allow other colours: `{ viewBox, paths: [{ d, fill }] }`. */
  colouredMark?: ColouredMark
  /** @deprecated Use `brandColor`. */
  text?: string
  /** @deprecated Use `brandColor`. */
  bg?: string
}

/** A mark in colours that stay as they are. */
export interface ColouredMark {
  /** The `viewBox` attribute, such as `0 0 24 24`. */
  readonly viewBox: string
  readonly paths: readonly {
    /** The `d` attribute of a path. */
    readonly d: string
    /** The colour of the path. */
    readonly fill: string
  }[]
}

/** Returns the user for a profile. `id` must be an identifier that the provider never reuses. */
export type ProfileCallback<P> = (profile: P, tokens: TokenSet) => Awaitable<User>

/** Returns members that the ID token and the userinfo response do not have. */
export type SupplementCallback = (
  context: UserinfoRequestContext & { profile: Profile },
) => Awaitable<Record<string, unknown>>

/** Chooses which members of a token response are stored. */
export type AccountCallback = (tokens: TokenSet) => TokenSet | undefined | void

/** An OAuth 2.0 provider. */
export interface OAuth2Config<P> extends CommonProviderOptions {
  type: 'oauth' | 'oidc'
  /** Id of the client at the provider. @default `AUTH_<ID>_ID` */
  clientId?: string | undefined
  /** Secret of the client; without a secret the client authenticates with `none`. @default `AUTH_<ID>_SECRET` */
  clientSecret?: string | undefined
  /**
   * The issuer, from which the metadata is read and which responses must name.
   *
   * `{name}` in it is replaced by the member `name` of the provider.
   *
   * @default `AUTH_<ID>_ISSUER`, else `defaultIssuer`
   */
  issuer?: string | undefined
  /** The issuer if neither the application nor the environment names one. */
  defaultIssuer?: string | undefined
  /** Address of the metadata; its `issuer` must be the configured one. @default below the issuer */
  wellKnown?: string | undefined
  /** Address of the keys that verify ID tokens. @default from the metadata */
  jwks_endpoint?: string | undefined
  /** The authorization endpoint: an address, or an object. @default from the metadata */
  authorization?: string | AuthorizationEndpointHandler | undefined
  /** The token endpoint: an address, or an object. @default from the metadata */
  token?: string | TokenEndpointHandler | undefined
  /**
   * The userinfo endpoint: an address, or an object.
   *
   * `{tokens.name}` in its `url`, `params`, `headers` and `body` is replaced by the member `name` of the token
   * response. `method`, `headers`, `body` and `unwrap` describe the request of a plain OAuth provider.
   *
   * @default from the metadata
   */
  userinfo?: string | UserinfoEndpointHandler | undefined
  /**
   * The issuer in ID tokens if all tenants share the metadata; `{tid}` stands for the claim.
   *
   * The metadata has `{tenantid}` in its place. With the metadata of one tenant, only that tenant is accepted.
   */
  tenantIssuer?: string | undefined
  /**
   * Whether the provider may begin a sign-in, for example from its list of applications.
   *
   * It leads visitors to `signin/<id>` with `iss`, and may send `login_hint` and `target_link_uri` (OpenID Connect Core
   * section 4). The visitor confirms on a page. Needs `issuer`.
   *
   * @default false
   * @see docs/how-to/let-the-provider-begin.md
   */
  providerMayBegin?: boolean | undefined
  /**
   * The claim that, in addition to `email_verified`, says whether the address is proven.
   *
   * With the metadata of all tenants (`tenantIssuer`), an address without this claim is not proven: its tenant chose
   * it.
   *
   * @see docs/reference/configuration.md#linking-by-address
   */
  emailProofClaim?: string | undefined
  /**
   * Parameters of the authorization response that become members of the profile.
   *
   * JSON in them is parsed. They come from the browser and are not signed.
   */
  responseParams?: readonly string[] | undefined
  /**
   * Authentication contexts, of which the user needs one.
   *
   * They are sent as `acr_values`, and compared with the `acr` of the ID token.
   *
   * @see docs/reference/configuration.md#authentication-contexts
   */
  requiredAcr?: readonly string[] | undefined
  /**
   * Values that bind the response to the request: `pkce`, `state` and `nonce`, or `none`.
   *
   * @default ['pkce']
   * @see docs/reference/configuration.md#checks
   */
  checks?: readonly OAuthCheck[] | undefined
  /** Settings of the application as a client of the provider (RFC 7591). */
  client?: ClientOptions | undefined
  /**
   * Loads more of the profile after the user is identified.
   *
   * It receives `profile`, `tokens`, `provider` and `fetch`, and returns members that are added to the profile. If it
   * throws, the library logs a warning, and the sign-in goes on.
   */
  supplement?: SupplementCallback | undefined
  /**
   * Returns the user for `profile` and `tokens`.
   *
   * The provider must never give the same `id` to another user.
   *
   * @default from the standard's claims
   */
  profile?: ProfileCallback<P> | undefined
  /** Returns the members of the token response that are stored. @default the usual members */
  account?: AccountCallback | undefined
  /**
   * Rules for the tokens of the provider, for the plugin `providerTokens`.
   *
   * @see docs/reference/configuration.md#rules-of-a-provider
   */
  tokens?: ProviderTokenRules | undefined
  /**
   * Links the account to the user who has the same e-mail address: `true` or `proven`.
   *
   * `true` is dangerous: the owner of the address at this provider gets the account of the user. `'proven'` is safe
   * if you can trust the provider: it says that the address is proven, and the user proved the address here, by mail.
   *
   * @default false
   * @see docs/reference/configuration.md#linking-by-address
   */
  allowDangerousEmailAccountLinking?: boolean | 'proven' | undefined
  /**
   * Whether the authorization request is pushed to the provider (RFC 9126): `auto`, `true` or `false`.
   *
   * The browser then carries only a reference. `'auto'` pushes the request if the metadata requires it.
   *
   * @default 'auto'
   */
  par?: 'auto' | boolean | undefined
  /**
   * Binds the tokens to a key that is made for each sign-in (RFC 9449).
   *
   * A stolen token is useless without the key. Tokens that are not bound to it are refused. The plugin
   * `providerTokens` keeps the key, so calls after the sign-in need the plugin. No callback receives the key.
   *
   * @default false
   * @see docs/how-to/use-the-api-of-a-provider.md#tokens-that-are-bound-to-a-key
   */
  dpop?: boolean | DpopOptions | undefined
  /**
   * `fapi2` applies the FAPI 2.0 Security Profile.
   *
   * It sets `par`, `dpop` and the checks, and refuses options, metadata and responses that the profile does not
   * allow: at the start, before the redirect to the provider, or at the callback.
   *
   * @see docs/how-to/connect-to-a-fapi-provider.md
   */
  securityProfile?: 'fapi2' | undefined
  /**
   * The logout endpoint for the plugin `federatedLogout`: an address, an object, or `false`.
   *
   * An address takes the parameters of the standard (OpenID Connect RP-Initiated Logout 1.0), an object also other
   * parameters. `false` means that there is no endpoint.
   *
   * @default `end_session_endpoint` of the metadata
   * @see docs/how-to/sign-out-of-the-provider.md
   */
  endSession?: EndSession | undefined
  /**
   * Values of `prompt` that the provider accepts to change the account: `select_account`, `login`.
   *
   * @default `prompt_values_supported` of the metadata
   */
  prompts?: readonly ('select_account' | 'login')[] | undefined
  /**
   * Differences of the provider's logout tokens from the standard, for the plugin `federatedLogout`.
   *
   * `{ exp: 'optional' }` accepts logout tokens without `exp`.
   *
   * @default { exp: 'required' }
   */
  logoutToken?: { exp?: 'required' | 'optional' | undefined } | undefined
  /** The same option of the configuration, for this provider only. @default the configuration's */
  redirectProxyUrl?: string | undefined
  /** The look of the button on the built-in sign-in page. @default the catalogue's */
  style?: OAuthProviderButtonStyles | undefined
  /** The reason why users can no longer sign in with the provider, logged as a warning. */
  deprecated?: string | undefined
  /** Sends every request to this provider; may use plain http. */
  [customFetch]?: typeof fetch
  /** What the application overrides; merged over the members above when the configuration is compiled. */
  options?: OAuthUserConfig<P> | undefined
}

/** Options for tokens that are bound to a key. */
export interface DpopOptions {
  /** The algorithm of the key: `ES256` or `EdDSA`. @default 'ES256' */
  alg?: 'ES256' | 'EdDSA' | undefined
}

/** Rules for the renewal and revocation of a provider's tokens. */
export interface ProviderTokenRules {
  /**
   * What happens to a refresh token that was used: `strict`, `overlap`, `none` or `unknown`.
   *
   * `strict`: it works once, and a second use may end all tokens of the grant. `overlap`: the provider issues a new
   * one, and the old one works for some time. `none`: it stays valid.
   *
   * @default 'unknown'
   */
  rotation?: 'strict' | 'overlap' | 'none' | 'unknown' | undefined
  /**
   * Seconds before a token expires, from which it is renewed; `false` renews it only with `force`.
   *
   * @default the plugin's
   */
  margin?: number | false | undefined
  /** Seconds until a token expires whose lifetime the provider does not name. @default the plugin's */
  assumedLifetime?: number | undefined
  /** When tokens are revoked at the provider: `never`, `unlink` or `sign-out`. @default the plugin's */
  revoke?: 'never' | 'unlink' | 'sign-out' | undefined
  /**
   * Renews tokens in another way.
   *
   * It receives `provider`, `tokens` and `fetch`. The tokens are checked like those of any other token response.
   */
  refresh?: ((context: TokenRefreshContext) => Awaitable<{ tokens: TokenSet }>) | undefined
  /**
   * The revocation endpoint (RFC 7009) if the metadata names none, or a function that revokes a token.
   *
   * `false` means that there is no endpoint. A function receives `provider`, `token`, `hint` and `fetch`.
   *
   * @default from the metadata
   */
  revocation?: string | ((context: TokenRevocationContext) => Awaitable<void>) | false | undefined
  /** Whether revoking one token ends all access of the site to the data of the user. @default false */
  revokesAll?: boolean | undefined
  /** Scopes that the application may request from users later, in addition to those of the sign-in. @default none */
  scopes?: readonly string[] | undefined
  /** Resources for which tokens may be requested (RFC 8707): absolute URIs without a fragment. @default none */
  resources?: readonly string[] | undefined
  /** Additional parameters of an authorization request for more scopes. */
  connectParams?: Readonly<Record<string, string>> | undefined
}

/** The parameters of a provider's own renewal of tokens. */
export interface TokenRefreshContext {
  provider: OAuth2Config<unknown>
  /** The current tokens. */
  tokens: Pick<TokenSet, 'access_token' | 'refresh_token' | 'scope'>
  /** A `fetch` that is limited in time and size. */
  fetch: typeof fetch
}

/** The parameters of a provider's own revocation of a token. */
export interface TokenRevocationContext {
  provider: OAuth2Config<unknown>
  token: string
  hint: 'access_token' | 'refresh_token'
  /** A `fetch` that is limited in time and size. */
  fetch: typeof fetch
}

/** An OpenID Connect provider. */
export interface OIDCConfig<P> extends OAuth2Config<P> {
  type: 'oidc'
  /** With `false`, OpenID Connect takes the profile from the userinfo endpoint. @default true */
  idToken?: boolean | undefined
}

export interface OAuthConfig<P> extends OAuth2Config<P> {
  type: 'oauth'
}

/** Options of the application for a provider of the catalogue. */
export type OAuthUserConfig<P> = Partial<Omit<OAuth2Config<P>, 'type' | 'options'>> & {
  /** With `false`, OpenID Connect takes the profile from the userinfo endpoint. @default true */
  idToken?: boolean | undefined
}
export type OIDCUserConfig<P> = OAuthUserConfig<P>

// ── e-mail ─────────────────────────────────────────────────────────────────────────────────

/** The parameters of `sendVerificationRequest`. */
export interface EmailProviderSendVerificationRequestParams {
  /** The normalized email address. */
  identifier: string
  /** The link to put into the mail. */
  url: string
  expires: Date
  /** The provider, with its sender or the default one. */
  provider: EmailConfig & { from: string }
  /** The one-time token, which `url` also contains. */
  token: string
  /** Six digits that the visitor may type instead of opening the link, with `code: true`. */
  code?: string
  theme: Theme
  /** The texts in the preferred language of the request, `texts.lang`. Missing texts are English. */
  texts?: Texts
  /** The request for the mail. */
  request: Request
  /** A `fetch` for the mail service, limited in time and size. */
  fetch: typeof fetch
}

/** The parameters of `sendMail` of a mail provider. */
export interface SendMailParams {
  mail: SentMail
  provider: EmailConfig
  /** The origin of the site, for example `https://app.example`. */
  origin: string
  /** A `fetch` for the mail service, limited in time and size. */
  fetch: typeof fetch
}

/** Sign-in with a link in a mail. */
export interface EmailConfig extends CommonProviderOptions {
  type: 'email'
  /** The sender: `Name <address>`, or an address. @default `no-reply@` the host */
  from?: string | undefined
  /** Seconds until the link expires. @default 600 */
  maxAge?: number | undefined
  /** Hashes the token. @default the configuration's */
  secret?: string | undefined
  /** The key of the mail service. @default `AUTH_<ID>_KEY` */
  apiKey?: string | undefined
  /** For nodemailer: a connection URL, options of a transport, or a transport. */
  // oxlint-disable-next-line typescript/no-explicit-any
  server?: any
  /**
   * Sends the mail with the link, or throws if it cannot.
   *
   * It receives `identifier` (the address), `url`, `code`, `token`, `expires`, `theme`, `texts`, `request`,
   * `provider` and `fetch`. `texts.lang` is the language of the visitor.
   *
   * @default the provider's own
   */
  sendVerificationRequest: (params: EmailProviderSendVerificationRequestParams) => Awaitable<void>
  /**
   * Sends any other mail, for plugins, or throws if it cannot.
   *
   * It receives `mail`, `provider`, `origin` and `fetch`. A provider whose service fills in a template has no default.
   * `mail` has `to`, `subject`, `text`, `html`, `kind` (what it is about), `locale`, `urls` (its links), and for some mails
   * `code` and `userId`.
   *
   * @default the provider's own
   */
  sendMail?: ((params: SendMailParams) => Awaitable<void>) | undefined
  /** Returns the token of the link, at least 16 characters. @default 32 random bytes as hex */
  generateVerificationToken?: (() => Awaitable<string>) | undefined
  /**
   * Returns the address as it is stored and mailed to, or throws if it is not an address.
   *
   * @default lower case, trimmed
   */
  normalizeIdentifier?: ((identifier: string) => string) | undefined
  /**
   * When the link first shows a page with a button: `other-browser`, `always` or `never`.
   *
   * The page prevents that a mail scanner uses the link. With `'other-browser'`, one click is enough in the browser
   * that requested the mail.
   *
   * @default 'other-browser'
   */
  confirmation?: 'never' | 'other-browser' | 'always' | undefined
  /**
   * Whether a mail signs in a user whose address was never proven.
   *
   * A user may have an address from a provider and never have proved it. With `false` only a user who is signed in
   * can prove the address. Others get `AccountNotLinked`. `true` is the behaviour of Auth.js.
   *
   * @default true
   */
  opensUnproven?: boolean | undefined
  /**
   * Also mails six digits, which sign in the browser that requested the mail.
   *
   * It needs an adapter that counts attempts.
   *
   * @default false
   */
  code?: boolean | undefined
  /**
   * The address of a page that shows the mails, for development: a path, or the URL of a mail catcher.
   *
   * Pages that say that a mail was sent link to it.
   *
   * @default none
   */
  mailbox?: string | undefined
  /** Members without which the provider sends no mail; if one is missing, the start fails. */
  requires?: readonly string[] | undefined
  /** Sends every request to the mail service; may use plain http. */
  [customFetch]?: typeof fetch
  options?: EmailUserConfig | undefined
}

export type EmailUserConfig = Partial<Omit<EmailConfig, 'type' | 'options'>>

// ── credentials ────────────────────────────────────────────────────────────────────────────

/** One field of the sign-in form: attributes of an `<input>`, and its label. */
export interface CredentialInput {
  label?: string
  type?: string
  placeholder?: string
  value?: string | number
  [attribute: string]: string | number | boolean | undefined
}

/** Sign-in with fields that the application checks itself. */
export interface CredentialsConfig extends CommonProviderOptions {
  type: 'credentials'
  /**
   * Fields of the form, by name: attributes of an `<input>`, and its `label`.
   *
   * Without any, the built-in page does not show the provider.
   */
  credentials: Record<string, CredentialInput>
  /**
   * Checks the fields of the form and returns the user, or `null` if they are wrong.
   *
   * It receives the fields as they were sent: check their types. To show a `code` of your own, throw
   * `CredentialsSignin`. With sessions in a database, return a user that the adapter has.
   *
   * The request has the URL and the headers of the form, and its fields as JSON. A function that cannot see it, such as
   * one with a single parameter, gets none.
   *
   * @default required
   */
  authorize: (credentials: Record<string, unknown>, request: Request) => Awaitable<User | null>
  options?: CredentialsUserConfig | undefined
}

export type CredentialsUserConfig = Partial<Omit<CredentialsConfig, 'type' | 'options'>>

// ── WebAuthn ───────────────────────────────────────────────────────────────────────────────

/** The context of the application's own functions for passkeys. */
export interface WebAuthnContext {
  provider: WebAuthnConfig
  adapter: Adapter
  /** The URL of the request. */
  url: URL
}

/** The request that the application's own functions for passkeys receive. */
export interface WebAuthnRequest {
  url: URL
  method: string
  headers: Record<string, string>
  query: Record<string, string>
  /** The fields of a posted form. */
  body?: Record<string, unknown>
}

/** The claimed user of a visitor. A new user is created after the registration of the passkey. */
export interface UserInfo {
  /** Registration requires a user with an `email`. */
  user: User
  /** Whether the user is stored. */
  exists: boolean
}

/** Returns the claimed user of a request, or `null` without one. It must not change data. */
export type GetUserInfo = (
  options: WebAuthnContext,
  request: WebAuthnRequest,
) => Awaitable<UserInfo | null>

/** The configured relying party. Of a list of ids or names, the first is used. */
export interface RelyingPartyOptions {
  /** The domain of the relying party; of a list the first is used. @default the host of the request */
  id?: string | readonly string[]
  /** The name that users see; of a list the first is used. @default the host of the request */
  name?: string | readonly string[]
  /** The origins from which responses are accepted, and no other. @default the origin of the request */
  origin?: string | readonly string[]
}

/** `v1`, `v1.2` or `v1.2.3`. */
export type SemverString = `v${number}` | `v${number}.${number}` | `v${number}.${number}.${number}`

export type WebAuthnProviderType = 'webauthn'

/** Sign-in with a passkey or a security key. */
export interface WebAuthnConfig extends CommonProviderOptions {
  type: WebAuthnProviderType
  /** The relying party, to which passkeys belong. @default host and origin of the request */
  relayingParty?: RelyingPartyOptions | undefined
  /**
   * Returns the relying party for one request, in place of `relayingParty`.
   *
   * It receives `{ provider, adapter, url }` and the request.
   */
  getRelayingParty?:
    | ((options: WebAuthnContext, request: WebAuthnRequest) => RelyingParty)
    | undefined
  /**
   * Whether browsers offer passkeys in the field for the address.
   *
   * Only one provider may have it. One of its fields needs `autocomplete: 'username webauthn'`.
   *
   * @default true
   */
  enableConditionalUI?: boolean | undefined
  /** Has no effect: the sign-in page has its own script. */
  simpleWebAuthnBrowserVersion?: SemverString | false | undefined
  /** Fields of the form on the sign-in page, by name: attributes of inputs, and `label`. @default `email` */
  formFields?: Record<string, CredentialInput> | undefined
  /** Options of an authentication. @default `timeout: 300000`; passkey: `userVerification: 'required'` */
  authenticationOptions?: AuthenticationOptions | undefined
  /**
   * Options of a registration.
   *
   * The provider `passkey` requires a resident key and user verification; other providers prefer them.
   *
   * @default `timeout: 300000`, and requirements
   */
  registrationOptions?: RegistrationOptions | undefined
  /** Options of the check of an authentication. @default `requireUserVerification: true` */
  verifyAuthenticationOptions?: VerifyAuthenticationOptions | undefined
  /** Options of the check of a registration. @default `requireUserVerification: true` */
  verifyRegistrationOptions?: VerifyRegistrationOptions | undefined
  /**
   * Returns the user that the visitor names: `{ user, exists }`, or `null`.
   *
   * It receives `{ provider, adapter, url }` and the request. It must not change data.
   *
   * @default by the field `email`
   */
  getUserInfo?: GetUserInfo | undefined
  /**
   * Functions that generate and verify; omitted functions keep the default.
   *
   * @default `@simplewebauthn/server` 14, loaded on first use
   */
  simpleWebAuthn: SimpleWebAuthn
  /** Set by the module of the provider; applications do not set it. */
  [compileWith]?: unknown
  /** Checks the provider, together with all others. */
  [checkWith]?: (provider: WebAuthnConfig, all: readonly ProviderConfig[]) => AuthError | undefined
  options?: WebAuthnUserConfig | undefined
}

export type WebAuthnUserConfig = Partial<
  Omit<
    WebAuthnConfig,
    'type' | 'options' | 'simpleWebAuthn' | typeof compileWith | typeof checkWith
  >
> & {
  /**
   * Functions that generate and verify; omitted functions keep the default.
   *
   * @default `@simplewebauthn/server` 14, loaded on first use
   */
  simpleWebAuthn?: Partial<SimpleWebAuthn> | undefined
}

// ── any of them ────────────────────────────────────────────────────────────────────────────

/** A provider as an object. */
export type ProviderConfig =
  // A list of providers holds profiles of many types.
  // oxlint-disable-next-line typescript/no-explicit-any
  OAuthConfig<any> | OIDCConfig<any> | EmailConfig | CredentialsConfig | WebAuthnConfig

/** An entry of `providers`: an object, or a function that receives the values of the environment and returns one. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Provider = ProviderConfig | ((options?: any) => ProviderConfig)
