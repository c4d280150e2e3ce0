import type {
  CredentialsConfig,
  CredentialsUserConfig,
  EmailConfig,
  OAuth2Config,
  OAuthConfig,
  OAuthUserConfig,
  OIDCConfig,
  OIDCUserConfig,
} from '../options/provider-options.ts'

/** What a provider file states about an OAuth provider. */
export type OAuthDescription<P> = Omit<OAuth2Config<P>, 'type' | 'options'>

/** What a provider file states about an OpenID Connect provider. */
export type OIDCDescription<P> = Omit<OIDCConfig<P>, 'type' | 'options'>

/** A provider of the catalogue: listed as it is, or called with what an application changes. */
export type OAuthProvider<P, More extends object = object> = (
  ...options: Given<OAuthUserConfig<P> & More, More>
) => OAuthConfig<P>
export type OIDCProvider<P, More extends object = object> = (
  ...options: Given<OIDCUserConfig<P> & More, More>
) => OIDCConfig<P>

/** Options may be left out, unless some of the provider's own are needed. */
type Given<Options, More> = object extends More ? [options?: Options] : [options: Options]

/** Describes an OAuth 2.0 provider. In its addresses `{name}` is a member, also one of `More`. */
export function oauth<P, More extends object = object>(
  description: OAuthDescription<P>,
): OAuthProvider<P, More> {
  return (...[options = {}]) => ({ ...description, type: 'oauth', options })
}

/**
 * Describes an OpenID Connect provider. An `issuer` is all it needs; everything else is read from
 * the provider's metadata.
 */
export function oidc<P, More extends object = object>(
  description: OIDCDescription<P>,
): OIDCProvider<P, More> {
  return (...[options = {}]) => ({ ...description, type: 'oidc', options })
}

/** Describes a way to sign in with a mailed link. */
export function email(description: Omit<EmailConfig, 'type' | 'options'>): EmailConfig {
  return { ...description, type: 'email' }
}

/** Describes a way to sign in with what the application checks itself. */
export function credentials(
  description: Pick<CredentialsConfig, 'authorize'> & CredentialsUserConfig,
): CredentialsConfig {
  return {
    id: 'credentials',
    name: 'Credentials',
    credentials: {},
    ...defined(description ?? {}),
    type: 'credentials',
  }
}

function defined<T extends object>(object: T): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T
}
