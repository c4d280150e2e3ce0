import { expect, test } from 'vitest'
import { accountSite } from '../../../../tests/support/account-site.ts'
import { type Carrier, definePlugin, type Host } from '../../../entries/plugin.ts'

let host: Host | undefined

/** A program with a session of a user, in a header. */
const kioskCarrier: Carrier = {
  isInHeader: ({ headers, original }) => (headers ?? original?.headers)?.has('x-kiosk') === true,
  find({ headers, original, secure }) {
    const value = (headers ?? original?.headers)?.get('x-kiosk')
    return value ? { value, secure, holder: { via: 'native', maxAge: 3600 } } : undefined
  },
  write: () => [],
  clear: () => [],
}

const kiosks = definePlugin({
  name: 'kiosks',
  setUp(given) {
    host = given
    return { session: {}, carriers: [kioskCarrier] }
  },
})

test('SS-14, T-ACC-28: the session of a program that acts for a user has no access to any path of the account', async () => {
  const site = accountSite({}, { plugins: [kiosks] })
  await site.signUp()
  const user = await host?.store?.getUserByEmail('ada@example.com')
  const { value } = (await host?.sessions.begin({
    user: user as never,
    amr: ['pwd'],
    authTime: site.world.now() / 1000,
    before: await host.sessions.beforeProof(String(user?.id)),
    holder: { via: 'native', name: 'Kiosk', maxAge: 3600 },
    request: {
      method: 'GET',
      origin: 'https://app.example',
      base: 'https://app.example/auth',
      secure: true,
      query: new URLSearchParams(),
      cookies: { get: () => undefined, names: () => [] },
      form: {},
      original: new Request('https://app.example'),
    } as never,
  })) ?? { value: '' }
  const program = site.world.otherBrowser()
  const headers = { 'x-kiosk': value, 'sec-fetch-site': 'same-origin' }
  const session = await program.get('/auth/session', { headers })
  expect(await session.json()).toMatchObject({ user: { email: 'ada@example.com' } })
  const reads = ['me', 'passkeys', 'links', 'export', 'profile', 'addresses', 'data', 'delete']
  for (const path of reads)
    expect((await program.get(`/auth/account/${path}`, { headers })).status, path).toBe(401)
  const writes = {
    update: { name: 'Eve' },
    'passkey-options': {},
    'add-passkey': { data: '{}' },
    'rename-passkey': { id: 'x', name: 'x' },
    'remove-passkey': { id: 'x' },
    link: { provider: 'x' },
    unlink: { id: 'x' },
    'change-address': { email: 'eve@example.com' },
    'cancel-address': {},
    'confirm-address': { code: '123456' },
    delete: { confirm: 'ada@example.com' },
    keep: {},
  }
  for (const [path, fields] of Object.entries(writes)) {
    const answer = await program.request(`/auth/account/${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(fields),
    })
    expect(answer.status, path).toBe(401)
  }
  expect(await site.read('account/me')).toMatchObject({ user: { name: null } })
})
