import { describe, expect, test } from 'vitest'
import { type AccountSite, accountSite } from '../../../../tests/support/account-site.ts'
import {
  type CeremonyOptions,
  createAuthenticator,
  type Mutation,
  type SoftAuthenticator,
} from '../../../../tests/support/authenticator.ts'
import { authenticate } from '../../../../tests/support/passkeys.ts'
import { createWorld } from '../../../entries/testing.ts'
import { limits } from '../../limits/index.ts'

const html = { headers: { accept: 'text/html' } }
const ORIGIN = 'https://app.example'
const ICLOUD = 'fbfc3007-154e-4ecc-8c0b-6e020557d7bd'

interface Listed {
  readonly passkeys: readonly {
    readonly id: string
    readonly name: string
    readonly [member: string]: unknown
  }[]
}

const list = async (site: AccountSite, world = site.world): Promise<Listed['passkeys']> =>
  ((await site.read('account/passkeys', world)) as unknown as Listed).passkeys

async function add(
  site: AccountSite,
  authenticator: SoftAuthenticator = createAuthenticator(ORIGIN),
  mutation: Mutation = {},
  fields: object = {},
  world = site.world,
): Promise<Response> {
  const options = (await (
    await site.json('account/passkey-options', {}, world)
  ).json()) as CeremonyOptions
  const data = JSON.stringify(authenticator.create(options, mutation))
  return site.json('account/add-passkey', { data, ...fields }, world)
}

describe('passkeys of an account', () => {
  test('SS-8: a passkey is added, has the name of its model, signs in, and the owner is told', async () => {
    const site = accountSite()
    await site.signUp()
    const authenticator = createAuthenticator(ORIGIN)
    const added = await add(site, authenticator, { aaguid: ICLOUD, backupEligible: true })
    expect(added.status).toBe(201)
    expect(await added.json()).toEqual({
      passkey: {
        id: expect.stringMatching(/^[\w-]{22}$/),
        name: 'Apple Passwords',
        aaguid: ICLOUD,
        model: 'Apple Passwords',
        deviceBound: false,
        firstFactor: true,
        secondFactor: false,
        createdAt: new Date(site.world.now()).toISOString(),
        lastUsedAt: null,
        thisDevice: false,
      },
    })
    const mail = await site.mailed('A passkey was added')
    expect(mail).toMatchObject({ to: 'ada@example.com' })
    expect(mail.text).toContain('The passkey “Apple Passwords” was added')
    expect(site.events.map(({ type }) => type)).toContain('factor.added')
    const other = site.world.otherBrowser()
    await authenticate(other, authenticator)
    expect(await other.session()).toMatchObject({ user: { email: 'ada@example.com' } })
    expect((await list(site))[0]).toMatchObject({
      lastUsedAt: new Date(site.world.now()).toISOString(),
    })
    expect(site.mails.filter(({ subject }) => subject.includes('passkey'))).toHaveLength(1)
  })

  test('SS-8: the last use is written at most once an hour', async () => {
    const site = accountSite()
    await site.signUp()
    const authenticator = createAuthenticator(ORIGIN)
    await add(site, authenticator)
    const first = new Date(site.world.now()).toISOString()
    for (const [seconds, isWritten] of [
      [0, true],
      [3599, false],
      [2, true],
    ] as const) {
      site.world.advance(seconds)
      const browser = site.world.otherBrowser()
      await authenticate(browser, authenticator)
      const expected = isWritten ? new Date(site.world.now()).toISOString() : first
      expect((await list(site, browser))[0]?.['lastUsedAt']).toBe(expected)
    }
  })

  test.each([
    ['by this device, with limits()', 'platform', [limits()], [true, false, true]],
    ['by a security key or a phone', 'cross-platform', [limits()], [false, false, false]],
    ['by this device, without limits()', 'platform', [], [false, false, false]],
  ] as const)(
    'SS-8: `thisDevice` of a passkey that was made %s',
    async (_, attachment, plugins, expected) => {
      const site = accountSite({}, { plugins: [...plugins] })
      await site.signUp()
      const added = await add(site, undefined, { attachment })
      const isHere = async (world = site.world): Promise<unknown> =>
        (await list(site, world))[0]?.['thisDevice']
      const { passkey } = (await added.json()) as { passkey: { thisDevice: boolean } }
      expect([passkey.thisDevice, await isHere()]).toEqual([expected[0], expected[0]])
      const other = site.world.otherBrowser()
      await site.signIn(undefined, undefined, other)
      expect(await isHere(other)).toBe(expected[1])
      await site.signIn()
      expect(await isHere()).toBe(expected[2])
      const page = await (await site.world.get('/auth/account/passkeys', html)).text()
      expect(page.includes('This device')).toBe(expected[2])
    },
  )

  test('SS-8: an unknown model is a passkey of the browser that made it, until its owner names it', async () => {
    const site = accountSite()
    await site.signUp()
    await add(site)
    const [passkey] = await list(site)
    expect(passkey).toMatchObject({ name: 'Passkey' })
    expect(passkey).toMatchObject({ model: null, lastUsedAt: null })
    const id = passkey?.id ?? ''
    for (const name of ['', 'x'.repeat(65), 'a\u202eb'])
      expect((await site.json('account/rename-passkey', { id, name })).status).toBe(400)
    expect((await site.json('account/rename-passkey', { id, name: ' My key ' })).status).toBe(204)
    expect(await list(site)).toMatchObject([{ id, name: 'My key' }])
  })

  test('SS-1: the page lists, renames and removes passkeys with forms, and says that adding one needs a script', async () => {
    const site = accountSite()
    await site.signUp()
    const { world } = site
    expect(await (await world.get('/auth/account/passkeys', html)).text()).toContain('No passkeys')
    const adding = await (await world.post('/auth/account/passkey-options', {}, html)).text()
    expect(adding).toContain('To add a passkey, turn on JavaScript')
    expect(adding).toContain('data-passkey-options="{&quot;')
    await add(site, undefined, {}, { name: 'My key' })
    const id = (await list(site))[0]?.id ?? ''
    const renamed = await world.post('/auth/account/rename-passkey', { id, name: 'Mine' }, html)
    expect(renamed.status).toBe(303)
    const page = await (await world.get(renamed.headers.get('location') ?? '', html)).text()
    expect(page).toContain('The passkey is now named “Mine”.')
    const question = await world.get(`/auth/account/passkeys?confirm=${id}`, html)
    expect(await question.text()).toContain('Remove the passkey “Mine”?')
    const removed = await world.post('/auth/account/remove-passkey', { id }, html)
    expect(removed.status).toBe(303)
    expect(await list(site)).toEqual([])
  })

  test('SS-9: the page tells the browser which passkeys it may still offer', async () => {
    const site = accountSite()
    await site.signUp()
    const authenticator = createAuthenticator(ORIGIN)
    await add(site, authenticator)
    const page = await (await site.world.get('/auth/account/passkeys', html)).text()
    const [, data = ''] = /data-accepted="([^"]*)"/.exec(page) ?? []
    const { credentials } = authenticator
    expect(JSON.parse(data.replaceAll('&quot;', '"'))).toEqual({
      rpId: 'app.example',
      userId: credentials[0]?.userHandle,
      ids: [credentials[0]?.id],
    })
    expect(page).toContain('signalAllAcceptedCredentials')
  })

  test('T-LINK-6: a passkey is only added and removed after a recent proof of identity', async () => {
    const site = accountSite()
    await site.signUp()
    await add(site)
    const id = (await list(site))[0]?.id ?? ''
    const options = (await (await site.json('account/passkey-options')).json()) as CeremonyOptions
    const data = JSON.stringify(createAuthenticator(ORIGIN).create(options))
    site.world.advance(601)
    for (const [path, fields] of [
      ['account/passkey-options', {}],
      ['account/add-passkey', { data }],
      ['account/remove-passkey', { id }],
    ] as const) {
      const answer = await site.json(path, fields)
      expect(answer.status).toBe(403)
      expect(await answer.json()).toMatchObject({ code: 'reauthentication_required' })
    }
    expect(await list(site)).toHaveLength(1)
  })

  test('T-LINK-3: the response to options that another user got adds nothing', async () => {
    const site = accountSite()
    await site.signUp()
    const eve = site.world.otherBrowser()
    await site.signUp('eve@example.com', undefined, eve)
    const options = (await (
      await site.json('account/passkey-options', {}, eve)
    ).json()) as CeremonyOptions
    const data = JSON.stringify(createAuthenticator(ORIGIN).create(options))
    for (const [name, value] of eve.jar)
      if (name.includes('challenge')) site.world.jar.set(name, value)
    const answer = await site.json('account/add-passkey', { data })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ code: 'invalid_code' })
    expect(await list(site)).toEqual([])
    expect(await list(site, eve)).toEqual([])
  })

  test('T-OTV-3: a response adds one passkey, and a passkey that exists is refused', async () => {
    const site = accountSite()
    await site.signUp()
    const authenticator = createAuthenticator(ORIGIN)
    const options = (await (await site.json('account/passkey-options')).json()) as CeremonyOptions
    const data = JSON.stringify(authenticator.create(options))
    const jar = new Map(site.world.jar)
    expect((await site.json('account/add-passkey', { data })).status).toBe(201)
    for (const [name, value] of jar) site.world.jar.set(name, value)
    expect((await site.json('account/add-passkey', { data })).status).toBe(400)
    for (const data of ['', '{}', 'x', '{"id":"a","response":{}}'])
      expect((await site.json('account/add-passkey', { data })).status).toBe(400)
    expect(await list(site)).toHaveLength(1)
  })

  test('T-LINK-9, T-ACC-28: the ids of the passkeys of one user are not found for another user', async () => {
    const site = accountSite()
    await site.signUp()
    await add(site)
    const id = (await list(site))[0]?.id ?? ''
    const eve = site.world.otherBrowser()
    await site.signUp('eve@example.com', undefined, eve)
    await add(site, undefined, {}, {}, eve)
    for (const [path, fields] of [
      ['account/rename-passkey', { id, name: 'Eve' }],
      ['account/remove-passkey', { id }],
    ] as const)
      expect((await site.json(path, fields, eve)).status).toBe(404)
    expect((await eve.get(`/auth/account/passkeys?confirm=${id}`)).status).toBe(404)
    expect((await list(site))[0]).toMatchObject({ id, name: 'Passkey' })
    expect(await list(site, eve)).toHaveLength(1)
  })

  test('SS-7: a passkey that is the last way into an account is not removed', async () => {
    const site = accountSite()
    await site.signUp()
    await add(site)
    const user = await site.world.config.adapter?.getUserByEmail?.('ada@example.com')
    await site.world.config.adapter?.updateUser?.({ id: String(user?.id), emailVerified: null })
    expect((await site.json('password/remove')).status).toBe(204)
    const id = (await list(site))[0]?.id ?? ''
    const answer = await site.json('account/remove-passkey', { id })
    expect(answer.status).toBe(409)
    expect(await answer.json()).toMatchObject({ code: 'last_way_in' })
    expect(await list(site)).toHaveLength(1)
  })

  test('SS-7: the removal of a passkey ends other sessions, tells the owner, and the passkey signs nobody in', async () => {
    const site = accountSite()
    await site.signUp()
    const authenticator = createAuthenticator(ORIGIN)
    await add(site, authenticator, {}, { name: 'My key' })
    const other = site.world.otherBrowser()
    await authenticate(other, authenticator)
    const id = (await list(site))[0]?.id ?? ''
    expect((await site.json('account/remove-passkey', { id })).status).toBe(204)
    expect(await other.session()).toBeNull()
    expect(await site.world.session()).not.toBeNull()
    site.world.advance(1)
    await authenticate(other, authenticator)
    expect(await other.session()).toBeNull()
    expect((await site.mailed('A passkey was removed')).text).toContain('“My key”')
    expect((await site.json('account/remove-passkey', { id })).status).toBe(404)
  })

  test('without a passkey provider there is no section for passkeys, and no path answers', async () => {
    const site = accountSite()
    const { config } = site.world
    const world = createWorld({
      ...config,
      providers: config.providers.filter((each) => 'sendMail' in Object(each)),
    })
    await site.signUp('ada@example.com', undefined, world)
    const page = await (await world.get('/auth/account', html)).text()
    expect(page).toContain('/auth/account/addresses')
    expect(page).not.toContain('/auth/account/passkeys')
    expect(page).not.toContain('/auth/account/links')
    expect((await world.get('/auth/account/passkeys')).status).toBe(404)
    expect((await site.json('account/passkey-options', {}, world)).status).toBe(404)
  })
})
