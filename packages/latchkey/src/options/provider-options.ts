import type { AuthError } from '../errors.ts'
import type { Html } from '../http/html.ts'
import type { ProviderType, TokenSet } from '../model/account.ts'
import type { Adapter } from '../model/adapter.ts'
import type { Profile } from '../model/profile.ts'
import type { User } from '../model/user.ts'
import type { Texts } from '../texts/texts.ts'
import type {
  AuthenticationOptions,
  RegistrationOptions,
  RelyingParty,
  SimpleWebAuthn,
  VerifyAuthenticationOptions,
  VerifyRegistrationOptions,
} from '../webauthn/simple-webauthn.ts'
import type { Awaitable } from './awaitable.ts'
import type { checkWith, compileWith, customFetch } from './markers.ts'
import type { Theme } from './pages.ts'

/** What every provider has. */
export interface CommonProviderOptions {
  /** Part of the provider's URLs. */
  id: string
  /** Label of the button on the built-in sign-in page. */
  name: string
  type: ProviderType
}

// ── OAuth and OpenID Connect ───────────────────────────────────────────────────────────────

/** Values that bind the answer to the request: PKCE (RFC 7636), `state` (RFC 6749 section 10.12), `nonce`. */
export type OAuthCheck = 'pkce' | 'state' | 'nonce' | 'none'

/**
 * An endpoint with more than its URL. In its texts `{name}` stands for the member `name` of the
 * provider, `{issuer}` or `{clientId}` say, filled in once options and environment are known.
 */
export interface EndpointHandler {
  url?: string | undefined
  /** Query parameters; `claims` is sent as JSON. With `scope: null` there is none, not even the default. */
  params?: Record<string, unknown> | undefined
}

/**
 * Where a provider signs somebody out who comes from us (OpenID Connect RP-Initiated Logout 1.0), for the plugin
 * `federatedLogout`: an address that takes the parameters of the standard, an object for one that takes others, or
 * `false` if there is none that an application may use.
 */
export type EndSession = string | EndSessionEndpoint | false

export interface EndSessionEndpoint {
  /** @default `end_session_endpoint` of the metadata */
  url?: string | undefined
  /**
   * Query parameters. With `url` instead of those of the standard, else beside them. In their texts `{name}` stands
   * for a member of the provider, and also for `{return}`, where the visitor comes back to, `{state}`, `{hint}`, the
   * ID token, and `{sid}`, a claim of it. A parameter without a value is left out.
   */
  params?: Record<string, string> | undefined
  /** The claim of the ID token that is sent as `logout_hint`. @default 'login_hint' */
  logoutHint?: 'sid' | undefined
  /** Used if neither `url` nor the metadata names an address. */
  otherwise?: { url: string; params: Record<string, string> } | undefined
}

/** Those of a provider that can be configured. */
export type OAuthEndpointType = 'authorization' | 'token' | 'userinfo'

export interface AuthorizationEndpointHandler extends EndpointHandler {}

/** What a provider's own way of asking an endpoint is given. */
export interface EndpointContext {
  provider: OAuth2Config<unknown> & { signinUrl: string; callbackUrl: string }
  /** The time- and size-limited `fetch`; never the global one, so that a test can answer. */
  fetch: typeof fetch
}

/** What a token request of a provider's own is given. */
export interface TokenRequestContext extends EndpointContext {
  /** The authorization response, `code` and the rest. */
  params: Record<string, string>
  checks: OAuthChecks
}

/** The values that bind the answer to this browser. */
export interface OAuthChecks {
  code_verifier?: string
  state?: string
  nonce?: string
}

export interface TokenEndpointHandler extends EndpointHandler {
  /** Fetches the tokens in a way of its own; they are judged like any other token response. */
  request?: (context: TokenRequestContext) => Awaitable<{ tokens: TokenSet }>
  /** Fields beside those of the standard; with `{name}` as above. */
  body?: Record<string, string> | undefined
  headers?: Record<string, string> | undefined
  /** Takes a list for `scope`, no `token_type`, and a challenge beside tokens, as some servers send. */
  isLenient?: boolean | undefined
  /** Repairs an answer that does not follow the standard; a returned response replaces the original. */
  conform?: (response: Response) => Awaitable<Response | undefined | void>
  /** For `private_key_jwt`. */
  clientPrivateKey?: CryptoKey | { key: CryptoKey; kid?: string } | undefined
}

/** What a userinfo request of a provider's own is given. */
export interface UserinfoRequestContext extends EndpointContext {
  tokens: TokenSet
}

/** In `url`, `params`, `headers` and `body`, `{tokens.name}` stands for a member of the token response. */
export interface UserinfoEndpointHandler extends EndpointHandler {
  /** @default 'GET' */
  method?: 'GET' | 'POST' | undefined
  /** Beside `accept` and `authorization`, or instead of them; an empty one is not sent. */
  headers?: Record<string, string> | undefined
  /** Sent as JSON. */
  body?: Record<string, unknown> | undefined
  /** Where in the answer the profile is: names and indexes, `response.0` say. */
  unwrap?: string | undefined
  /** Fetches the profile in a way of its own. */
  request?: (context: UserinfoRequestContext) => Awaitable<unknown>
}

/** Settings of ours as a client of the provider (RFC 7591 section 2). */
export interface ClientOptions {
  /** @default 'client_secret_basic', or 'none' without a secret */
  token_endpoint_auth_method?:
    | 'client_secret_basic'
    | 'client_secret_post'
    | 'client_secret_jwt'
    | 'private_key_jwt'
    | 'tls_client_auth'
    | 'self_signed_tls_client_auth'
    | 'none'
  /**
   * Signs the assertion of `client_secret_jwt`: `HS256`, `HS384` or `HS512`, or names the signature of an
   * Ed25519 key for `private_key_jwt`: `Ed25519` or `EdDSA`.
   *
   * @default the first of these that the provider's metadata lists
   */
  token_endpoint_auth_signing_alg?: string
  id_token_signed_response_alg?: string
  userinfo_signed_response_alg?: string
  require_auth_time?: boolean
  /** Seconds. */
  default_max_age?: number
  [member: string]: unknown
}

/** What the provider's button looks like on the built-in sign-in page. */
export interface OAuthProviderButtonStyles {
  /** A CSS colour, below the mark. What is drawn on it is black or white, whichever reads better. */
  brandColor?: string
  /** Address of an image, instead of the mark: absolute, or a path on this site. */
  logo?: string
  /** The provider's sign: the `d` of one SVG path, on a field of 24 by 24. */
  mark?: string
  /** @deprecated Use `brandColor`. */
  text?: string
  /** @deprecated Use `brandColor`. */
  bg?: string
}

/** Makes a user of what the provider said. `id` must be an identifier that the provider never reuses. */
export type ProfileCallback<P> = (profile: P, tokens: TokenSet) => Awaitable<User>

/** Finds out what the ID token or the userinfo answer does not say. */
export type SupplementCallback = (
  context: UserinfoRequestContext & { profile: Profile },
) => Awaitable<Record<string, unknown>>

/** Chooses which members of a token response are stored. */
export type AccountCallback = (tokens: TokenSet) => TokenSet | undefined | void

/** An OAuth 2.0 provider. */
export interface OAuth2Config<P> extends CommonProviderOptions {
  type: 'oauth' | 'oidc'
  clientId?: string | undefined
  clientSecret?: string | undefined
  /** Where the provider's metadata is found, and what its answers must name. */
  issuer?: string | undefined
  /** The issuer when neither the application nor the environment names one. */
  defaultIssuer?: string | undefined
  /** URL of the metadata, if it is not the usual one below `issuer`. */
  wellKnown?: string | undefined
  /** URL of the provider's keys, if the metadata does not name it. */
  jwks_endpoint?: string | undefined
  authorization?: string | AuthorizationEndpointHandler | undefined
  token?: string | TokenEndpointHandler | undefined
  userinfo?: string | UserinfoEndpointHandler | undefined
  /**
   * The issuer that ID tokens name, where it differs from one tenant to the next: `{tid}` in it stands
   * for the claim `tid`, and the metadata has `{tenantid}` there. With the metadata of one tenant it
   * means nothing: only that tenant is accepted.
   */
  tenantIssuer?: string | undefined
  /**
   * The claim that says whether the address is proven, beside `email_verified`. With the metadata of all
   * tenants (`tenantIssuer`) an address without it counts as denied: its tenant chose it.
   */
  emailProofClaim?: string | undefined
  /**
   * Parameters of the authorization response that become members of the profile, JSON parsed. They
   * come from the browser, and nobody has signed them.
   */
  responseParams?: readonly string[] | undefined
  /**
   * Authentication contexts of which the visitor needs one: asked for as `acr_values`, and compared with
   * the `acr` of the ID token. What `acr_values` alone asks for is a wish, and not compared.
   */
  requiredAcr?: readonly string[] | undefined
  /** @default ['pkce'] */
  checks?: readonly OAuthCheck[] | undefined
  client?: ClientOptions | undefined
  /**
   * Finds out more once it is known who signed in. What it answers joins the profile; when it throws,
   * the sign-in goes on without.
   */
  supplement?: SupplementCallback | undefined
  profile?: ProfileCallback<P> | undefined
  account?: AccountCallback | undefined
  /** What is known of the provider's tokens. The plugin `providerTokens` goes by it. */
  tokens?: ProviderTokenRules | undefined
  /**
   * Joins this account to the user who has the same e-mail address.
   *
   * `true` is dangerous: whoever controls the address at this provider controls the user. `'proven'` is
   * not, where the provider is to be believed: it has to say that the address is proven, and the user
   * must have proven it here, by mail.
   *
   * @default false
   */
  allowDangerousEmailAccountLinking?: boolean | 'proven' | undefined
  /**
   * Whether the authorization request is pushed to the provider, and the browser carries a reference to it alone
   * (RFC 9126). `auto`: if the metadata requires it.
   *
   * @default 'auto'
   */
  par?: 'auto' | boolean | undefined
  /**
   * Binds the tokens to a key that each sign-in makes (RFC 9449): who steals a token cannot use it. Tokens that are not
   * bound are refused then. The key is kept by the plugin `providerTokens`; without it, the tokens are of use during
   * the sign-in alone.
   *
   * @default false
   */
  dpop?: boolean | DpopOptions | undefined
  /**
   * `fapi2`: the FAPI 2.0 Security Profile. It sets what the profile needs, and refuses options, metadata and answers that
   * it does not allow: when the application starts, before the visitor is sent away, or at the callback.
   */
  securityProfile?: 'fapi2' | undefined
  /** Where the provider signs somebody out. @default `end_session_endpoint` of the metadata */
  endSession?: EndSession | undefined
  /**
   * Values of `prompt` with which the provider lets somebody choose another account or sign in again.
   *
   * @default those of `prompt_values_supported` in the metadata
   */
  prompts?: readonly ('select_account' | 'login')[] | undefined
  /** What of the provider's logout tokens departs from the standard, for the plugin `federatedLogout`. */
  logoutToken?: { exp?: 'required' | 'optional' | undefined } | undefined
  /** As in the configuration, for this provider. */
  redirectProxyUrl?: string | undefined
  style?: OAuthProviderButtonStyles | undefined
  /** Why nobody can sign in with the provider any more; said in a warning. */
  deprecated?: string | undefined
  [customFetch]?: typeof fetch
  /** What the application overrides; merged over the members above when the configuration is compiled. */
  options?: OAuthUserConfig<P> | undefined
}

/** How tokens are bound to a key. */
export interface DpopOptions {
  /** What the key signs with. @default 'ES256' */
  alg?: 'ES256' | 'EdDSA' | undefined
}

/** How a provider's tokens are renewed and revoked. */
export interface ProviderTokenRules {
  /**
   * What becomes of a refresh token when it is used: `strict`: it works once, and a second use may end all tokens of the
   * grant; `overlap`: a new one comes, and the old one works for a while; `none`: it stays.
   *
   * @default 'unknown'
   */
  rotation?: 'strict' | 'overlap' | 'none' | 'unknown' | undefined
  /** Seconds before its end from which on a token is renewed; instead of the plugin's. `false`: only with `force`. */
  margin?: number | false | undefined
  /** Seconds that a token lasts whose lifetime the provider does not say; instead of the plugin's. */
  assumedLifetime?: number | undefined
  /** When tokens are revoked at the provider; instead of the plugin's. */
  revoke?: 'never' | 'unlink' | 'sign-out' | undefined
  /** Renews tokens in a way of its own; the answer is judged like any other token response. */
  refresh?: ((context: TokenRefreshContext) => Awaitable<{ tokens: TokenSet }>) | undefined
  /** The revocation endpoint (RFC 7009) if the metadata names none, or a way of its own; `false`: there is none. */
  revocation?: string | ((context: TokenRevocationContext) => Awaitable<void>) | false | undefined
  /** Does revoking one token end all that the site has of the user? */
  revokesAll?: boolean | undefined
  /** Scopes that people may be asked for later, beside those of the sign-in. Without it, none. */
  scopes?: readonly string[] | undefined
  /** Resources that tokens may be asked for (RFC 8707): absolute URIs without a fragment. */
  resources?: readonly string[] | undefined
  /** Further parameters of an authorization request that asks for more scopes. */
  connectParams?: Readonly<Record<string, string>> | undefined
}

/** What a provider's own way of renewing tokens is given. */
export interface TokenRefreshContext {
  provider: OAuth2Config<unknown>
  /** The tokens so far. */
  tokens: Pick<TokenSet, 'access_token' | 'refresh_token' | 'scope'>
  /** Limited in time and size. */
  fetch: typeof fetch
}

/** What a provider's own way of revoking a token is given. */
export interface TokenRevocationContext {
  provider: OAuth2Config<unknown>
  token: string
  hint: 'access_token' | 'refresh_token'
  /** Limited in time and size. */
  fetch: typeof fetch
}

/** An OpenID Connect provider. */
export interface OIDCConfig<P> extends OAuth2Config<P> {
  type: 'oidc'
  /** `false`: take the profile from the userinfo endpoint. @default true */
  idToken?: boolean | undefined
}

export interface OAuthConfig<P> extends OAuth2Config<P> {
  type: 'oauth'
}

/** What an application may say about a provider of the catalogue. */
export type OAuthUserConfig<P> = Partial<Omit<OAuth2Config<P>, 'type' | 'options'>> & {
  idToken?: boolean | undefined
}
export type OIDCUserConfig<P> = OAuthUserConfig<P>

// ── e-mail ─────────────────────────────────────────────────────────────────────────────────

/** What a sign-in mail is made of. */
export interface EmailProviderSendVerificationRequestParams {
  /** The address, already normalized. */
  identifier: string
  /** The link to put into the mail. */
  url: string
  expires: Date
  provider: EmailConfig
  /** The one-time value itself; it is in `url` already. */
  token: string
  /** Six digits that the visitor may type instead of opening the link, with `code: true`. */
  code?: string
  theme: Theme
  /** The texts of that request: `texts.lang` says which language it prefers. English, where they are missing. */
  texts?: Texts
  /** The request with which the mail was asked for. */
  request: Request
  /** Limited in time and size; the one to ask a mail service with. */
  fetch: typeof fetch
}

/** A mail of a plugin. */
export interface Mail {
  /** One address. */
  to: string
  subject: string
  text: string
  html: Html
}

/** What `sendMail` of a mail provider is given. */
export interface SendMailParams {
  mail: Mail
  provider: EmailConfig
  /** Of the site that sends it: `https://app.example`. */
  origin: string
  /** Limited in time and size; the one to ask a mail service with. */
  fetch: typeof fetch
}

/** Sign-in with a link that is mailed. */
export interface EmailConfig extends CommonProviderOptions {
  type: 'email'
  from?: string | undefined
  /** Seconds that the link works. @default 600 */
  maxAge?: number | undefined
  /** Hashes the token. @default the configuration's secret */
  secret?: string | undefined
  apiKey?: string | undefined
  /** A nodemailer transport, its options, or a connection URL: what `createTransport` takes. */
  // oxlint-disable-next-line typescript/no-explicit-any
  server?: any
  sendVerificationRequest: (params: EmailProviderSendVerificationRequestParams) => Awaitable<void>
  /** Sends any other mail, for plugins; throws when it could not. Services that fill in a template have none. */
  sendMail?: ((params: SendMailParams) => Awaitable<void>) | undefined
  /** At least 16 characters. @default 32 random bytes as hex */
  generateVerificationToken?: (() => Awaitable<string>) | undefined
  /** Brings an address into the form in which it is stored and mailed to; throws when it is none. */
  normalizeIdentifier?: ((identifier: string) => string) | undefined
  /**
   * When opening the link shows a page with a button instead of signing in at once, so that mail
   * scanners do not use the link up. In the browser that asked, one click stays one click.
   *
   * @default 'other-browser'
   */
  confirmation?: 'never' | 'other-browser' | 'always' | undefined
  /**
   * Whether a mail also opens a user who has the address from a provider, which may not have looked
   * whose it is. With `false` only who is signed in as that user proves it, and from then on the mail is
   * enough.
   *
   * @default true
   */
  opensUnproven?: boolean | undefined
  /**
   * Mails six digits too, which sign in the browser that asked for them. Needs an adapter that
   * counts attempts.
   *
   * @default false
   */
  code?: boolean | undefined
  /** Members without which it sends no mail; the configuration is refused while one is missing. */
  requires?: readonly string[] | undefined
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

/** Sign-in with whatever the application checks itself. */
export interface CredentialsConfig extends CommonProviderOptions {
  type: 'credentials'
  /** Fields of the form, by name. Without any, the built-in page does not show the provider. */
  credentials: Record<string, CredentialInput>
  /**
   * Checks the fields of the form.
   *
   * @returns the user, or `null` when the credentials are wrong.
   */
  authorize: (credentials: Record<string, unknown>, request: Request) => Awaitable<User | null>
  options?: CredentialsUserConfig | undefined
}

export type CredentialsUserConfig = Partial<Omit<CredentialsConfig, 'type' | 'options'>>

// ── WebAuthn ───────────────────────────────────────────────────────────────────────────────

/** What the application's own functions for passkeys are given. */
export interface WebAuthnContext {
  provider: WebAuthnConfig
  adapter: Adapter
  /** Of the request. */
  url: URL
}

/** A request for passkeys, as the application's own functions see it. */
export interface WebAuthnRequest {
  url: URL
  method: string
  headers: Record<string, string>
  query: Record<string, string>
  /** The fields of a posted form. */
  body?: Record<string, unknown>
}

/** Who a visitor says they are. Somebody who does not exist yet is described, and created when they have a passkey. */
export interface UserInfo {
  /** A passkey can only be made for somebody with an `email`. */
  user: User
  /** Is the user stored already? */
  exists: boolean
}

/** Tells from a request who the visitor says they are; `null` when it does not say. Changes nothing. */
export type GetUserInfo = (
  options: WebAuthnContext,
  request: WebAuthnRequest,
) => Awaitable<UserInfo | null>

/** The relying party as an application states it; of a list of ids and names the first is used. */
export interface RelyingPartyOptions {
  id?: string | readonly string[]
  name?: string | readonly string[]
  /** Where answers may come from, exactly. */
  origin?: string | readonly string[]
}

/** `v1`, `v1.2` or `v1.2.3`. */
export type SemverString = `v${number}` | `v${number}.${number}` | `v${number}.${number}.${number}`

export type WebAuthnProviderType = 'webauthn'

/** Sign-in with a passkey or a security key. */
export interface WebAuthnConfig extends CommonProviderOptions {
  type: WebAuthnProviderType
  /** @default the host and origin of the request */
  relayingParty?: RelyingPartyOptions | undefined
  /** The relying party of a request, instead of `relayingParty`. */
  getRelayingParty?:
    | ((options: WebAuthnContext, request: WebAuthnRequest) => RelyingParty)
    | undefined
  /**
   * Offers passkeys where the browser fills in the address. Of all providers only one can.
   *
   * @default true
   */
  enableConditionalUI?: boolean | undefined
  /** Has no effect: the script of the sign-in page is our own. Kept for configurations that name it. */
  simpleWebAuthnBrowserVersion?: SemverString | false | undefined
  /** Fields of the form on the sign-in page, by name. @default an e-mail address */
  formFields?: Record<string, CredentialInput> | undefined
  authenticationOptions?: AuthenticationOptions | undefined
  registrationOptions?: RegistrationOptions | undefined
  verifyAuthenticationOptions?: VerifyAuthenticationOptions | undefined
  verifyRegistrationOptions?: VerifyRegistrationOptions | undefined
  /** @default looks for the user by the field `email` */
  getUserInfo?: GetUserInfo | undefined
  /** What generates and verifies. @default `@simplewebauthn/server`, loaded on first use */
  simpleWebAuthn: SimpleWebAuthn
  /** Of the provider's module; nothing for an application. */
  [compileWith]?: unknown
  /** What is wrong with it, beside all others. */
  [checkWith]?: (provider: WebAuthnConfig, all: readonly ProviderConfig[]) => AuthError | undefined
  options?: WebAuthnUserConfig | undefined
}

export type WebAuthnUserConfig = Partial<
  Omit<
    WebAuthnConfig,
    'type' | 'options' | 'simpleWebAuthn' | typeof compileWith | typeof checkWith
  >
> & {
  /** What is left out stays as it is. */
  simpleWebAuthn?: Partial<SimpleWebAuthn> | undefined
}

// ── any of them ────────────────────────────────────────────────────────────────────────────

/** A provider as an object. */
export type ProviderConfig =
  // A list of providers holds profiles of many types.
  // oxlint-disable-next-line typescript/no-explicit-any
  OAuthConfig<any> | OIDCConfig<any> | EmailConfig | CredentialsConfig | WebAuthnConfig

/** An entry of `providers`: an object, or a function of the environment's values that gives one. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Provider = ProviderConfig | ((options?: any) => ProviderConfig)
