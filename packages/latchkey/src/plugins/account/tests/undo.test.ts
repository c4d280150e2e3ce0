import { expect, test } from 'vitest'
import { acme, approve } from '../../../../tests/attacks/support/site.ts'
import { type AccountSite, accountSite } from '../../../../tests/support/account-site.ts'
import {
  createAuthenticator,
  type SoftAuthenticator,
} from '../../../../tests/support/authenticator.ts'
import { GOOD, OTHER } from '../../../../tests/support/passwords-site.ts'
import { wrapped } from '../../../../tests/support/recording.ts'
import { memoryAdapter } from '../../../adapters/memory/index.ts'
import type { World } from '../../../entries/testing.ts'

/** The id that an attacker gives to each passkey. */
const ID = Buffer.alloc(32, 7)

async function addPasskey(
  site: AccountSite,
  authenticator: SoftAuthenticator,
  world: World = site.world,
): Promise<Response> {
  const offered = await site.json('account/passkey-options', {}, world)
  const id = ID.toString('base64url')
  const data = JSON.stringify(authenticator.create(await offered.json(), { id }))
  return site.json('account/add-passkey', { data }, world)
}

/** Undoes the change of address with the link of the mail. */
async function undo(site: AccountSite, link: string): Promise<void> {
  const token = new URL(link, site.world.origin).searchParams.get('token')
  expect((await site.json('account/undo-address', { token })).status).toBe(200)
}

const ownerOfPasskey = ({ world }: AccountSite) =>
  world.config.adapter?.getUserByAccount?.({
    provider: 'passkey',
    providerAccountId: ID.toString('base64'),
  })

test('T-ACC-27: a passkey that was removed from another account is as new as any other: its owner is told, and the undo removes it', async () => {
  const site = accountSite()
  const { world } = site
  const authenticator = createAuthenticator(world.origin)
  const mallory = world.otherBrowser()
  await site.signUp('mallory@example.com', OTHER, mallory)
  await addPasskey(site, authenticator, mallory)
  await site.mailed('A passkey was added', 'mallory@example.com')
  const { searchParams } = new URL(site.link('account/secure'), world.origin)
  await site.json('account/secure', { token: searchParams.get('token') }, mallory)
  expect(await ownerOfPasskey(site)).toBeNull()
  world.advance(86_400)

  await site.signUp()
  await site.changeAddress('mallory@elsewhere.example')
  await site.mailed('', 'ada@example.com')
  world.advance(60)
  expect((await addPasskey(site, authenticator)).status).toBe(201)
  await site.mailed('A passkey was added', 'mallory@elsewhere.example')
  expect(await ownerOfPasskey(site)).toMatchObject({ email: 'mallory@elsewhere.example' })
  await undo(site, site.link('account/undo-address'))
  expect(await ownerOfPasskey(site)).toBeNull()
})

test('T-ACC-27: the undo also removes a passkey that was added before the secret was replaced', async () => {
  const adapter = memoryAdapter()
  const former = 'the former secret of the site, 0123456789'
  const site = accountSite({}, { adapter, secret: former })
  const { world } = site
  await site.signUp()
  await site.changeAddress('mallory@elsewhere.example')
  world.advance(60)
  await addPasskey(site, createAuthenticator(world.origin))
  await site.mailed('was added')
  const link = site.link('account/undo-address')

  const secret = ['the present secret of the site, 0123456789', former]
  const later = accountSite({}, { adapter, secret }, { startsAt: world.now() + 60_000, seed: 1 })
  await undo(later, link)
  expect(await ownerOfPasskey(later)).toBeNull()
})

/** A provider that says nothing about whether the address of its user was proved. */
const answers: typeof fetch = async (input) =>
  new URL(input instanceof Request ? input.url : input).pathname === '/token'
    ? Response.json({ access_token: 'access', token_type: 'bearer' })
    : Response.json({ id: 'mallory', email: 'ada@example.com' })

test('T-ACC-27: an account with the former address, which nobody proved, does not keep the owner from the undo', async () => {
  const site = accountSite({}, { providers: [acme()] }, { fetch: answers })
  const { world } = site
  await site.signUp()
  await site.changeAddress('mallory@elsewhere.example')
  await site.mailed('was changed', 'ada@example.com')
  const mallory = world.otherBrowser()
  await mallory.get(approve(await mallory.post('/auth/signin/acme'), 'mallory'))
  expect((await mallory.session())?.user).toMatchObject({ email: 'ada@example.com' })

  await undo(site, site.link('account/undo-address'))
  const user = await world.config.adapter?.getUserByEmail?.('ada@example.com')
  expect(user).toMatchObject({ name: null, emailVerified: expect.any(Date) })
  const squatter = await world.config.adapter?.getUserByAccount?.({
    provider: 'acme',
    providerAccountId: 'mallory',
  })
  expect(squatter?.email).toMatch(/@unproven\.invalid$/)
})

test('T-ACC-27: mails to the other address do nothing to the account after the undo', async () => {
  const site = accountSite()
  const { world } = site
  await site.signUp()
  await site.changeAddress('mallory@elsewhere.example')
  await site.mailed('was changed', 'ada@example.com')
  world.advance(60)
  await addPasskey(site, createAuthenticator(world.origin))
  await site.mailed('A passkey was added', 'mallory@elsewhere.example')
  const { searchParams } = new URL(site.link('account/secure'), world.origin)
  await undo(site, site.link('account/undo-address'))
  world.advance(1)
  const owner = world.otherBrowser()
  expect((await site.signIn('ada@example.com', GOOD, owner)).status).toBe(200)
  const token = searchParams.get('token')
  const late = await site.json('account/secure', { token }, world.otherBrowser())
  expect(late.status).toBe(400)
  expect(await owner.session()).not.toBeNull()
})

test('T-ACC-27: a session that is still there adds nothing while the owner undoes the change', async () => {
  const tried: unknown[] = []
  let adds = async (): Promise<unknown> => undefined
  const adapter = wrapped(memoryAdapter(), (name, method) => async (...args) => {
    const isUndo = name === 'updateUser' && Object(args[0]).email === 'ada@example.com'
    if (isUndo) tried.push(await adds())
    return method(...args)
  })
  const site = accountSite({}, { adapter })
  await site.signUp()
  await site.changeAddress('mallory@elsewhere.example')
  await site.mailed('was changed', 'ada@example.com')
  const link = site.link('account/undo-address')
  adds = () => {
    site.world.advance(1)
    return addPasskey(site, createAuthenticator(site.world.origin)).catch((error: unknown) => error)
  }
  const { searchParams } = new URL(link, site.world.origin)
  const token = searchParams.get('token')
  const undone = await site.json('account/undo-address', { token }, site.world.otherBrowser())
  expect(undone.status).toBe(200)
  expect(tried).toHaveLength(1)
  expect(await ownerOfPasskey(site)).toBeNull()
})

test('T-ACC-27: the undo also removes a passkey that was added while the change waited for the proof of the other address', async () => {
  const site = accountSite()
  const { world } = site
  await site.signUp()
  const email = 'mallory@elsewhere.example'
  await site.json('account/change-address', { email })
  const code = await site.codeFor(email)
  world.advance(60)
  expect((await addPasskey(site, createAuthenticator(world.origin))).status).toBe(201)
  world.advance(60)
  expect((await site.json('account/confirm-address', { code })).status).toBe(200)
  await site.mailed('was changed', 'ada@example.com')
  await undo(site, site.link('account/undo-address'))
  expect(await ownerOfPasskey(site)).toBeNull()
})
