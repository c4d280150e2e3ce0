import { createHash } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { createWorld, type World } from '../../src/entries/testing.ts'
import { type Adapter, atomic } from '../../src/model/adapter.ts'
import type { EmailConfig } from '../../src/options/provider-options.ts'
import {
  createSite,
  errorOf,
  locationOf,
  ORIGIN,
  SESSION_COOKIE,
  type Site,
  type SiteOptions,
  sqlStore,
  strategies,
  textsIn,
} from './support/site.ts'

interface CodeMail {
  readonly identifier: string
  readonly url: string
  readonly token: string
  readonly code: string
}

interface CodeSite extends Site {
  readonly inbox: CodeMail[]
  /** Asks for a mail, in a browser. */
  ask(world?: World, email?: string): Promise<CodeMail>
}

const DAY = 24 * 60 * 60

async function codeSite(
  options: SiteOptions & { mail?: Partial<EmailConfig> } = {},
): Promise<CodeSite> {
  const inbox: CodeMail[] = []
  const provider = (id: string): EmailConfig => ({
    id,
    name: 'Email',
    type: 'email',
    code: true,
    sendVerificationRequest: ({ identifier, url, token, code = '' }) => {
      inbox.push({ identifier, url, token, code })
    },
    ...options.mail,
  })
  const site = await createSite({
    ...options,
    config: { providers: [provider('email'), provider('other')], ...options.config },
  })
  return {
    ...site,
    inbox,
    async ask(world = site.world, email = 'ada@example.com') {
      await world.post('/auth/signin/email', { email })
      return inbox.at(-1) as CodeMail
    },
  }
}

function enter(world: World, code: string, fields: Record<string, string> = {}): Promise<Response> {
  return world.post('/auth/callback/email', { code, ...fields })
}

/** The same browser again: its cookies in another jar. */
function twin(world: World): World {
  const copy = world.otherBrowser()
  for (const [name, value] of world.jar) copy.jar.set(name, value)
  return copy
}

/** A code that is not this one. */
function wrong(code: string, by = 1): string {
  return String((Number(code) + by) % 1_000_000).padStart(6, '0')
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const closers: (() => Promise<void>)[] = []

const stores: Readonly<Record<string, () => Promise<Adapter>>> = {
  memory: async () => memoryAdapter(),
  sqlite: async () => {
    const { adapter, close } = await sqlStore()
    closers.push(close)
    return adapter
  },
}

describe.each(Object.entries(stores))('a mailed code, in %s', (_name, open) => {
  afterEach(async () => {
    for (const close of closers.splice(0)) await close()
  })

  for (const strategy of strategies) {
    test(`signs in the browser that requested it, and leads to its target (${strategy})`, async () => {
      const site = await codeSite({ strategy, adapter: await open() })
      const fields = { email: 'ada@example.com', callbackUrl: '/inbox' }
      await site.world.post('/auth/signin/email', fields)
      const { code = '' } = site.inbox[0] ?? {}
      expect(code).toMatch(/^[0-9]{6}$/)
      const end = await enter(site.world, `${code.slice(0, 3)} ${code.slice(3)}`)
      expect(locationOf(end)).toBe(`${ORIGIN}/inbox`)
      expect((await site.world.session())?.user?.['email']).toBe('ada@example.com')
      expect([...site.world.jar.keys()].filter((name) => name.includes('email'))).toEqual([])
    })

    test(`T-OTV-1: entered fifty times at once gives one session (${strategy})`, async () => {
      const site = await codeSite({ strategy, adapter: await open() })
      const { code } = await site.ask()
      const browsers = Array.from({ length: 50 }, () => twin(site.world))
      const ends = await Promise.all(browsers.map((world) => enter(world, code)))
      expect(browsers.filter(({ jar }) => jar.has(SESSION_COOKIE))).toHaveLength(1)
      expect(ends.filter((end) => errorOf(end) === null)).toHaveLength(1)
    })

    test(`T-OTV-1: used at the same time as its link gives one session (${strategy})`, async () => {
      const site = await codeSite({ strategy, adapter: await open() })
      const { code, url } = await site.ask()
      const browsers = Array.from({ length: 50 }, () => twin(site.world))
      await Promise.all(
        browsers.map((world, at) => (at % 10 === 0 ? enter(world, code) : world.get(url))),
      )
      expect(browsers.filter(({ jar }) => jar.has(SESSION_COOKIE))).toHaveLength(1)
    })
  }

  test('T-OTV-1: is used up by its link, and uses up the link', async () => {
    const site = await codeSite({ adapter: await open() })
    const first = await site.ask()
    const later = twin(site.world)
    expect(errorOf(await site.world.get(first.url))).toBeNull()
    expect(errorOf(await enter(later, first.code))).toBe('Verification')
    const second = await site.ask(later)
    expect(errorOf(await enter(later, second.code))).toBeNull()
    expect(errorOf(await site.world.otherBrowser().post(second.url))).toBe('Verification')
  })

  test('T-OTV-5: can be guessed five times, also by simultaneous attempts', async () => {
    const site = await codeSite({ adapter: await open() })
    const { code } = await site.ask()
    const browsers = Array.from({ length: 50 }, () => twin(site.world))
    const ends = await Promise.all(browsers.map((world, at) => enter(world, wrong(code, at + 1))))
    const errors = ends.map(errorOf)
    expect(errors.filter((error) => error === 'WrongCode')).toHaveLength(5)
    expect(errors.filter((error) => error === 'TooManyAttempts')).toHaveLength(45)
    expect(errorOf(await enter(site.world, code))).toBe('TooManyAttempts')
    expect(site.world.jar.has(SESSION_COOKIE)).toBe(false)
  })

  test('T-OTV-5, T-OTV-9: of one address can be guessed ten times a day, from all browsers and networks together', async () => {
    let drawn = 0
    const generateVerificationToken = (): string => `not the same in two worlds: ${drawn++}`
    const site = await codeSite({ adapter: await open(), mail: { generateVerificationToken } })
    let compared = 0
    for (let round = 0; round < 12; round++) {
      const world = site.world.otherBrowser()
      const { code } = await site.ask(world)
      for (let by = 1; by <= 6; by++) {
        if (errorOf(await enter(world, wrong(code, by))) === 'WrongCode') compared++
      }
      site.world.advance(30 * 60)
    }
    expect(compared).toBe(10)
    const bob = site.world.otherBrowser()
    const other = await site.ask(bob, 'bob@example.com')
    expect(errorOf(await enter(bob, wrong(other.code)))).toBe('WrongCode')
    expect(errorOf(await enter(bob, other.code))).toBeNull()

    // Another node of the same site: the same store, and nothing else in common.
    const node = createWorld(site.config, { startsAt: site.world.now() })
    const { code } = await site.ask(node)
    expect(errorOf(await enter(node, code))).toBe('TooManyAttempts')

    // The first five guesses are a day old half an hour before the next five are.
    node.advance(DAY - 12 * 30 * 60)
    const fresh = await site.ask(node)
    const errors: (string | null)[] = []
    for (let by = 1; by <= 6; by++) errors.push(errorOf(await enter(node, wrong(fresh.code, by))))
    expect(errors).toEqual([...Array<string>(5).fill('WrongCode'), 'TooManyAttempts'])
    const next = await site.ask(node)
    expect(errorOf(await enter(node, next.code))).toBe('TooManyAttempts')
  })

  test('T-PWD-5: leaves the owner the link after any guesses of strangers', async () => {
    const site = await codeSite({ adapter: await open() })
    for (let round = 0; round < 3; round++) {
      const world = site.world.otherBrowser()
      const { code } = await site.ask(world)
      for (let by = 1; by <= 6; by++) await enter(world, wrong(code, by))
    }
    const { code, url } = await site.ask()
    expect(errorOf(await enter(site.world, code))).toBe('TooManyAttempts')
    expect(errorOf(await site.world.get(url))).toBeNull()
    expect(await site.world.session()).not.toBeNull()
  })
})

describe('T-OTV-2: a mailed code', () => {
  test('is worth nothing in another browser', async () => {
    const site = await codeSite()
    const { code } = await site.ask()
    const thief = site.world.otherBrowser()
    expect(errorOf(await enter(thief, code))).toBe('Verification')
    const own = await site.ask(thief, 'bob@example.com')
    if (own.code !== code) expect(errorOf(await enter(thief, code))).toBe('WrongCode')
    expect(thief.jar.has(SESSION_COOKIE)).toBe(false)
    expect(errorOf(await enter(site.world, code))).toBeNull()
  })

  test('signs in the address that it was sent to, even if the form names another one', async () => {
    const site = await codeSite()
    const { code } = await site.ask()
    await enter(site.world, code, { email: 'bob@example.com', identifier: 'bob@example.com' })
    expect((await site.world.session())?.user?.['email']).toBe('ada@example.com')
  })

  test('works for its provider, and only the code of the last mail', async () => {
    const site = await codeSite()
    const first = await site.ask()
    expect(errorOf(await site.world.post('/auth/callback/other', { code: first.code }))).toBe(
      'Verification',
    )
    const second = await site.ask()
    expect(second.code).not.toBe(first.code)
    expect(errorOf(await enter(site.world, first.code))).toBe('WrongCode')
    expect(errorOf(await enter(site.world, second.code))).toBeNull()
  })

  test('is not read from a cookie that was sealed for another purpose, or changed', async () => {
    const site = await codeSite()
    const { code } = await site.ask()
    const name = [...site.world.jar.keys()].find((each) => each.includes('email-request')) ?? ''
    const value = site.world.jar.get(name) ?? ''
    expect(name).toBe('__Host-latchkey.email-request')
    const session = twin(site.world)
    session.jar.set(SESSION_COOKIE, value)
    expect(await session.session()).toBeNull()
    for (const changed of [value.slice(0, -2), `${value}A`, value.replace(/.{3}$/, 'AAA'), 'x']) {
      const world = twin(site.world)
      world.jar.set(name, changed)
      expect(errorOf(await enter(world, code))).toBe('Verification')
    }
    expect(errorOf(await enter(site.world, code))).toBeNull()
  })

  test('does not exist for a provider that mails no codes', async () => {
    const site = await codeSite({ mail: { code: false } })
    const { code } = await site.ask()
    expect(code).toBe('')
    for (const guess of ['', '000000', 'undefined', '123456']) {
      expect(errorOf(await enter(site.world, guess))).toBe('Verification')
    }
    expect(site.world.jar.has(SESSION_COOKIE)).toBe(false)
  })
})

describe('T-OTV-3: for a mailed code', () => {
  test('a copy of the store and of the cookies reveals nothing', async () => {
    const site = await codeSite()
    const { code, token, url } = await site.ask()
    const cookies = [...site.world.jar.values()].join(' ')
    expect(cookies).not.toContain(code)
    await enter(site.world, wrong(code))
    const texts = textsIn(site.writes)
    const stored = texts.find((text) => /^[0-9a-f]{64}$/.test(text)) ?? ''
    for (const text of [...texts, cookies]) {
      expect(text).not.toContain(token)
      expect(text).not.toContain(url)
    }
    // Nor can its million values be tried without the secret.
    const guesses = [code, `${code}.${stored}`, `${stored}${code}`, `${code}${stored}`, token]
    for (const guess of guesses) expect(texts).not.toContain(sha256(guess))
    expect(texts).not.toContain(code)
  })

  test('the keys of counted attempts reveal no address, and cannot be used by others', async () => {
    const adapter = memoryAdapter()
    const { countAttempt } = adapter[atomic] ?? {}
    const keys: string[] = []
    adapter[atomic] = {
      countAttempt: (attempt) => {
        keys.push(attempt.key)
        return countAttempt?.(attempt) ?? false
      },
    }
    const site = await codeSite({ adapter })
    const { code } = await site.ask()
    await enter(site.world, wrong(code))
    // For the mail, the address and the user.
    expect(keys).toHaveLength(3)
    for (const key of keys) {
      expect(key).not.toContain('ada')
      expect(key).not.toContain(sha256('ada@example.com'))
      expect(key).not.toContain(sha256('code of ada@example.com'))
    }
  })

  test('the log reveals nothing', async () => {
    const site = await codeSite({ config: { debug: true } })
    const { code, token } = await site.ask()
    await enter(site.world, wrong(code))
    await enter(site.world, code)
    const log = JSON.stringify(site.world.log)
    expect(log.length).toBeGreaterThan(500)
    expect(log).not.toContain(token)
    expect(textsIn(site.world.log).filter((text) => text.includes(code))).toEqual([])
  })
})

test('T-OTV-4: a mailed code lives as long as its link, to the second', async () => {
  for (const [seconds, error] of [
    [599, null],
    [600, 'Verification'],
  ] as const) {
    const site = await codeSite()
    const { code } = await site.ask()
    const patient = twin(site.world)
    site.world.advance(seconds)
    expect([seconds, errorOf(await enter(patient, code))]).toEqual([seconds, error])
  }
})

describe('T-OTV-5: a mailed code', () => {
  test('costs no attempt if the typed text cannot be a code', async () => {
    const site = await codeSite()
    const { code } = await site.ask()
    for (const typed of ['', '12345', '1234567', 'abcdef', '-123456x']) {
      expect(errorOf(await enter(site.world, typed))).toBe('WrongCode')
    }
    for (let by = 1; by <= 4; by++) await enter(site.world, wrong(code, by))
    expect(errorOf(await enter(site.world, code))).toBeNull()
  })

  test.each([
    ['ada', 'a user'],
    ['nil', 'an address that nobody has'],
  ])('has one daily budget of attempts for %s (%s), however it is spelled', async (name) => {
    const mail = { normalizeIdentifier: (address: string) => address }
    const site = await codeSite({ mail })
    const answers: (string | null)[] = []
    for (let bits = 0; bits < 2 ** name.length; bits++) {
      const spelled = Array.from(name, (c, at) => ((bits >> at) & 1 ? c.toUpperCase() : c)).join('')
      const world = site.world.otherBrowser()
      const { code } = await site.ask(world, `${spelled}@example.com`)
      for (let by = 1; by <= 5; by++) answers.push(errorOf(await enter(world, wrong(code, by))))
    }
    expect(answers.filter((error) => error === 'WrongCode')).toHaveLength(10)
    expect(answers.filter((error) => error === 'TooManyAttempts')).toHaveLength(30)
  })

  test('gets no attempts back by an old cookie', async () => {
    const site = await codeSite()
    const { code } = await site.ask()
    const saved = new Map(site.world.jar)
    for (let by = 1; by <= 5; by++) await enter(site.world, wrong(code, by))
    site.world.jar.clear()
    for (const [name, value] of saved) site.world.jar.set(name, value)
    expect(errorOf(await enter(site.world, code))).toBe('TooManyAttempts')
  })

  test('signs nobody in if the attempt cannot be counted', async () => {
    const adapter = memoryAdapter()
    adapter[atomic] = {
      countAttempt: () => {
        throw new Error('the store is gone')
      },
    }
    const site = await codeSite({ adapter })
    const { code } = await site.ask()
    expect(errorOf(await enter(site.world, code))).toBe('Configuration')
    expect(site.world.jar.has(SESSION_COOKIE)).toBe(false)
  })
})

describe('T-OTV-6: a mailed code', () => {
  test('is entered by a form of the site, not by a link, a scanner or another site', async () => {
    const site = await codeSite()
    const { code } = await site.ask()
    const before = site.writes.length
    for (let i = 0; i < 20; i++) {
      await site.world.get(`/auth/callback/email?code=${code}`)
      await site.world.get(`/auth/verify-request?provider=email&type=email&code=${code}`)
    }
    await site.world.request(`/auth/callback/email?code=${code}`, { method: 'HEAD' })
    const forged = await site.world.postWithoutCsrf('/auth/callback/email', { code })
    expect(errorOf(forged)).toBe('MissingCSRF')
    const crossSite = { headers: { 'sec-fetch-site': 'cross-site' } }
    const pushed = await site.world.post('/auth/callback/email', { code }, crossSite)
    expect(errorOf(pushed)).toBe('MissingCSRF')
    expect(site.world.jar.has(SESSION_COOKIE)).toBe(false)
    expect(site.writes.slice(before)).toEqual([])
    expect(errorOf(await enter(site.world, code))).toBeNull()
  })
})

describe('T-OTV-8: an address that the application returns from `normalizeIdentifier`', () => {
  const made: unknown[] = [
    'ada@example.com,eve@evil.example',
    'ada@example.com;eve@evil.example',
    'ada@example.com eve@evil.example',
    'ada@example.com\r\nBcc: eve@evil.example',
    'ada@example.com\n',
    ' ada@example.com',
    'Ada <ada@example.com>',
    '"ada"@example.com',
    '"ada@example.com,"@evil.example',
    'ada(x)@example.com',
    'ada@example.com@evil.example',
    'ada＠example.com',
    'ａda@example.com',
    'ada@ｅxample.com',
    'ada@exam\u00adple.com',
    'ada\u202e@example.com',
    'ada@example.com\0',
    'ada@[192.0.2.1]',
    'ada',
    '@',
    '',
    `${'a'.repeat(400)}@example.com`,
    ['ada@example.com'],
    ['ada@example.com', 'eve@evil.example'],
    { toString: () => 'ada@example.com' },
    new String('ada@example.com'),
    undefined,
    null,
    7,
  ]
  test.each(made)('gets no mail if it is %j', async (identifier) => {
    const site = await codeSite({ mail: { normalizeIdentifier: () => identifier as string } })
    const end = await site.world.post('/auth/signin/email', { email: 'ada@example.com' })
    expect(errorOf(end)).toBe('EmailSignin')
    expect(site.inbox).toEqual([])
    expect(site.writes).toEqual([])
  })

  test('is stored and mailed to as it is', async () => {
    const site = await codeSite({ mail: { normalizeIdentifier: (typed) => typed.trim() } })
    await site.world.post('/auth/signin/email', { email: ' Ada.X+tag@Example.COM ' })
    expect(site.inbox[0]?.identifier).toBe('Ada.X+tag@Example.COM')
    expect(site.writes.at(-1)?.args[0]).toMatchObject({ identifier: 'Ada.X+tag@Example.COM' })
  })
})

describe('T-OTV-9: ten requests for a mail', () => {
  test('in one browser leave the last mail, and one token in the store', async () => {
    const site = await codeSite()
    const mails: CodeMail[] = []
    for (let i = 0; i < 10; i++) mails.push(await site.ask())
    const made = site.writes.filter(({ method }) => method === 'createVerificationToken')
    const used = site.writes.filter(({ method }) => method === 'useVerificationToken')
    expect([made.length, used.length]).toEqual([10, 9])
    const last = mails.pop() as CodeMail
    for (const { url } of mails) {
      expect(errorOf(await site.world.post(url))).toBe('Verification')
    }
    expect(errorOf(await enter(site.world, last.code))).toBeNull()
  })

  test('in ten browsers give no more guesses than one request', async () => {
    const site = await codeSite()
    let compared = 0
    for (let i = 0; i < 10; i++) {
      const world = site.world.otherBrowser()
      const { code } = await site.ask(world)
      for (let by = 1; by <= 5; by++) {
        if (errorOf(await enter(world, wrong(code, by))) === 'WrongCode') compared++
      }
    }
    expect(compared).toBe(10)
  })

  test('for different addresses leave each of them its last mail', async () => {
    const site = await codeSite()
    const ada = await site.ask()
    const bob = await site.ask(site.world, 'bob@example.com')
    expect(errorOf(await site.world.otherBrowser().post(ada.url))).toBeNull()
    expect(errorOf(await enter(site.world, bob.code))).toBeNull()
    expect((await site.world.session())?.user?.['email']).toBe('bob@example.com')
  })

  test('keep the earlier mail if the later one could not be sent', async () => {
    let fails = false
    const sent: string[] = []
    const site = await codeSite({
      mail: {
        sendVerificationRequest: ({ url }) => {
          if (fails) throw new Error('no route to host')
          sent.push(url)
        },
      },
    })
    await site.ask()
    fails = true
    await site.ask()
    expect(errorOf(await site.world.get(sent[0] ?? ''))).toBeNull()
  })
})
