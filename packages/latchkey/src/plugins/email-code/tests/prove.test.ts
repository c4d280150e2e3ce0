import { describe, expect, test } from 'vitest'
import { emailCodeSite } from '../../../../tests/support/email-code-site.ts'
import { vault } from '../../../../tests/support/reauthenticate-site.ts'

const PAGE = '/auth/reauthenticate'
const WAY = { way: 'email-code' }
const AS_PAGE = { headers: { accept: 'text/html' } }

/** Ada, who signed in with a code an hour ago. */
async function signedIn(...given: Parameters<typeof emailCodeSite>) {
  const [options, { plugins = [], ...further } = {}] = given
  const site = emailCodeSite(options, { ...further, plugins: [vault(), ...plugins] })
  await site.send()
  await site.verify(site.code())
  site.world.advance(3600)
  const facts = async (world = site.world) =>
    (await (await world.get('/auth/vault/facts')).json()) as { auth_time: number }
  return { ...site, facts }
}

describe.each(['jwt', 'database'] as const)(
  'MF-26: a code by mail as a proof, with the strategy %s,',
  (strategy) => {
    test('is mailed on request, and works once', async () => {
      const { world, mails, facts, code, events } = await signedIn({}, { session: { strategy } })
      const before = await facts()
      const shown = await (await world.get(PAGE, AS_PAGE)).text()
      expect(shown).toContain('name="begin"')
      expect(shown).not.toContain('name="code"')
      const begun = await world.post(PAGE, { ...WAY, begin: '1' }, AS_PAGE)
      expect([begun.status, begun.headers.get('location')]).toEqual([
        303,
        expect.stringContaining('way=email-code'),
      ])
      expect(mails.at(-1)).toMatchObject({ to: 'ada@example.com' })
      expect(await (await world.get(PAGE, AS_PAGE)).text()).toContain('name="code"')
      const proof = { ...WAY, code: code() }
      expect((await world.post(PAGE, proof)).status).toBe(303)
      expect((await facts()).auth_time).toBe(before.auth_time + 3600)
      expect(events.at(-1)).toMatchObject({ type: 'signin.step-up', outcome: 'success' })
      expect((await world.post(PAGE, proof)).status).toBe(400)
    })

    test('is refused in another session of the user, and as a sign-in', async () => {
      const site = await signedIn({}, { session: { strategy } })
      const { world, code } = site
      const other = world.otherBrowser()
      await site.send('ada@example.com', other)
      await site.verify(code(), other)
      await world.post(PAGE, { ...WAY, begin: '1' })
      const proof = { ...WAY, code: code() }
      expect((await other.post(PAGE, proof)).status).toBe(400)
      expect((await site.verify(code())).status).toBe(400)
      // A code for a sign-in is none here either.
      const before = await site.facts()
      world.advance(60)
      await site.send()
      expect((await world.post(PAGE, { ...WAY, code: code() })).status).toBe(400)
      expect(await site.facts()).toEqual(before)
    })
  },
)

test('T-ACC-20, LIM-8: codes by mail as a proof are guessed at most as often as codes for sign-ins, and the page says how long to wait', async () => {
  const { world, code, facts } = await signedIn({ tries: 3 })
  const before = await facts()
  await world.post(PAGE, { ...WAY, begin: '1' })
  const wrong = code() === '000000' ? '111111' : '000000'
  for (let guesses = 0; guesses < 3; guesses++)
    expect((await world.post(PAGE, { ...WAY, code: wrong })).status).toBe(400)
  const limited = await world.post(PAGE, { ...WAY, code: code() }, AS_PAGE)
  expect(limited.status).toBe(429)
  expect(await limited.text()).toContain('Too many attempts. Wait 1 minute, then try again.')
  expect(await facts()).toEqual(before)
})

test('MF-26: a code by mail is no way if the step needs two factors, or nobody proved the address', async () => {
  const { world } = await signedIn()
  const open = await world.request('/auth/vault/open', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ factors: 2 }),
  })
  const { next } = (await open.json()) as { next: string }
  const page = await (await world.get(next, AS_PAGE)).text()
  expect(page).toContain('your account has none yet')
  expect(page).not.toContain('name="begin"')

  const user = await world.config.adapter?.getUserByEmail?.('ada@example.com')
  await world.config.adapter?.updateUser?.({ id: user?.id ?? '', emailVerified: null })
  expect(await (await world.get(PAGE)).json()).toEqual({ ways: [] })
})
