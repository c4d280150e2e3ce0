import { describe, expect, test } from 'vitest'
import { withClientAddress } from '../../src/http/client-address.ts'
import { type LimitsOptions, limits } from '../../src/plugins/limits/index.ts'
import { settingsOf } from '../../src/plugins/limits/settings.ts'
import { sessions } from '../../src/plugins/sessions/index.ts'
import { tokens } from '../../src/plugins/tokens/index.ts'
import passkey from '../../src/providers/passkey.ts'
import type { World } from '../../src/testing/world.ts'
import {
  approve,
  createSite,
  ORIGIN,
  PASSWORD,
  passwordSignIn,
  type Site,
} from '../attacks/support/site.ts'

const HERE = '192.0.2.1'
const HOSTILE = { origin: 'https://hostile.example', 'sec-fetch-site': 'cross-site' }
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

/** A site with each thing that is limited. The passkey provider is never used to the end. */
async function limitedSite(options: LimitsOptions = {}, more: object = {}): Promise<Site> {
  const device = { clients: [{ id: 'cli', name: 'Example CLI' }] }
  const native = {
    clients: [{ id: 'phone', name: 'Phone', redirectUris: ['com.example.app:/callback'] }],
  }
  const plugins = [limits(options), sessions(), tokens({ device, native })]
  const site = await createSite({ config: { plugins, experimental: { enableWebAuthn: true } } })
  const mail = (site.config.providers ?? []).map((provider) =>
    typeof provider !== 'function' && provider.type === 'email'
      ? { ...provider, code: true }
      : provider,
  )
  Object.assign(site.world.config, { providers: [...mail, passkey], ...more })
  return site
}

interface Sent {
  readonly method?: string
  readonly fields?: Record<string, string>
  readonly headers?: Record<string, string>
  readonly from?: string
}

/** Sends a request from an address, with the cookies of a browser unless `world` is `null`. */
async function send(site: Site, world: World | null, path: string, how: Sent): Promise<Response> {
  const { method = 'POST', fields, headers, from = HERE } = how
  const cookie = [...(world?.jar ?? [])].map(([name, value]) => `${name}=${value}`).join('; ')
  const request = new Request(ORIGIN + path, {
    method,
    headers: { ...(cookie && { cookie }), ...headers },
    ...(fields && { body: new URLSearchParams(fields) }),
  })
  return site.world.core.auth(withClientAddress(request, from), site.world.config)
}

/** What a browser of the site does: a form with its token. */
async function ownPost(
  site: Site,
  path: string,
  fields: Record<string, string> = {},
  from = HERE,
): Promise<Response> {
  const csrfToken = await site.world.csrfToken()
  return send(site, site.world, path, { fields: { csrfToken, ...fields }, from })
}

interface Row {
  /** Requests that a hostile page causes in the browser of a visitor. */
  readonly hostile: (site: Site) => Promise<Response>
  /** What somebody else in the same network does, which must still go on. */
  readonly own: (site: Site) => Promise<Response>
  /** Prepares the visitor. */
  readonly before?: (site: Site) => Promise<unknown>
}

const GUESS = { username: 'bob', password: 'a guess' }
const cross = (path: string, fields: Record<string, string>) => (site: Site) =>
  send(site, null, path, { fields, headers: HOSTILE })
const ownForm = (path: string, fields: Record<string, string>) => (site: Site) =>
  ownPost(site, path, fields)
const program = (path: string, fields: Record<string, string>) => (site: Site) =>
  send(site, null, path, { fields })

/** Every default rule by network. */
const ROWS: Readonly<Record<string, Row>> = {
  post: {
    hostile: cross('/auth/callback/acme', { code: 'a', state: 'b' }),
    own: ownForm('/auth/signout', {}),
  },
  'credentials.sign-in': {
    hostile: cross('/auth/callback/credentials', GUESS),
    own: ownForm('/auth/callback/credentials', { username: 'ada', password: PASSWORD }),
  },
  'mail.send': {
    hostile: cross('/auth/signin/email', { email: 'ada@example.com' }),
    own: ownForm('/auth/signin/email', { email: 'ada@example.com' }),
  },
  'mail-code.verify': {
    hostile: cross('/auth/callback/email', { code: '123456' }),
    own: ownForm('/auth/callback/email', { code: '123456' }),
  },
  'passkey.options': {
    hostile: (site) =>
      send(site, null, '/auth/webauthn-options/passkey', { method: 'GET', headers: HOSTILE }),
    own: (site) =>
      send(site, null, '/auth/webauthn-options/passkey', {
        method: 'GET',
        headers: { 'sec-fetch-site': 'same-origin' },
      }),
  },
  'callback.failed': {
    hostile: (site) =>
      send(site, null, '/auth/callback/acme?code=a&state=b', { method: 'GET', headers: HOSTILE }),
    own: async (site) => {
      const back = approve(await site.world.post('/auth/signin/acme'), 'carol')
      return send(site, site.world, back, {
        method: 'GET',
        headers: { 'sec-fetch-site': 'cross-site' },
      })
    },
  },
  'device.code': {
    hostile: cross('/auth/device/code', { client_id: 'cli' }),
    own: program('/auth/device/code', { client_id: 'cli' }),
  },
  'device.token': {
    hostile: cross('/auth/device/token', { grant_type: DEVICE_GRANT, client_id: 'cli' }),
    own: program('/auth/device/token', { grant_type: DEVICE_GRANT, client_id: 'cli' }),
  },
  'device.enter': {
    before: (site) => passwordSignIn(site.world),
    hostile: (site) =>
      send(site, site.world, '/auth/device/enter', {
        fields: { user_code: 'BCDF-GHJK' },
        headers: HOSTILE,
      }),
    own: ownForm('/auth/device/enter', { user_code: 'BCDF-GHJK' }),
  },
  'native.token': {
    hostile: cross('/auth/native/token', { grant_type: 'authorization_code' }),
    own: program('/auth/native/token', { grant_type: 'authorization_code' }),
  },
}

describe('SEC-21: a hostile page', () => {
  test('is tried with each rule by network', () => {
    const byNetwork = Object.entries(settingsOf({}).rules).filter(
      ([, rules]) => rules && rules.some(({ by }) => by === 'network'),
    )
    expect(Object.keys(ROWS).toSorted()).toEqual(byNetwork.map(([name]) => name).toSorted())
  })

  test.each(Object.entries(ROWS))(
    'costs nobody else in the network of its visitor anything of %s',
    async (name, { hostile, own, before }) => {
      const rules = { [name]: [{ by: 'network', limit: 3, window: 900 }] as const }
      const site = await limitedSite({ rules })
      await before?.(site)
      for (let i = 0; i < 10; i++) await hostile(site)
      const answers = []
      for (let i = 0; i < 3; i++) answers.push((await own(site)).status)
      expect(answers).not.toContain(429)
      // The rule itself holds.
      if (name !== 'callback.failed') expect((await own(site)).status).toBe(429)
    },
  )

  test('costs nothing either where the browser says no more than that the form has no token', async () => {
    const rules = { 'credentials.sign-in': [{ by: 'network', limit: 3, window: 900 }] as const }
    const site = await limitedSite({ rules })
    for (let i = 0; i < 10; i++)
      await send(site, null, '/auth/callback/credentials', { fields: GUESS })
    const signIn = { username: 'ada', password: PASSWORD }
    expect((await ownPost(site, '/auth/callback/credentials', signIn)).status).toBe(302)
  })

  test('has its own requests limited where they are answered', async () => {
    const rules = { 'device.code': [{ by: 'network', limit: 3, window: 900 }] as const }
    const site = await limitedSite({ rules })
    const answers = []
    for (let i = 0; i < 4; i++)
      answers.push((await ROWS['device.code']?.hostile(site))?.status ?? 0)
    expect(answers.at(-1)).toBe(429)
  })
})

describe('SEC-21: a callback that fails', () => {
  const rules = { 'callback.failed': [{ by: 'network', limit: 3, window: 900 }] as const }

  test('is counted when it names a sign-in that this browser began', async () => {
    const site = await limitedSite({ rules })
    const back = approve(await site.world.post('/auth/signin/acme'), 'carol')
    const once = () => send(site, site.world, back.replace(/code=[^&]*/, ''), { method: 'GET' })
    for (let i = 0; i < 4; i++) expect((await once()).status).toBe(302)
    expect((await once()).status).toBe(429)
  })

  test.each([
    ['of another browser', () => null],
    ['with a forged state', (site: Site) => site.world],
  ])('is not counted %s', async (_, browserOf) => {
    const site = await limitedSite({ rules })
    await site.world.post('/auth/signin/acme')
    const path = '/auth/callback/acme?code=a&state=forged'
    for (let i = 0; i < 10; i++)
      expect((await send(site, browserOf(site), path, { method: 'GET' })).status).toBe(302)
  })

  test.each([
    ['a mailed link', '/auth/callback/email?token=forged&email=ada%40example.com', 'GET'],
    ['a mailed code', '/auth/callback/email', 'POST'],
    ['a passkey', '/auth/callback/passkey', 'POST'],
  ])('of %s is not counted when nothing of it is of this browser', async (_, path, method) => {
    const site = await limitedSite({ rules })
    const fields = { code: '123456', action: 'authenticate', data: '{}' }
    for (let i = 0; i < 10; i++)
      await send(site, null, path, { method, ...(method === 'POST' && { fields }) })
    const back = approve(await site.world.post('/auth/signin/acme'), 'carol')
    expect((await send(site, site.world, back, { method: 'GET' })).status).toBe(302)
  })
})
