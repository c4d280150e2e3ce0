import { describe, expect, test } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import type { World } from '../../src/entries/testing.ts'
import type { AdapterMethod } from '../../src/model/adapter.ts'
import { wrapped } from '../support/recording.ts'
import { askForLink, createSite, errorOf, type Site, strategies } from './support/site.ts'

const NEW = 'new@example.com'

interface BrokenSite extends Site {
  /** Methods of the store that fail from now on. */
  breaks(...methods: AdapterMethod[]): void
  /** Methods of the store that succeed from now on, but whose response is lost. */
  losesResponse(...methods: AdapterMethod[]): void
}

async function brokenSite(strategy: 'jwt' | 'database', code = false): Promise<BrokenSite> {
  const broken = new Set<string>()
  const mute = new Set<string>()
  const adapter = wrapped(memoryAdapter(), (name, method) => async (...args) => {
    if (broken.has(name)) throw new Error(`the store is gone (${name})`)
    const result: unknown = await method(...args)
    if (mute.has(name)) throw new Error(`the response of the store is lost (${name})`)
    return result
  })
  const site: Site = await createSite({
    strategy,
    adapter,
    ...(code && {
      config: {
        providers: [
          {
            id: 'email',
            name: 'Email',
            type: 'email',
            code: true,
            sendVerificationRequest: ({ identifier, token, url, code = '' }) =>
              void site.mails.push({ identifier, token, url: `${url}&code=${code}` }),
          },
        ],
      },
    }),
  })
  return {
    ...site,
    breaks(...methods) {
      broken.clear()
      mute.clear()
      for (const name of methods) broken.add(name)
    },
    losesResponse(...methods) {
      for (const name of methods) mute.add(name)
    },
  }
}

const signedIn = async (world: World): Promise<unknown> => (await world.session())?.user?.['email']

describe.each(strategies)(
  'T-OTV-1: a mailed link, while stores fail, with %s sessions',
  (strategy) => {
    test('is not used up if the store of users fails', async () => {
      const site = await brokenSite(strategy)
      const link = await askForLink(site, NEW)
      site.breaks('getUserByEmail', 'createUser', 'updateUser')
      for (let i = 0; i < 3; i++) expect(errorOf(await site.world.get(link))).toBe('Configuration')
      site.breaks()
      expect(errorOf(await site.world.get(link))).toBeNull()
      expect(await signedIn(site.world)).toBe(NEW)
    })

    test('is completed in the same browser, once, after a store failed behind it', async () => {
      const site = await brokenSite(strategy)
      const link = await askForLink(site, NEW)
      site.breaks('createUser')
      expect(errorOf(await site.world.get(link))).toBe('Configuration')
      // As often as the store fails.
      expect(errorOf(await site.world.get(link))).toBe('Configuration')
      const thief = site.world.otherBrowser()
      const copy = new Map(site.world.jar)
      site.breaks()
      const csrfToken = await thief.csrfToken()
      expect(errorOf(await thief.post(link, { csrfToken }))).toBe('Verification')
      expect(errorOf(await site.world.get(link))).toBeNull()
      expect(await signedIn(site.world)).toBe(NEW)

      const again = site.world.otherBrowser()
      for (const [name, value] of copy) again.jar.set(name, value)
      expect(errorOf(await again.get(link))).toBe('Verification')
      expect(await signedIn(again)).toBeUndefined()
    })

    test('is completed in the same browser, once, after the response of the store was lost', async () => {
      const site = await brokenSite(strategy)
      const link = await askForLink(site, NEW)
      site.losesResponse('useVerificationToken')
      expect(errorOf(await site.world.get(link))).toBe('Configuration')
      const copy = new Map(site.world.jar)
      site.breaks()
      const thief = site.world.otherBrowser()
      const csrfToken = await thief.csrfToken()
      expect(errorOf(await thief.post(link, { csrfToken }))).toBe('Verification')
      expect(errorOf(await site.world.get(link))).toBeNull()
      expect(await signedIn(site.world)).toBe(NEW)

      const again = site.world.otherBrowser()
      for (const [name, value] of copy) again.jar.set(name, value)
      expect(errorOf(await again.get(link))).toBe('Verification')
    })

    test('is completed by one of many simultaneous requests', async () => {
      const site = await brokenSite(strategy)
      const link = await askForLink(site, NEW)
      site.breaks('createUser')
      await site.world.get(link)
      site.breaks()
      const browsers = Array.from({ length: 20 }, () => {
        const browser = site.world.otherBrowser()
        for (const [name, value] of site.world.jar) browser.jar.set(name, value)
        return browser
      })
      const ends = await Promise.all(browsers.map((browser) => browser.get(link)))
      expect(ends.map(errorOf).filter((error) => error === null)).toHaveLength(1)
    })

    test('is not completed after its end', async () => {
      const site = await brokenSite(strategy)
      const link = await askForLink(site, NEW)
      site.breaks('createUser')
      await site.world.get(link)
      site.breaks()
      site.world.advance(600 + 15)
      expect(errorOf(await site.world.post(link))).toBe('Verification')
      expect(await signedIn(site.world)).toBeUndefined()
    })

    test('completes no other mail', async () => {
      const site = await brokenSite(strategy)
      const other = await askForLink(site, 'other@example.com')
      await site.world.get(other)
      await site.world.post('/auth/signout')
      const link = await askForLink(site, NEW)
      site.breaks('createUser')
      await site.world.get(link)
      site.breaks()
      expect(errorOf(await site.world.post(other))).toBe('Verification')
    })

    test('can be completed by its code', async () => {
      const site = await brokenSite(strategy, true)
      const link = await askForLink(site, NEW)
      const code = new URLSearchParams(link).get('code') ?? ''
      const enter = (): Promise<Response> => site.world.post('/auth/callback/email', { code })
      site.breaks('createUser')
      expect(errorOf(await enter())).toBe('Configuration')
      site.breaks()
      expect(errorOf(await enter())).toBeNull()
      expect(await signedIn(site.world)).toBe(NEW)
      expect(errorOf(await enter())).toBe('Verification')
    })
  },
)

test('T-OTV-1: a mailed link is completed after a failure of the store of sessions', async () => {
  const site = await brokenSite('database')
  const link = await askForLink(site, NEW)
  site.breaks('createSession')
  expect(errorOf(await site.world.get(link))).toBe('Configuration')
  site.breaks()
  expect(errorOf(await site.world.get(link))).toBeNull()
  expect(await signedIn(site.world)).toBe(NEW)
})
