import { describe, expect, test } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { definePlugin, type Host, type SiteRequest } from '../../src/entries/plugin.ts'
import { createSoftPasskey, createWorld, type World } from '../../src/entries/testing.ts'
import { passwords } from '../../src/plugins/passwords/index.ts'
import Passkey from '../../src/providers/passkey.ts'
import { CHEAP, GOOD, OTHER } from '../support/passwords-site.ts'
import { CODE, codes, reauthenticateSite, vault } from '../support/reauthenticate-site.ts'

const AS_PAGE = { headers: { accept: 'text/html' } }
const strategies = ['jwt', 'database'] as const
const PASSWORD = { way: 'password', password: GOOD }

/** Runs a test with sealed and with stored sessions. */
const siteOf = (
  strategy: (typeof strategies)[number],
  { session, ...further }: NonNullable<Parameters<typeof reauthenticateSite>[0]> = {},
  ...more: [Parameters<typeof reauthenticateSite>[1]?, Parameters<typeof reauthenticateSite>[2]?]
) => reauthenticateSite({ ...further, session: { ...session, strategy } }, ...more)

describe.each(strategies)(
  'T-ACC-25: a proof asked for again, with the strategy %s,',
  (strategy) => {
    test('is not replaced by a need that was lowered in the address', async () => {
      const site = siteOf(strategy, { plugins: [codes()] })
      await site.signUp()
      const { next } = await site.open({ factors: 2, maxAge: 60 })
      const sealed = new URL(next, 'https://app.example').searchParams.get('for') ?? ''
      // The page of the need does not take what proves one factor.
      expect((await site.prove(next, PASSWORD)).status).toBe(400)
      for (const changed of [
        `${sealed}A`,
        sealed.replace(/.$/, ''),
        sealed.slice(0, -10),
        '',
        'x',
      ]) {
        const answer = await site.json('reauthenticate', { ...PASSWORD, for: changed })
        expect([changed, answer.status]).toEqual([changed, 400])
      }
      for (const query of ['factors=1', 'maxAge=99999', 'acr=urn:latchkey:acr:1'])
        expect((await site.world.get(`${next}&${query}`)).status).toBe(400)
      // A need that is left out is met, and opens nothing.
      expect((await site.json('reauthenticate', PASSWORD)).status).toBe(200)
      expect((await site.open({ factors: 2, maxAge: 60 })).status).toBe(403)
    })

    test('is refused with the need of another user, and with one that has expired', async () => {
      const site = siteOf(strategy)
      await site.signUp()
      const bob = site.world.otherBrowser()
      await site.signUp('bob@example.com', OTHER, bob)
      site.world.advance(3600)
      const ofAda = await site.open({ maxAge: 600 })
      const before = await site.facts(bob)
      const proof = { way: 'password', password: OTHER }
      expect((await site.prove(ofAda.next, proof, bob)).status).toBe(400)
      expect(await site.facts(bob)).toEqual(before)

      site.world.advance(15 * 60)
      expect((await site.prove(ofAda.next, PASSWORD)).status).toBe(400)
      expect((await site.world.get(ofAda.next, AS_PAGE)).status).toBe(400)
    })

    test("is refused with another account's proof, and changes nothing", async () => {
      const site = siteOf(strategy, {}, {}, [Passkey()])
      const { world } = site
      const [ofAda, ofBob] = [createSoftPasskey(), createSoftPasskey()]
      await site.signUp()
      await ofAda.register(world)
      const bob = world.otherBrowser()
      await site.signUp('bob@example.com', OTHER, bob)
      await ofBob.register(bob)
      const before = await site.facts()
      const wrong = { way: 'password', password: OTHER }
      expect((await site.prove('/', wrong)).status).toBe(401)
      // Each step is made in the browser of Ada, with the passkey of Bob.
      const refused = await ofBob.signIn(proving(world))
      expect(refused.status).toBe(400)
      expect(await site.facts()).toEqual(before)
      expect(site.events.at(-1)).toMatchObject({ type: 'signin.step-up', outcome: 'refused' })

      world.advance(60)
      expect((await ofAda.signIn(proving(world))).status).toBe(303)
      expect(await site.facts()).toMatchObject({
        auth_time: (before.auth_time ?? 0) + 60,
        second_time: (before.auth_time ?? 0) + 60,
        amr: ['pwd', 'email', 'pop', 'user', 'hwk', 'mfa'],
        acr: 'urn:latchkey:acr:2pr',
      })
      expect((await site.open({ maxAge: 600, acr: 'urn:latchkey:acr:2pr' })).status).toBe(200)
    })

    test('does not follow from reading, extending or updating a session', async () => {
      const site = siteOf(strategy, {
        session: { updateAge: 60, maxAge: 3600 * 24 },
        plugins: [codes()],
        callbacks: {
          // What an application tries, and may not.
          jwt: ({ token }) => ({
            ...token,
            auth_time: 4e9,
            second_time: 4e9,
            amr: ['mfa'],
            acr: '9',
          }),
          session: ({ session }) => session,
        },
      })
      await site.signUp()
      const { next } = await site.open({ factors: 2, maxAge: 60 })
      expect((await site.prove(next, { way: 'code', code: CODE })).status).toBe(200)
      const { sid, ...before } = await site.facts()
      expect(before).toMatchObject({ acr: 'urn:latchkey:acr:2' })
      for (let hour = 0; hour < 5; hour++) {
        site.world.advance(3600)
        expect(await site.world.session()).not.toBeNull()
        await site.world.post('/auth/session', {
          data: JSON.stringify({ auth_time: 4e9, second_time: 4e9, amr: ['mfa'], acr: '9' }),
        })
        expect(await site.facts()).toEqual({ sid, ...before })
      }
      expect((await site.open({ maxAge: 600 })).status).toBe(403)
      expect((await site.open({ factors: 2, maxAge: 600 })).status).toBe(403)
    })

    test('may be guessed ten times in a session; the page then shows the limit', async () => {
      const site = siteOf(strategy)
      await site.signUp()
      site.world.advance(3600)
      const { next } = await site.open({ maxAge: 600 })
      const sealed = new URL(next, 'https://app.example').searchParams.get('for') ?? ''
      const guess = { for: sealed, way: 'password', password: 'a wrong password' }
      for (let guesses = 0; guesses < 10; guesses++) {
        const answer = await site.world.post('/auth/reauthenticate', guess, AS_PAGE)
        expect(answer.status).toBe(401)
        expect(await answer.text()).toContain('This is not your password.')
      }
      const limited = await site.world.post('/auth/reauthenticate', guess, AS_PAGE)
      expect([limited.status, Number(limited.headers.get('retry-after')) > 0]).toEqual([429, true])
      expect(await limited.text()).toContain('Confirm that it is you')
      expect((await site.prove(next, PASSWORD)).status).toBe(429)
      expect(site.events.filter(({ type }) => type === 'signin.step-up')).toHaveLength(10)
    })

    test('counts its wrong passwords with those of sign-ins', async () => {
      const site = siteOf(strategy, {}, { limits: false })
      await site.signUp()
      for (let guesses = 0; guesses < 3; guesses++)
        expect((await site.prove('/', { way: 'password', password: 'wrong' })).status).toBe(401)
      expect((await site.prove('/', { way: 'password', password: GOOD.repeat(1000) })).status).toBe(
        401,
      )
    })

    test('needs the CSRF token', async () => {
      const site = siteOf(strategy)
      await site.signUp()
      const before = await site.facts()
      const form = await site.world.postWithoutCsrf('/auth/reauthenticate', PASSWORD)
      expect(form.status).toBe(403)
      const json = await site.world.request('/auth/reauthenticate', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'sec-fetch-site': 'cross-site' },
        body: JSON.stringify(PASSWORD),
      })
      expect(json.status).toBe(403)
      expect(await site.facts()).toEqual(before)
    })

    test('is not for the session of a program, nor for somebody who acts as the user', async () => {
      const given: { host?: Host } = {}
      const site = siteOf(strategy, { plugins: [held(given)] })
      await site.signUp()
      const { world } = site
      const user = await world.config.adapter?.getUserByEmail?.('ada@example.com')
      const { host } = given
      if (!host || !user) throw new Error('no host')
      const { value } = await host.sessions.begin({
        user,
        amr: ['pwd', 'otp'],
        authTime: Math.floor(world.now() / 1000),
        before: await host.sessions.beforeProof(user.id),
        holder: { via: 'device', name: 'A device' },
        request: { original: new Request(world.origin), secure: true } as SiteRequest,
      })
      const program = {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-session': value },
      }
      const other = world.otherBrowser()
      const opened = await other.request('/auth/vault/open', {
        ...program,
        body: JSON.stringify({ maxAge: 600 }),
      })
      expect(opened.status).toBe(403)
      expect(await opened.json()).toMatchObject({ next: expect.stringMatching(/signin/) as string })
      const proved = await other.request('/auth/reauthenticate', {
        ...program,
        body: JSON.stringify(PASSWORD),
      })
      expect([proved.status, await proved.json()]).toMatchObject([403, { code: 'forbidden' }])
    })
  },
)

/** Sessions that are named in a header. */
const held = (given: { host?: Host }) =>
  definePlugin({
    name: 'held',
    setUp(host) {
      given.host = host
      return {
        session: {},
        carriers: [
          {
            find({ headers, original, secure }) {
              const value = (headers ?? original?.headers)?.get('x-session')
              return value
                ? { value, secure, holder: { via: 'device', name: 'A device' } }
                : undefined
            },
            write: () => [],
            clear: () => [],
            isInHeader: ({ headers, original }) =>
              (headers ?? original?.headers)?.has('x-session') === true,
          },
        ],
      }
    },
  })

/** Sends what a passkey signed to the page that asks for a proof, and not to the sign-in. */
const proving = (world: World): World => ({
  ...world,
  postWithoutCsrf: (_path, fields) => world.post('/auth/reauthenticate/passkey', fields),
})

test('MF-27: somebody who acts as a user never steps up', async () => {
  const acting = definePlugin({
    name: 'acting',
    setUp: () => ({
      session: { claims: ['act'], beforeIssue: async () => ({ act: { sub: 'an administrator' } }) },
    }),
  })
  const site = reauthenticateSite({ plugins: [acting] })
  await site.signUp()
  const { status, next } = await site.open({ maxAge: 600 })
  expect([status, next]).toEqual([403, expect.stringMatching(/signin/)])
  const proved = await site.json('reauthenticate', PASSWORD)
  expect([proved.status, await proved.json()]).toMatchObject([403, { code: 'forbidden' }])
})

test('MF-28: stored sessions know the time of their proof without the plugin sessions', async () => {
  const adapter = memoryAdapter()
  const mails: string[] = []
  const world = createWorld({
    adapter,
    session: { strategy: 'database', updateAge: 60 },
    providers: [
      {
        id: 'post',
        name: 'Post',
        type: 'email',
        maxAge: 600,
        options: {},
        sendVerificationRequest() {},
        sendMail: ({ mail }) => void mails.push(mail.text),
      },
    ],
    plugins: [vault(), passwords({ hash: CHEAP, hashing: { patience: 60 } })],
  })
  await world.post('/auth/password/sign-up', { email: 'ada@example.com', password: GOOD })
  const code = /\b\d{6}\b/.exec(mails.at(-1) ?? '')?.[0] ?? ''
  await world.post('/auth/password/verify', { code })
  const factsNow = async () => (await (await world.get('/auth/vault/facts')).json()) as object
  const began = Math.floor(world.now() / 1000)
  expect(await factsNow()).toMatchObject({ auth_time: began, acr: 'urn:latchkey:acr:1' })
  world.advance(3600)
  await world.session()
  expect(await factsNow()).toMatchObject({ auth_time: began })
  const proved = await world.post('/auth/reauthenticate', PASSWORD)
  expect(proved.status).toBe(303)
  expect(await factsNow()).toMatchObject({ auth_time: began + 3600 })
})
