import { describe, expect, test } from 'vitest'
import { email } from '../../src/providers/define.ts'
import Passkey from '../../src/providers/passkey.ts'
import { createSoftPasskey, type SoftPasskey } from '../../src/testing.ts'
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
async function eveWaits(strategy: Strategy): Promise<Site & { eve: SoftPasskey }> {
  const mails: Mail[] = []
  const site = await createSite({
    strategy,
    config: {
      experimental: { enableWebAuthn: true },
      providers: [
        Passkey(),
        acme({ allowDangerousEmailAccountLinking: true }),
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
    test('does not hand its true owner over, who comes by mail', async () => {
      const site = await eveWaits(strategy)
      const { world } = site
      const end = await world.get(await askForLink(site, VICTIM))
      expect(errorOf(end)).toBe('AccountNotLinked')
      const logged = world.log.findLast(({ level }) => level === 'error')
      expect(logged?.detail).toMatchObject({ cause: { provider: 'email' } })
      expect(await world.session()).toBeNull()
      expect((await site.adapter.getUserByEmail?.(VICTIM))?.emailVerified).toBeNull()
    })

    test('nor who comes from a provider whose addresses join', async () => {
      const { world } = await eveWaits(strategy)
      const end = await providerSignIn(world, 'acme', 'victim')
      expect(errorOf(end)).toBe('OAuthAccountNotLinked')
      expect(await world.session()).toBeNull()
    })

    test('is another than one that a provider said, which mail opens, and addresses join', async () => {
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

    test('is proven by who is signed in with the passkey, and mail signs them in from then on', async () => {
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
    test('joins whose address a mail proved, where its provider says the same', async () => {
      const site = await withProof(true, strategy)
      expect(errorOf(await site.world.get(await askForLink(site, VICTIM)))).toBeNull()
      const known = (await site.adapter.getUserByEmail?.(VICTIM))?.id
      const elsewhere = site.world.otherBrowser()
      expect(errorOf(await providerSignIn(elsewhere, 'says', 'x'))).toBeNull()
      const key = { provider: 'says', providerAccountId: 'says' }
      expect((await site.adapter.getUserByAccount?.(key))?.id).toBe(known)
    })

    test.each([undefined, false, 'true', 1, null])(
      'does not where the provider says %j',
      async (verified) => {
        const site = await withProof(verified, strategy)
        await site.world.get(await askForLink(site, VICTIM))
        const end = await providerSignIn(site.world.otherBrowser(), 'says', 'x')
        expect(errorOf(end)).toBe('OAuthAccountNotLinked')
      },
    )

    test('does not where the provider says it of another address', async () => {
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

    test('does not where nobody proved it here', async () => {
      const site = await withProof(true, strategy)
      expect(errorOf(await providerSignIn(site.world.otherBrowser(), 'silent', 'eve'))).toBeNull()
      const end = await providerSignIn(site.world, 'says', 'x')
      expect(errorOf(end)).toBe('OAuthAccountNotLinked')
    })

    test('has a mail open what a provider made, unless that is wanted proven too', async () => {
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

test('T-LINK-2: a provider that denies an address makes no user where another would join it', async () => {
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
