import { expect, test } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { withProviders } from '../../src/core/compile/providers.ts'
import { routes } from '../../src/core/routes.ts'
import { createWorld } from '../../src/entries/testing.ts'
import Credentials from '../../src/providers/credentials.ts'
import { email, oauth, oidc } from '../../src/providers/define.ts'
import Passkey from '../../src/providers/passkey.ts'

/** Every way in, so that a new or an unguarded one is seen in a review. */
test('the table of routes is complete: action, method, kind, audience and notes', () => {
  const rows = Object.entries(routes).flatMap(([action, methods]) =>
    Object.entries(methods).map(([method, { kind, for: who, ...more }]) =>
      [
        action.padEnd(17),
        method.padEnd(5),
        kind.padEnd(6),
        who.padEnd(9),
        Object.keys(more)
          .filter((name) => name !== 'run')
          .sort()
          .join(' ') || '-',
      ].join(''),
    ),
  )
  expect(`\n${rows.join('\n')}\n`).toMatchInlineSnapshot(`
    "
    callback         GET  visit people   endsFlow provider refreshesVisit signsIn
    callback         POST visit people   endsFlow provider refreshesVisit signsIn
    csrf             GET  visit programs -
    error            GET  read  people   -
    providers        GET  read  programs -
    session          GET  read  programs -
    session          POST read  programs csrf
    signin           GET  visit people   provider refreshesVisit
    signin           POST visit people   csrf provider refreshesVisit signsIn
    signout          GET  visit people   refreshesVisit
    signout          POST visit people   csrf refreshesVisit
    verify-request   GET  read  people   -
    webauthn-options GET  visit programs provider signsIn
    "
  `)
})

test('the table of callbacks is complete: provider type, method, CSRF token', () => {
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
