import { describe, expect, test } from 'vitest'
import { passwordsSite } from '../../../../tests/support/passwords-site.ts'
import { twoFactorSite } from '../../../../tests/support/two-factor-site.ts'
import { memoryAdapter } from '../../../adapters/memory/index.ts'
import { createLatchkey } from '../../../entries/index.ts'
import { createMailbox, createWorld, type World } from '../../../entries/testing.ts'
import { emailCode } from '../../email-code/index.ts'

const SECRET = 'a secret of these tests, 0123456789abcdef'

/** What the facts of the session in a browser say about the browser. */
async function deviceIn({ config, jar }: World): Promise<string | undefined> {
  // With an object of its own, it shares nothing with the world, whose clock is another one.
  const adapter = { ...config.adapter }
  const latchkey = createLatchkey({ ...config, adapter, secret: SECRET, trustHost: true })
  const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const facts = await latchkey.facts(new Request('https://app.example/', { headers: { cookie } }))
  expect(facts).not.toBeNull()
  return facts?.device
}

describe.each(['jwt', 'database'] as const)(
  'ACC-13: `device` of the facts of a session, strategy %s,',
  (strategy) => {
    const further = { secret: SECRET, session: { strategy } }
    const worldOptions = { startsAt: Date.now() - 3_600_000 }

    test('is new at the first sign-in in a browser, and known at the next one', async () => {
      const site = twoFactorSite({}, further, worldOptions)
      await site.signUp()
      expect(await deviceIn(site.world)).toBe('new')
      await site.signIn()
      expect(await deviceIn(site.world)).toBe('known')
      const other = site.world.otherBrowser()
      await site.signIn(undefined, undefined, other)
      expect(await deviceIn(other)).toBe('new')
    })

    test('is trusted where the browser stood for the second factor, and stays after a proof', async () => {
      const site = twoFactorSite({}, further, worldOptions)
      const { app } = await site.enrol()
      site.world.advance(60)
      await site.signIn()
      await site.verify(app.code(), site.world, { trust: true })
      expect(await deviceIn(site.world)).toBe('known')
      site.world.advance(60)
      await site.signIn()
      expect(await deviceIn(site.world)).toBe('trusted')
      const proof = { way: 'totp', code: app.code() }
      const done = await site.world.post('/auth/reauthenticate', proof)
      expect(done.status).toBeLessThan(400)
      expect(await deviceIn(site.world)).toBe('trusted')
      await site.json('two-factor/forget-devices')
      site.world.advance(60)
      await site.signIn()
      await site.verify(app.code())
      expect(await deviceIn(site.world)).toBe('known')
    })

    test('is missing where no plugin knows browsers', async () => {
      const site = passwordsSite({ limits: false }, further, worldOptions)
      await site.signUp()
      expect(await deviceIn(site.world)).toBeUndefined()
    })
  },
)

test('ACC-13: the `jwt` callback cannot change `device` of the facts', async () => {
  const jwt = ({ token }: { token: object }) => ({ ...token, device: 'trusted' })
  const site = twoFactorSite({}, { secret: SECRET, callbacks: { jwt } }, { startsAt: Date.now() })
  await site.signUp()
  expect(await deviceIn(site.world)).toBe('new')
})

test.each(['jwt', 'database'] as const)(
  'ACC-13: `device` of the facts is there without sessions(), too, strategy %s',
  async (strategy) => {
    const mailbox = createMailbox()
    const world = createWorld(
      {
        adapter: memoryAdapter(),
        secret: SECRET,
        session: { strategy },
        providers: [mailbox.provider],
        plugins: [emailCode()],
      },
      { startsAt: Date.now() - 3_600_000 },
    )
    const send = (path: string, fields: object) => world.json(`/auth/email-code/${path}`, fields)
    const signIn = async (): Promise<void> => {
      world.advance(120)
      expect((await send('send', { email: 'ada@example.com' })).status).toBe(202)
      expect((await send('verify', { code: mailbox.lastOf('email-code').code })).status).toBe(200)
    }
    await signIn()
    expect(await deviceIn(world)).toBe('new')
    await signIn()
    expect(await deviceIn(world)).toBe('known')
  },
)
