import { describe, expect, test } from 'vitest'
import { createSoftPasskey, type SoftPasskey } from '../../src/entries/testing.ts'
import type { CallbacksOptions } from '../../src/options/callbacks.ts'
import { email } from '../../src/providers/define.ts'
import Passkey from '../../src/providers/passkey.ts'
import { signOut } from '../support/passkeys.ts'
import {
  acme,
  askForLink,
  createSite,
  errorOf,
  type Mail,
  providerSignIn,
  type Site,
  type Strategy,
  strategies,
} from './support/site.ts'

const VICTIM = 'victim@example.com'

/** Eve has made a passkey for an address that is not hers, and waits. */
async function eveWaits(
  strategy: Strategy,
  callbacks: Partial<CallbacksOptions> = {},
  profile: Record<string, unknown> = { id: 'x' },
): Promise<Site & { eve: SoftPasskey }> {
  const mails: Mail[] = []
  const site = await createSite({
    strategy,
    config: {
      callbacks,
      providers: [
        Passkey(),
        acme({ allowDangerousEmailAccountLinking: true }),
        acme({
          id: 'says',
          userinfo: { url: 'https://acme.example/user', request: () => profile },
        }),
        acme({
          id: 'joins',
          allowDangerousEmailAccountLinking: true,
          userinfo: { url: 'https://acme.example/user', request: () => profile },
        }),
        email({
          id: 'email',
          name: 'Email',
          sendVerificationRequest: (mail) => void mails.push(mail),
        }),
      ],
    },
  })
  const eve = createSoftPasskey()
  await eve.register(site.world.otherBrowser(), VICTIM)
  return { ...site, mails, eve }
}

describe.each(strategies)(
  'T-LINK-2: an address that a passkey was made for, with %s sessions',
  (strategy) => {
    test('goes to its true owner, who comes by mail; the passkey and its user stay', async () => {
      const site = await eveWaits(strategy)
      const { world, adapter, eve } = site
      const claimant = await adapter.getUserByEmail?.(VICTIM)
      expect(errorOf(await world.get(await askForLink(site, VICTIM)))).toBeNull()
      expect((await world.session())?.user?.['email']).toBe(VICTIM)
      const owner = await adapter.getUserByEmail?.(VICTIM)
      expect(owner?.id).not.toBe(claimant?.id)
      expect(owner?.emailVerified).not.toBeNull()
      expect(owner?.name ?? null).toBeNull()

      const elsewhere = world.otherBrowser()
      await eve.signIn(elsewhere)
      const kept = await adapter.getUser?.(claimant?.id ?? '')
      expect(kept?.email).toMatch(/^[\da-f-]{36}@unproven\.invalid$/)
      expect((await elsewhere.session())?.user?.['email']).toBe(kept?.email)
    })

    test('cannot be claimed once more after it was proven', async () => {
      const site = await eveWaits(strategy)
      const { world } = site
      await world.get(await askForLink(site, VICTIM))
      const end = await createSoftPasskey().register(world.otherBrowser(), VICTIM).catch(String)
      expect(String(end)).toContain('Invalid request')
      await signOut(world)
      expect(errorOf(await world.get(await askForLink(site, VICTIM)))).toBeNull()
      expect((await world.session())?.user?.['email']).toBe(VICTIM)
    })

    test('is passed to the `signIn` callback with the claimant only', async () => {
      const seen: unknown[] = []
      const site = await eveWaits(strategy, {
        signIn: ({ user }) => {
          seen.push(user.id)
          return true
        },
      })
      const claimant = await site.adapter.getUserByEmail?.(VICTIM)
      seen.length = 0
      await site.world.get(await askForLink(site, VICTIM))
      expect(seen).toHaveLength(2)
      expect(seen).not.toContain(claimant?.id)
    })

    test('goes to a visitor from a provider whose addresses join', async () => {
      const { world, adapter } = await eveWaits(strategy)
      const claimant = await adapter.getUserByEmail?.(VICTIM)
      expect(errorOf(await providerSignIn(world, 'acme', 'victim'))).toBeNull()
      const owner = await adapter.getUserByEmail?.(VICTIM)
      expect(owner?.id).not.toBe(claimant?.id)
      expect((await world.session())?.user?.['email']).toBe(VICTIM)
    })

    test.each([
      [true, null],
      ['true', null],
      [1, null],
      [undefined, 'OAuthAccountNotLinked'],
      [false, 'OAuthAccountNotLinked'],
      ['false', 'OAuthAccountNotLinked'],
      [0, 'OAuthAccountNotLinked'],
    ] as const)(
      'goes to a visitor from a provider that reports it as proven, and to no other (%j)',
      async (email_verified, error) => {
        const site = await eveWaits(strategy, {}, { id: 'x', email: VICTIM, email_verified })
        expect(errorOf(await providerSignIn(site.world, 'says', 'x'))).toBe(error)
      },
    )

    test('goes to its true owner, also if the claimant has linked an account meanwhile', async () => {
      const profile = { id: 'eve', email: 'eve@example.com', email_verified: true }
      const site = await eveWaits(strategy, {}, profile)
      const { world, adapter, eve } = site
      const claimant = await adapter.getUserByEmail?.(VICTIM)
      const hers = world.otherBrowser()
      await eve.signIn(hers)
      expect(errorOf(await providerSignIn(hers, 'says', 'eve'))).toBeNull()
      const account = { provider: 'says', providerAccountId: 'eve' }
      expect((await adapter.getUserByAccount?.(account))?.id).toBe(claimant?.id)

      expect(errorOf(await world.get(await askForLink(site, VICTIM)))).toBeNull()
      const owner = await adapter.getUserByEmail?.(VICTIM)
      expect(owner?.id).not.toBe(claimant?.id)
      expect((await adapter.getUserByAccount?.(account))?.id).toBe(claimant?.id)
    })

    test('stays with a user who linked an account whose provider proves it', async () => {
      const profile = { id: 'x', email: VICTIM.toUpperCase(), email_verified: true }
      const site = await eveWaits(strategy, {}, profile)
      const { world, adapter, eve } = site
      const known = await adapter.getUserByEmail?.(VICTIM)
      await eve.signIn(world)
      expect(errorOf(await providerSignIn(world, 'says', 'x'))).toBeNull()
      expect((await adapter.getUserByEmail?.(VICTIM))?.emailVerified).toBeInstanceOf(Date)
      const elsewhere = world.otherBrowser()
      const link = await askForLink({ ...site, world: elsewhere }, VICTIM)
      expect(errorOf(await elsewhere.get(link))).toBeNull()
      expect((await elsewhere.session())?.user?.['email']).toBe(VICTIM)
      expect((await adapter.getUserByEmail?.(VICTIM))?.id).toBe(known?.id)
    })

    test('stays with a user who joined by an account that proves it, and then made a passkey', async () => {
      const claims = { id: 'x', email: 'carol@example.com', email_verified: true }
      const site = await eveWaits(strategy, {}, claims)
      const { world, adapter } = site
      await adapter.createUser?.({ id: 'carol', email: 'carol@example.com', emailVerified: null })
      expect(errorOf(await providerSignIn(world, 'joins', 'x'))).toBeNull()
      expect((await adapter.getUserByEmail?.('carol@example.com'))?.emailVerified).toBeInstanceOf(
        Date,
      )
    })

    test.each([
      ['the first', false],
      ['any later', true],
    ])('stays with a user who made a passkey after %s sign-in that proved it', async (_, isOld) => {
      const claims = { id: 'x', email: 'carol@example.com', email_verified: true }
      const site = await eveWaits(strategy, {}, claims)
      const { world, adapter } = site
      expect(errorOf(await providerSignIn(world, 'says', 'x'))).toBeNull()
      const carol = await adapter.getUserByEmail?.('carol@example.com')
      if (isOld) {
        await adapter.updateUser?.({ id: carol?.id ?? '', emailVerified: null })
        await signOut(world)
        await providerSignIn(world, 'says', 'x')
      }
      expect(errorOf(await createSoftPasskey().register(world))).toBeNull()
      expect(await adapter.listAuthenticatorsByUserId?.(carol?.id ?? '')).toHaveLength(1)
      const elsewhere = world.otherBrowser()
      const link = await askForLink({ ...site, world: elsewhere }, 'carol@example.com')
      expect(errorOf(await elsewhere.get(link))).toBeNull()
      expect((await elsewhere.session())?.user?.['email']).toBe('carol@example.com')
      expect((await adapter.getUserByEmail?.('carol@example.com'))?.id).toBe(carol?.id)
    })

    test('differs from an address that a provider reported, which a mail opens and which joins', async () => {
      const site = await eveWaits(strategy)
      for (const name of ['carol', 'dora']) {
        await site.adapter.createUser?.({
          id: name,
          email: `${name}@example.com`,
          emailVerified: null,
        })
      }
      const { world } = site
      expect(errorOf(await world.get(await askForLink(site, 'carol@example.com')))).toBeNull()
      expect((await world.session())?.user?.['email']).toBe('carol@example.com')
      const elsewhere = world.otherBrowser()
      expect(errorOf(await providerSignIn(elsewhere, 'acme', 'dora'))).toBeNull()
      expect((await elsewhere.session())?.user?.['email']).toBe('dora@example.com')
    })

    test('is proven by a mail to the signed-in owner of the passkey, whom mail signs in from then on', async () => {
      const site = await eveWaits(strategy)
      const { world, eve } = site
      await eve.signIn(world)
      expect(errorOf(await world.get(await askForLink(site, VICTIM)))).toBeNull()
      await signOut(world)
      expect(errorOf(await world.get(await askForLink(site, VICTIM)))).toBeNull()
      expect((await world.session())?.user?.['email']).toBe(VICTIM)
    })
  },
)

/** Providers that say this of the address, and mail. Eve has signed in with one that says nothing. */
async function withProof(
  verified: unknown,
  strategy: Strategy,
  {
    opensUnproven,
    ...more
  }: { opensUnproven?: boolean | undefined; profile?: unknown; userinfo?: unknown } = {},
) {
  const mails: Mail[] = []
  const saying = (id: string, claims: object) =>
    acme({
      id,
      allowDangerousEmailAccountLinking: 'proven',
      userinfo: {
        url: 'https://acme.example/user',
        request: () => ({ id, email: VICTIM, ...claims }),
      },
      ...more,
    })
  const mail = email({
    id: 'email',
    name: 'Email',
    opensUnproven,
    sendVerificationRequest: (sent) => void mails.push(sent),
  })
  const providers = [saying('says', { email_verified: verified }), saying('silent', {}), mail]
  return { ...(await createSite({ strategy, config: { providers } })), mails }
}

describe.each(strategies)(
  'T-LINK-2: an account that joins by a proven address, with %s sessions',
  (strategy) => {
    test('joins the user whose address a mail proved, if its provider confirms the address', async () => {
      const site = await withProof(true, strategy)
      expect(errorOf(await site.world.get(await askForLink(site, VICTIM)))).toBeNull()
      const known = (await site.adapter.getUserByEmail?.(VICTIM))?.id
      const elsewhere = site.world.otherBrowser()
      expect(errorOf(await providerSignIn(elsewhere, 'says', 'x'))).toBeNull()
      const key = { provider: 'says', providerAccountId: 'says' }
      expect((await site.adapter.getUserByAccount?.(key))?.id).toBe(known)
    })

    test("PUB-4: joins if the provider reports 'true' as a text", async () => {
      const site = await withProof('true', strategy)
      await site.world.get(await askForLink(site, VICTIM))
      expect(errorOf(await providerSignIn(site.world.otherBrowser(), 'says', 'x'))).toBeNull()
    })

    test.each([undefined, false, 'True', 'TRUE', ' true', '1', 'yes', 1, null])(
      'PUB-4: does not join if the provider reports %j',
      async (verified) => {
        const site = await withProof(verified, strategy)
        await site.world.get(await askForLink(site, VICTIM))
        const end = await providerSignIn(site.world.otherBrowser(), 'says', 'x')
        expect(errorOf(end)).toBe('OAuthAccountNotLinked')
      },
    )

    test('does not join if the provider reports another address as proven', async () => {
      const profile = ({ id, email }: { id: string; email: string }) => ({
        id,
        email: email.slice(4),
      })
      const mail = `eve.${VICTIM}`
      const request = () => ({ id: 'eve', email: mail, email_verified: true })
      const userinfo = { url: 'https://acme.example/user', request }
      const site = await withProof(true, strategy, { profile, userinfo })
      await site.world.get(await askForLink(site, VICTIM))
      const end = await providerSignIn(site.world.otherBrowser(), 'says', 'x')
      expect(errorOf(end)).toBe('OAuthAccountNotLinked')
    })

    test('joins an address in other letters', async () => {
      const request = () => ({ id: 'x', email: VICTIM.toUpperCase(), email_verified: true })
      const userinfo = { url: 'https://acme.example/user', request }
      const site = await withProof(true, strategy, { userinfo })
      await site.world.get(await askForLink(site, VICTIM))
      const end = await providerSignIn(site.world.otherBrowser(), 'says', 'x')
      expect(errorOf(end)).toBeNull()
    })

    test('does not join if nobody proved the address here', async () => {
      const site = await withProof(true, strategy)
      expect(errorOf(await providerSignIn(site.world.otherBrowser(), 'silent', 'eve'))).toBeNull()
      const end = await providerSignIn(site.world, 'says', 'x')
      expect(errorOf(end)).toBe('OAuthAccountNotLinked')
    })

    test('lets a mail open a user that a provider made, unless `opensUnproven` is false', async () => {
      for (const [opensUnproven, error] of [
        [undefined, null],
        [true, null],
        [false, 'AccountNotLinked'],
      ] as const) {
        const site = await withProof(true, strategy, { opensUnproven })
        const eve = site.world.otherBrowser()
        await providerSignIn(eve, 'silent', 'eve')
        expect(errorOf(await site.world.get(await askForLink(site, VICTIM)))).toBe(error)
        if (error === null) continue
        expect(await site.world.session()).toBeNull()
        // Who is signed in proves it, and from then on the mail is enough.
        const link = await askForLink({ ...site, world: eve }, VICTIM)
        expect(errorOf(await eve.get(link))).toBeNull()
        expect(errorOf(await site.world.get(await askForLink(site, VICTIM)))).toBeNull()
      }
    })
  },
)

test('T-LINK-2: a provider that denies an address creates no user if another provider would join it', async () => {
  const lax = acme({
    id: 'lax',
    userinfo: 'https://acme.example/lax',
  })
  const site = await createSite({
    config: { providers: [lax, acme({ allowDangerousEmailAccountLinking: true })] },
    answer: ({ pathname }) =>
      pathname === '/lax'
        ? Response.json({ id: 'eve', email: VICTIM, email_verified: false })
        : undefined,
  })
  const eve = await providerSignIn(site.world.otherBrowser(), 'lax', 'eve')
  expect(errorOf(eve)).toBe('OAuthAccountNotLinked')
  expect(errorOf(await providerSignIn(site.world, 'acme', 'victim'))).toBeNull()
  expect((await site.world.session())?.user?.['email']).toBe(VICTIM)
})
