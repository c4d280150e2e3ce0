import type { Profile } from '../../../src/model/profile.ts'
import type {
  CredentialsConfig,
  EmailConfig,
  OAuth2Config,
  OIDCConfig,
} from '../../../src/options/provider-options.ts'
import { ISSUER } from './identity-provider.ts'
import type { Setting } from './scenario.ts'

/** Members of a description, and what is none as well: scenarios make mistakes on purpose. */
type Overrides<T> = { [Member in keyof T]?: T[Member] | undefined } & { [member: string]: unknown }

/** An OpenID provider that is found by its issuer. */
export function acme(
  { side, idp }: Setting,
  over: Overrides<OIDCConfig<Profile>> = {},
): OIDCConfig<Profile> {
  return {
    id: 'acme',
    name: 'Acme',
    type: 'oidc',
    issuer: ISSUER,
    clientId: 'the-client',
    clientSecret: 'the-client-secret-0123456789abcdef',
    [side.customFetch]: idp.fetch,
    ...over,
  } as unknown as OIDCConfig<Profile>
}

/** An OAuth provider whose endpoints are configured. */
export function plain(
  { side, idp }: Setting,
  over: Overrides<OAuth2Config<Profile>> = {},
): OAuth2Config<Profile> {
  return {
    id: 'plain',
    name: 'Plain',
    type: 'oauth',
    authorization: `${ISSUER}/authorize?prompt=consent`,
    token: `${ISSUER}/oauth/token`,
    userinfo: `${ISSUER}/userinfo`,
    clientId: 'the-client',
    clientSecret: 'the-client-secret-0123456789abcdef',
    [side.customFetch]: idp.fetch,
    ...over,
  } as unknown as OAuth2Config<Profile>
}

export function mail({ mail, heard }: Setting, over: Overrides<EmailConfig> = {}): EmailConfig {
  return {
    id: 'mail',
    name: 'Mail',
    type: 'email',
    maxAge: 600,
    sendVerificationRequest: (params: { url: string; provider: unknown }) => {
      const { provider: _, ...given } = params
      heard('sendVerificationRequest', given)
      mail(params.url)
    },
    ...over,
  } as unknown as EmailConfig
}

/** A form whose check says `user`, or does what the function does. */
export function password(
  { heard }: Setting,
  authorize: (() => unknown) | object | null = ADA,
  over: Overrides<CredentialsConfig> = {},
): CredentialsConfig {
  return {
    id: 'password',
    name: 'Password',
    type: 'credentials',
    credentials: { username: { label: 'Name' }, password: { type: 'password' } },
    authorize: (credentials: unknown, request: Request) => {
      heard('authorize', credentials, request)
      return typeof authorize === 'function' ? authorize() : authorize && { ...authorize }
    },
    ...over,
  } as unknown as CredentialsConfig
}

export const ADA = {
  id: 'u1',
  name: 'Ada',
  email: 'ada@example.test',
  image: 'https://i.example/a',
}
