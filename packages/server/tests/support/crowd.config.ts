import { appendFileSync } from 'node:fs'
import { customFetch } from 'latchkey'
import credentials from 'latchkey/providers/credentials'
import passkey from 'latchkey/providers/passkey'
import { defineConfig } from '../../src/define-config.ts'

/** Every kind of sign-in, with a provider that answers at once and mail that goes into a file. */
export default defineConfig(({ env }) => ({
  demo: false,
  auth: {
    providers: [
      {
        id: 'acme',
        name: 'Acme',
        type: 'oauth',
        clientId: 'crowd',
        clientSecret: 'crowd',
        authorization: 'https://acme.example/authorize',
        token: 'https://acme.example/token',
        userinfo: 'https://acme.example/userinfo',
        profile: ({ sub, email }: { sub: string; email: string }) => ({
          id: sub,
          name: sub,
          email,
        }),
        [customFetch]: answerAsAcme,
      },
      {
        id: 'email',
        name: 'Email',
        type: 'email',
        confirmation: 'never',
        async sendVerificationRequest({ identifier, url }) {
          appendFileSync(env['CROWD_OUTBOX'] ?? '', `${JSON.stringify({ identifier, url })}\n`)
        },
      },
      credentials({
        credentials: { id: {} },
        // A user that another kind of sign-in has made.
        authorize: ({ id }) => (typeof id === 'string' ? { id } : null),
      }),
      // Not every layout of tables has one for them.
      ...(env['CROWD_PASSKEYS'] === 'no' ? [] : [passkey()]),
    ],
  },
}))

/** Whoever comes with a code is the user of that name. */
const answerAsAcme: typeof fetch = async (input, init) => {
  const request = new Request(input, init)
  if (new URL(request.url).pathname === '/token') {
    const code = new URLSearchParams(await request.text()).get('code')
    return Response.json({ access_token: code, token_type: 'bearer' })
  }
  const sub = request.headers.get('authorization')?.replace(/^Bearer /i, '') ?? ''
  return Response.json({ sub, email: `${sub}@acme.example` })
}
