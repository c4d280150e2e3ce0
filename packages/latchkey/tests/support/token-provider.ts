import type { Profile } from '../../src/model/profile.ts'
import type { OIDCConfig } from '../../src/options/provider-options.ts'
import { oidc } from '../../src/providers/define.ts'

/** A real provider that gives refresh tokens. */
export function tokenProvider(issuer: string): OIDCConfig<Profile> {
  return oidc<Profile>({
    id: 'acme',
    name: 'Acme',
    issuer,
    clientId: 'basic',
    clientSecret: 'a secret of the client, 0123456789abcdef',
    checks: ['pkce', 'state', 'nonce'],
  })({
    authorization: { params: { scope: 'openid email profile offline_access', prompt: 'consent' } },
    tokens: { rotation: 'strict' },
  })
}
