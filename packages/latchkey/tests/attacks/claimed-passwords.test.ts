import { describe, expect, test } from 'vitest'
import { createLatchkey } from '../../src/entries/index.ts'
import type { World } from '../../src/entries/testing.ts'
import { type PasswordsApi, passwords } from '../../src/plugins/passwords/index.ts'
import { sessions } from '../../src/plugins/sessions/index.ts'
import { email } from '../../src/providers/define.ts'
import { CHEAP, OTHER } from '../support/passwords-site.ts'
import {
  acme,
  askForLink,
  createSite,
  errorOf,
  type Mail,
  providerSignIn,
  type Strategy,
  strategies,
} from './support/site.ts'

const VICTIM = 'victim@example.com'

/** Eve has an account with a password for an address that is not hers, and is signed in. */
async function eveIsIn(strategy: Strategy, emailVerified: Date | null = null) {
  const mails: Mail[] = []
  const notices: string[] = []
  const site = await createSite({
    strategy,
    config: {
      plugins: [sessions(), passwords({ hash: CHEAP, limits: false })],
      providers: [
        acme({ allowDangerousEmailAccountLinking: true }),
        {
          ...email({
            id: 'email',
            name: 'Email',
            sendVerificationRequest: (mail) => void mails.push(mail),
          }),
          sendMail: ({ mail }) => void notices.push(`${mail.to}: ${mail.text}`),
        },
      ],
    },
  })
  const { adapter, world } = site
  await adapter.createUser?.({ id: 'made', email: VICTIM, emailVerified })
  const { api } = createLatchkey(world.config as never) as never as {
    api: { passwords: PasswordsApi }
  }
  await api.passwords.set('made', OTHER, { skipRules: true })
  const eve = world.otherBrowser()
  const signIn = (browser: World) =>
    browser.request('/auth/password/sign-in', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ identifier: VICTIM, password: OTHER }),
    })
  expect((await signIn(eve)).status).toBe(200)
  return { ...site, mails, notices, eve, signIn, api }
}

describe.each(strategies)(
  'PW-23: an account with a password whose address nobody proved, with %s sessions',
  (strategy) => {
    test.each<[string, (site: Awaited<ReturnType<typeof eveIsIn>>) => Promise<Response>]>([
      ['by mail', async (site) => site.world.get(await askForLink(site, VICTIM))],
      [
        'from a provider whose addresses join',
        ({ world }) => providerSignIn(world, 'acme', 'victim'),
      ],
    ])(
      'T-ACC-1, T-ACC-2: loses the password and the sessions to its true owner, who comes %s',
      async (_, arrive) => {
        const site = await eveIsIn(strategy)
        expect(errorOf(await arrive(site))).toBeNull()
        expect((await site.world.session())?.user?.['email']).toBe(VICTIM)
        expect(await site.eve.session()).toBeNull()
        expect((await site.signIn(site.eve)).status).toBe(401)
        expect(await site.api.passwords.has('made')).toBe(false)
        expect(site.notices.at(-1)).toMatch(/^victim@example\.com: [^]*a password/)
      },
    )

    test('keeps all of it in the session of its user', async () => {
      const site = await eveIsIn(strategy)
      const link = await askForLink({ ...site, world: site.eve }, VICTIM)
      expect(errorOf(await site.eve.get(link))).toBeNull()
      expect(await site.api.passwords.has('made')).toBe(true)
      expect((await site.adapter.getUser?.('made'))?.emailVerified).not.toBeNull()
    })

    test('T-ACC-48: keeps all of it if the address was proved before', async () => {
      const site = await eveIsIn(strategy, new Date(0))
      expect(errorOf(await site.world.get(await askForLink(site, VICTIM)))).toBeNull()
      expect(await site.api.passwords.has('made')).toBe(true)
      expect(await site.eve.session()).not.toBeNull()
    })
  },
)
