import { expect, test } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { withProviders } from '../../src/compile/providers.ts'
import Credentials from '../../src/providers/credentials.ts'
import { email, oauth, oidc } from '../../src/providers/define.ts'
import Passkey from '../../src/providers/passkey.ts'
import { authActions } from '../../src/request.ts'
import { routes } from '../../src/routes.ts'
import { createWorld } from '../../src/testing.ts'

/** Every way in, so that a new or an unguarded one is seen in a review. */
test('the table of routes, but for `GET session`: action, method, kind, CSRF token', () => {
  const rows = authActions.flatMap((action) =>
    Object.entries(routes[action]).map(([method, { kind, csrf }]) =>
      [action.padEnd(17), method.padEnd(5), kind.padEnd(6), csrf ? 'csrf' : '-'].join(''),
    ),
  )
  expect(`\n${rows.join('\n')}\n`).toMatchInlineSnapshot(`
    "
    callback         GET  visit -
    callback         POST visit -
    csrf             GET  visit -
    error            GET  read  -
    providers        GET  read  -
    session          POST read  csrf
    signin           GET  visit -
    signin           POST visit csrf
    signout          GET  visit -
    signout          POST visit csrf
    verify-request   GET  read  -
    webauthn-options GET  visit -
    "
  `)
})

test('the table of callbacks: provider type, method, CSRF token', () => {
  const providers = [
    oauth({ id: 'oauth', name: 'OAuth', issuer: 'https://i.example' })(),
    oidc({ id: 'oidc', name: 'OIDC', issuer: 'https://i.example' })(),
    email({ id: 'email', name: 'Mail', sendVerificationRequest: async () => {} }),
    Credentials({ authorize: () => null }),
    Passkey(),
  ]
  const { core, config } = createWorld({
    providers,
    adapter: memoryAdapter(),
    experimental: { enableWebAuthn: true },
  })
  const rows = withProviders(core.plan(config)).providers.flatMap(({ type, callback }) =>
    Object.entries(callback).map(([method, { csrf }]) =>
      [type.padEnd(13), method.padEnd(5), csrf ? 'csrf' : '-'].join(''),
    ),
  )
  expect(`\n${rows.join('\n')}\n`).toMatchInlineSnapshot(`
    "
    oauth        GET  -
    oauth        POST -
    oidc         GET  -
    oidc         POST -
    email        GET  -
    email        POST -
    credentials  POST csrf
    webauthn     POST -
    "
  `)
})
