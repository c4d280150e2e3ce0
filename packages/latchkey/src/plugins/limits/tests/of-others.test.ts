import { describe, expect, test } from 'vitest'
import {
  approve,
  createSite,
  ORIGIN,
  PASSWORD,
  passwordSignIn,
  type Site,
} from '../../../../tests/attacks/support/site.ts'
import { withClientAddress } from '../../../http/origin/client-address.ts'
import { skipCSRFCheck } from '../../../options/markers.ts'
import passkey from '../../../providers/passkey.ts'
import type { World } from '../../../testing/world.ts'
import { sessions } from '../../sessions/index.ts'
import { tokens } from '../../tokens/index.ts'
import { type LimitsOptions, limits } from '../index.ts'
import { rulesWith, settingsOf } from '../settings.ts'

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
  const site = await createSite({ config: { plugins } })
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
  const answer = await site.world.core.auth(withClientAddress(request, from), site.world.config)
  for (const line of answer.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (/max-age=0/i.test(line)) world?.jar.delete(name)
    else world?.jar.set(name, value)
  }
  return answer
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
    own: ownForm('/auth/callback/credentials', { username: 'ada', password: 'mistyped' }),
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
  test('is tested here with each rule by network', () => {
    const byNetwork = Object.entries(rulesWith(settingsOf({}), {})).filter(
      ([, rules]) => rules && rules.some(({ by }) => by === 'network'),
    )
    expect(Object.keys(ROWS).toSorted()).toEqual(byNetwork.map(([name]) => name).toSorted())
  })

  test.each(Object.entries(ROWS))(
    'uses up no attempts of %s for the network of its visitor',
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

  test('uses up no attempts if the browser shows only that the form has no token', async () => {
    const rules = { 'credentials.sign-in': [{ by: 'network', limit: 3, window: 900 }] as const }
    const site = await limitedSite({ rules })
    for (let i = 0; i < 10; i++)
      await send(site, null, '/auth/callback/credentials', { fields: GUESS })
    const signIn = { username: 'ada', password: PASSWORD }
    expect((await ownPost(site, '/auth/callback/credentials', signIn)).status).toBe(302)
  })

  test('has its own requests limited where they are processed', async () => {
    const rules = { 'device.code': [{ by: 'network', limit: 3, window: 900 }] as const }
    const site = await limitedSite({ rules })
    const answers = []
    for (let i = 0; i < 4; i++)
      answers.push((await ROWS['device.code']?.hostile(site))?.status ?? 0)
    expect(answers.at(-1)).toBe(429)
  })
})

describe('SEC-21: a failed callback', () => {
  const rules = { 'callback.failed': [{ by: 'network', limit: 3, window: 900 }] as const }

  test('is counted if it names a sign-in of this browser', async () => {
    const site = await limitedSite({ rules })
    const back = approve(await site.world.post('/auth/signin/acme'), 'carol')
    const cookies = [...site.world.jar]
    const once = () => {
      const { jar } = site.world
      for (const [name, value] of cookies) jar.set(name, value)
      return send(site, site.world, back.replace(/code=[^&]*/, ''), { method: 'GET' })
    }
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

  test('with a password is not counted if another site sent the form past a framework', async () => {
    const site = await limitedSite({ rules }, { skipCSRFCheck })
    for (let i = 0; i < 10; i++)
      await send(site, null, '/auth/callback/credentials', { fields: GUESS, headers: HOSTILE })
    const back = approve(await site.world.post('/auth/signin/acme'), 'carol')
    const fromProvider = { 'sec-fetch-site': 'cross-site' }
    const answer = await send(site, site.world, back, { method: 'GET', headers: fromProvider })
    expect(answer.status).toBe(302)
  })

  test.each([
    ['a mailed link', '/auth/callback/email?token=forged&email=ada%40example.com', 'GET'],
    ['a mailed code', '/auth/callback/email', 'POST'],
    ['a passkey', '/auth/callback/passkey', 'POST'],
  ])('of %s is not counted if nothing in it belongs to this browser', async (_, path, method) => {
    const site = await limitedSite({ rules })
    const fields = { code: '123456', action: 'authenticate', data: '{}' }
    for (let i = 0; i < 10; i++)
      await send(site, null, path, { method, ...(method === 'POST' && { fields }) })
    const back = approve(await site.world.post('/auth/signin/acme'), 'carol')
    expect((await send(site, site.world, back, { method: 'GET' })).status).toBe(302)
  })
})

const THERE = '198.51.100.7'
const HOUR = 3600
const ADA = 'ada@example.com'

/** Somebody in another network and another browser. */
const strangerOf = (site: Site): Site => ({ ...site, world: site.world.otherBrowser() })

/** The owner of the address opens a mailed link, and signs out. */
async function signInByMail(site: Site, email = ADA): Promise<void> {
  await ownPost(site, '/auth/signin/email', { email })
  const { pathname, search } = new URL(site.mails.at(-1)?.url ?? '')
  await site.world.get(pathname + search)
  expect(await site.world.session()).not.toBeNull()
  await ownPost(site, '/auth/signout')
}

const askForMail = async (site: Site, from = HERE, email = ADA): Promise<number> =>
  (await ownPost(site, '/auth/signin/email', { email }, from)).status

/** What strangers do until they are refused, from a few networks, again and again for as long. */
async function flood(site: Site, path: string, fields: Record<string, string>): Promise<void> {
  const stranger = strangerOf(site)
  for (let network = 1; network <= 5; network++)
    for (let i = 0; i < 12; i++) await ownPost(stranger, path, fields, `203.0.113.${network}`)
}

describe('SEC-22, T-PWD-5: strangers who ask for mails to an address', () => {
  test('do not block its owner in a browser in which the address signed in before', async () => {
    const site = await limitedSite()
    await signInByMail(site)
    site.world.advance(2 * 24 * HOUR)
    for (let hours = 0; hours < 24; hours += 4) {
      await flood(site, '/auth/signin/email', { email: ADA })
      // Even from their network.
      expect(await askForMail(site, '203.0.113.1')).toBe(302)
      site.world.advance(4 * HOUR)
    }
  })

  test('do not block its owner in a new browser in another network', async () => {
    const site = await limitedSite()
    for (let hours = 0; hours < 12; hours += 4) {
      await flood(site, '/auth/signin/email', { email: ADA })
      expect(await askForMail(strangerOf(site))).toBe(302)
      site.world.advance(4 * HOUR)
    }
  })

  test('get no more than 5 an hour and 10 a day from one network', async () => {
    const site = await limitedSite()
    const sent: number[] = []
    for (let hours = 0; hours < 23; hours++) {
      const before = site.mails.length
      for (let i = 0; i < 8; i++) await askForMail(site, THERE)
      sent.push(site.mails.length - before)
      site.world.advance(HOUR)
    }
    expect(sent[0]).toBe(5)
    expect(sent.reduce((sum, each) => sum + each)).toBeLessThanOrEqual(10)
  })

  test('get no further ones with a browser in which another user signed in', async () => {
    const site = await limitedSite()
    await signInByMail(site, 'mallory@example.com')
    await flood(site, '/auth/signin/email', { email: ADA })
    const before = site.mails.length
    for (let i = 0; i < 5; i++) await askForMail(site, '203.0.113.1')
    expect(site.mails.length).toBe(before)
  })

  test.each([
    ['of another site', (value: string) => value],
    ['that was changed', (value: string) => `${value.slice(0, -3)}AAA`],
  ])('get no further ones with a cookie %s', async (how, change) => {
    const site = await limitedSite()
    const other =
      how === 'of another site' ? await limitedSite({}, { secret: 'y'.repeat(40) }) : site
    await signInByMail(other)
    const value = other.world.jar.get('__Host-latchkey.device') ?? ''
    expect(value).not.toContain('ada')
    site.world.advance(2 * 24 * HOUR)
    await flood(site, '/auth/signin/email', { email: ADA })
    const stranger = strangerOf(site)
    stranger.world.jar.set('__Host-latchkey.device', change(value))
    const before = site.mails.length
    await askForMail(stranger, '203.0.113.1')
    expect(site.mails.length).toBe(before)
  })
})

describe('SEC-22, T-PWD-5: a limit that strangers use up', () => {
  const signIn = { username: 'ada', password: PASSWORD }
  const password = (site: Site, from?: string) =>
    ownPost(site, '/auth/callback/credentials', signIn, from)

  test.each([
    ['identifier', 'credentials.sign-in'],
    ['site', 'credentials.sign-in'],
    ['pair', 'credentials.sign-in'],
    ['network', 'credentials.sign-in'],
  ] as const)('by %s leaves an allowance to the browser of the owner', async (by, name) => {
    const site = await limitedSite({ rules: { [name]: [{ by, limit: 4, window: HOUR }] } })
    expect((await password(site)).status).toBe(302)
    await ownPost(site, '/auth/signout')
    site.world.advance(2 * HOUR)
    for (let round = 0; round < 3; round++) {
      await flood(site, '/auth/callback/credentials', { username: 'ada', password: 'a guess' })
      const answer = await password(site, '203.0.113.1')
      expect([answer.status, new URL(answer.headers.get('location') ?? '', ORIGIN).search]).toEqual(
        [302, ''],
      )
      site.world.advance(2 * HOUR)
    }
  })

  test('leaves no allowance to a browser that knows another user', async () => {
    const rules = {
      'credentials.sign-in': [{ by: 'identifier', limit: 4, window: HOUR }] as const,
    }
    const site = await limitedSite({ rules })
    const guess = { username: 'bob', password: 'a guess' }
    // Further fields do not make the browser one of Bob's.
    for (const more of [{}, { email: 'bob' }, { login: 'bob' }]) {
      await ownPost(site, '/auth/callback/credentials', { ...signIn, ...more })
      await ownPost(site, '/auth/signout')
    }
    site.world.advance(2 * HOUR)
    const answers = []
    for (let i = 0; i < 8; i++)
      answers.push((await ownPost(site, '/auth/callback/credentials', guess)).status)
    expect(answers).toEqual([302, 302, 302, 302, 429, 429, 429, 429])
  })

  test('counts a telephone number, for any other fields beside it', async () => {
    const rules = {
      'credentials.sign-in': [{ by: 'identifier', limit: 4, window: HOUR }] as const,
    }
    const site = await limitedSite({ rules })
    const answers = []
    for (let i = 0; i < 8; i++) {
      const guess = { username: `nobody-${i}`, phone: '+441632960000', password: 'a guess' }
      answers.push((await ownPost(site, '/auth/callback/credentials', guess)).status)
    }
    expect(answers).toEqual([302, 302, 302, 302, 429, 429, 429, 429])
  })

  test('by site leaves each other network a share of it', async () => {
    const code = { client_id: 'cli' }
    const rules = { 'device.code': [{ by: 'site', limit: 20, window: 60 }] as const }
    const site = await limitedSite({ rules })
    for (let i = 0; i < 30; i++) await send(site, null, '/auth/device/code', { fields: code })
    const ask = (from: string) => send(site, null, '/auth/device/code', { fields: code, from })
    expect((await ask(HERE)).status).toBe(429)
    expect((await ask(THERE)).status).toBe(200)
    expect((await ask(THERE)).status).toBe(429)
  })
})
