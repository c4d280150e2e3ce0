import { describe, expect, onTestFinished, test } from 'vitest'
import type { Adapter } from '../../src/model/adapter.ts'
import { sessions } from '../../src/plugins/sessions/index.ts'
import { tokens } from '../../src/plugins/tokens/index.ts'
import type { World } from '../../src/testing/world.ts'
import { passwordSignIn } from '../attacks/support/site.ts'
import { type Damage, damageableStores, damageRecord } from '../support/damage.ts'
import {
  backchannelSite,
  logoutToken,
  sendLogout,
  signInAtCorp,
  signOutToCorp,
} from '../support/logout-site.ts'
import { apiOf, nameOf } from '../support/sessions-site.ts'
import {
  acmeProvider,
  recordsOf,
  requestFrom,
  signInWith,
  tokenSite,
} from '../support/token-site.ts'
import { decoded, keysOf, oneApi, tokenOf, tokensApi, tokensSite } from '../support/tokens-site.ts'

const errorsAbout = ({ log }: World, text: string) =>
  log.filter(({ level, message }) => level === 'error' && message.includes(text))

const texts: Readonly<Record<string, Damage>> = {
  'is not an object': () => 'half of a rec',
  'has no members': () => ({}),
}

const storesAndTexts = Object.entries(damageableStores).flatMap(([store, open]) =>
  Object.entries(texts).map(([name, damage]) => ({ store, open, name, damage })),
)

describe.each(storesAndTexts)('a record that $name, in $store', ({ open, damage }) => {
  test('of an API key: the key is refused and can be ended, and other keys work', async () => {
    const { world, adapter } = await tokensSite({
      adapter: await open(),
      config: { plugins: [sessions(), tokens({ apiKeys: { scopes: ['read'], maxPerUser: 2 } })] },
    })
    const api = tokensApi(world)
    const ada = { userId: 'ada' }
    const first = await api.createKey(ada, { name: 'first' })
    const second = await api.createKey(ada, { name: 'second' })
    await damageRecord(adapter, { kind: 'api-key', key: first.key.id }, damage)
    for (let times = 0; times < 3; times++)
      expect((await api.listKeys(ada)).map(({ name }) => name)).toEqual(['second'])
    expect(errorsAbout(world, first.key.id)).toHaveLength(1)
    expect(await api.verifyKey(first.token)).toMatchObject({ ok: false, code: 'invalid_token' })
    expect(await api.verifyKey(second.token)).toMatchObject({ ok: true })
    expect(await api.createKey(ada, { name: 'third' })).toMatchObject({ key: { name: 'third' } })
    expect(await api.endKey(ada, first.key.id)).toBe(true)
    expect(await api.endKey(ada, first.key.id)).toBe(false)
    expect(await api.endKey(ada, second.key.id)).toBe(true)
  })

  test('of tokens of a provider: those of other providers are found, and another sign-in replaces it', async () => {
    const providers = [acmeProvider(), acmeProvider({}, { id: 'other', name: 'Other' })]
    const { world, adapter, api } = tokenSite({ adapter: await open(), config: { providers } })
    await signInWith(world)
    // Who is signed in links another account.
    await signInWith(world, 'other')
    const request = () => requestFrom(world)
    const [record] = (await recordsOf(adapter, 'provider-tokens')).filter(
      ({ data }) => data['provider'] === 'acme',
    )
    await damageRecord(adapter, { kind: 'provider-tokens', key: record?.key ?? '' }, damage)
    expect(await api.get(request(), 'acme')).toMatchObject({ ok: false, error: 'NoToken' })
    for (let times = 0; times < 3; times++)
      expect(await api.status(request())).toMatchObject({
        acme: { connected: false },
        other: { connected: true },
      })
    expect(errorsAbout(world, record?.key ?? '')).toHaveLength(1)
    await signInWith(world)
    expect(await api.get(request(), 'acme')).toMatchObject({ ok: true })
  })

  test('of a signing key: another key signs, and is published', async () => {
    const { world, adapter } = await tokensSite({ adapter: await open() })
    await passwordSignIn(world)
    const kid = String(decoded(await tokenOf(world)).header['kid'])
    await damageRecord(adapter, { kind: 'signing-key', key: kid }, damage)
    world.advance(61)
    const next = String(decoded(await tokenOf(world)).header['kid'])
    expect(next).not.toBe(kid)
    expect(await keysOf(world)).toMatchObject([{ kid: next }])
    expect(errorsAbout(world, kid)).toHaveLength(1)
  })

  test('of the list of signing keys: a new key signs', async () => {
    const { world, adapter } = await tokensSite({ adapter: await open(), options: oneApi })
    await passwordSignIn(world)
    const kid = String(decoded(await tokenOf(world)).header['kid'])
    await damageRecord(adapter, { kind: 'signing-keys', key: 'current' }, damage)
    world.advance(61)
    expect(decoded(await tokenOf(world)).header['kid']).not.toBe(kid)
    expect(errorsAbout(world, 'signing-keys')).toHaveLength(1)
  })

  test('of a waiting device: its code is refused, and other devices are let in', async () => {
    const device = { clients: [{ id: 'cli', name: 'Example CLI' }] }
    const { world, adapter } = await tokensSite({
      adapter: await open(),
      config: { plugins: [sessions(), tokens({ device })] },
    })
    await passwordSignIn(world)
    const ask = (path: string, fields: Record<string, string>) =>
      world.otherBrowser().postWithoutCsrf(`/auth/device/${path}`, fields)
    const begin = async () =>
      (await (await ask('code', { client_id: 'cli' })).json()) as {
        device_code: string
        user_code: string
      }
    const poll = async (device_code: string) =>
      (await (
        await ask('token', {
          grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
          device_code,
          client_id: 'cli',
        })
      ).json()) as { access_token?: string; error?: string }
    const html = { headers: { accept: 'text/html' } }
    const broken = await begin()
    await world.post('/auth/device/enter', { user_code: broken.user_code }, html)
    for (const { key } of await recordsOf(adapter, 'device'))
      await damageRecord(adapter, { kind: 'device', key }, damage)
    for (const { key } of await recordsOf(adapter, 'device-session'))
      await damageRecord(adapter, { kind: 'device-session', key }, damage)
    expect((await poll(broken.device_code)).error).toBe('expired_token')
    const whole = await begin()
    await world.post('/auth/device/enter', { user_code: whole.user_code }, html)
    await world.post('/auth/device/decide', { decision: 'allow' }, html)
    const { access_token = '' } = await poll(whole.device_code)
    expect(access_token).toMatch(/^lkb_/)

    const bearer = { headers: { authorization: `Bearer ${access_token}` } }
    const sessionOf = async () => (await world.otherBrowser().get('/auth/session', bearer)).json()
    expect(await sessionOf()).toMatchObject({ user: { name: 'ada' } })
    await damageRecord(adapter, { kind: 'bearer', key: access_token.slice(4, 26) }, damage)
    expect(await sessionOf()).toBeNull()
    expect(errorsAbout(world, '"bearer"').length).toBeGreaterThan(0)
    expect(await apiOf(world).endAll({ userId: 'ada' })).toBe(2)
  })

  test.each(['jwt', 'database'] as const)(
    "of a session's sign-in at a provider: a logout by subject ends it with the others (%s sessions)",
    async (strategy) => {
      const site = backchannelSite(strategy, { adapter: await open() })
      const { world } = site
      // Its process reads the log of ended sessions no more.
      onTestFinished(() => world.advance(60))
      const adapter = site.adapter as Adapter
      const other = world.otherBrowser()
      await signInAtCorp(site)
      await signInAtCorp({ op: site.op, world: other })
      const [record] = await recordsOf(adapter, 'id-token')
      await damageRecord(adapter, { kind: 'id-token', key: record?.key ?? '' }, damage)
      const sub = String(record && (record.data['at'] as { sub: string }).sub)
      const answer = await sendLogout(world, await logoutToken(world, { sid: undefined, sub }))
      expect(answer.status).toBe(200)
      world.advance(1.001)
      expect(await Promise.all([nameOf(world), nameOf(other)])).toEqual([null, null])
      expect(errorsAbout(world, record?.key ?? '')).toHaveLength(1)
    },
  )

  test("of a session's sign-in at a provider: the sign-out ends locally", async () => {
    const site = backchannelSite('database', { adapter: await open() })
    const { world } = site
    await signInAtCorp(site)
    const [record] = await recordsOf(site.adapter as Adapter, 'id-token')
    await damageRecord(
      site.adapter as Adapter,
      { kind: 'id-token', key: record?.key ?? '' },
      damage,
    )
    await signOutToCorp(world)
    expect(await nameOf(world)).toBeNull()
  })

  test('of the sessions of a provider: a logout by subject and session ends all of the subject', async () => {
    const site = backchannelSite('database', { adapter: await open() })
    const { world } = site
    const adapter = site.adapter as Adapter
    await signInAtCorp(site)
    const [record] = await recordsOf(adapter, 'op-session')
    await damageRecord(adapter, { kind: 'op-session', key: record?.key ?? '' }, damage)
    // Nobody can say whether this one is among them.
    const unknown = await sendLogout(world, await logoutToken(world))
    expect([unknown.status, await unknown.json()]).toEqual([400, { error: 'server_error' }])
    const [begun] = await recordsOf(adapter, 'id-token')
    const { sub } = (begun?.data['at'] ?? {}) as { sub?: string }
    const answer = await sendLogout(world, await logoutToken(world, { sub }))
    expect(answer.status).toBe(200)
    expect(await nameOf(world)).toBeNull()
  })
})
