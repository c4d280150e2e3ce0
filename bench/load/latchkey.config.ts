import { defineConfig } from 'latchkey-server'

/** What every instance of the service runs with: one OpenID provider, and the defaults of production. */
export default defineConfig(({ env }) => ({
  auth: {
    providers: [
      {
        id: 'load',
        name: 'Load',
        type: 'oidc',
        issuer: env['LOAD_ISSUER'] ?? '',
        clientId: 'client',
        clientSecret: 'secret',
        checks: ['pkce', 'state', 'nonce'],
      },
    ],
  },
}))
