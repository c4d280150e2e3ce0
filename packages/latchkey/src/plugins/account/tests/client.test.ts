import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type AccountSite, accountSite } from '../../../../tests/support/account-site.ts'
import {
  type CeremonyOptions,
  createAuthenticator,
} from '../../../../tests/support/authenticator.ts'
import { createAuthClient } from '../../../client/client.ts'
import { createTestProvider } from '../../../entries/testing.ts'
import { accountClient } from '../client.ts'

/** A page of the site in the browser of its world, until the test is over. */
function openPage({ world }: AccountSite) {
  const fetch: typeof globalThis.fetch = (input, init = {}) => {
    const headers = new Headers(init.headers)
    headers.set('sec-fetch-site', 'same-origin')
    return world.request(String(input), { ...init, headers })
  }
  const document = Object.assign(new EventTarget(), { visibilityState: 'visible' as const })
  const client = createAuthClient({}, { fetch, document, BroadcastChannel })
  onTestFinished(client.store.subscribe(() => {}))
  return { client, account: accountClient(client) }
}

afterEach(() => vi.unstubAllGlobals())

describe('SS-15: `accountClient` in a page', () => {
  test('reads and changes the profile and the address, and notifies the page', async () => {
    const site = accountSite()
    await site.signUp()
    const { client, account } = openPage(site)
    expect(await account.me()).toMatchObject({ user: { email: 'ada@example.com' } })
    expect(await account.update({ name: 'Ada' })).toMatchObject({ user: { name: 'Ada' } })
    expect(await client.getSession()).toMatchObject({ user: { name: 'Ada' } })
    expect(await account.changeAddress({ email: 'new@example.com' })).toEqual({
      status: 'mail_sent',
    })
    const code = await site.codeFor('new@example.com')
    expect(await account.confirmAddress({ code })).toMatchObject({ email: 'new@example.com' })
    await expect(account.changeAddress({ email: 'x' })).rejects.toMatchObject({
      status: 400,
      code: 'invalid_input',
    })
  })

  test('downloads what is stored about the user, and refuses like every function', async () => {
    const site = accountSite()
    await site.signUp()
    const { account } = openPage(site)
    const file = await account.export()
    expect(file).toMatchObject({
      version: 1,
      user: { email: 'ada@example.com' },
      password: { isSet: true },
      passkeys: [],
      factors: [],
      recoveryCodes: null,
    })
    site.world.advance(601)
    await expect(account.export()).rejects.toMatchObject({ code: 'reauthentication_required' })
  })

  test('adds, names and removes a passkey', async () => {
    const site = accountSite()
    await site.signUp()
    const { account } = openPage(site)
    await expect(account.passkeys.add()).rejects.toThrow(TypeError)
    const authenticator = createAuthenticator('https://app.example')
    vi.stubGlobal('PublicKeyCredential', {
      parseCreationOptionsFromJSON: (options: unknown) => options,
    })
    vi.stubGlobal('navigator', {
      credentials: {
        create: async ({ publicKey }: { publicKey: CeremonyOptions }) => ({
          toJSON: () => authenticator.create(publicKey),
        }),
      },
    })
    const { id, name } = await account.passkeys.add({ name: 'My key' })
    expect(name).toBe('My key')
    await account.passkeys.rename({ id, name: 'Mine' })
    expect(await account.passkeys.list()).toMatchObject([{ id, name: 'Mine' }])
    await account.passkeys.remove({ id })
    expect(await account.passkeys.list()).toEqual([])
  })

  test('links a provider, and deletes the account', async () => {
    const idp = createTestProvider({ id: 'acme' })
    const site = accountSite({}, { providers: [idp.provider] })
    await site.signUp()
    const { client, account } = openPage(site)
    const { available } = await account.connections.list()
    expect(available).toEqual([{ id: 'acme', name: 'Test' }])
    const { url } = await account.connections.link({ provider: 'acme' })
    const back = idp.authorize(url, { now: site.world.now() })
    await site.world.get(back.pathname + back.search)
    const { links } = await account.connections.list()
    await account.connections.unlink({ id: links[0]?.id ?? '' })
    expect((await account.connections.list()).links).toEqual([])
    const { deletedAt } = await account.delete({ confirm: 'ada@example.com' })
    expect(Date.parse(deletedAt ?? '')).toBeGreaterThan(site.world.now())
    expect(await client.getSession()).toBeNull()
    await site.signIn()
    await account.keep()
    expect(await client.getSession()).not.toBeNull()
  })
})
