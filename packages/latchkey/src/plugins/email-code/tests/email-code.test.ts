import { describe, expect, test } from 'vitest'
import { emailCodeSite } from '../../../../tests/support/email-code-site.ts'
import { CHEAP } from '../../../../tests/support/passwords-site.ts'
import { memoryAdapter } from '../../../adapters/memory/index.ts'
import { accounts } from '../../../entries/accounts.ts'
import { type Adapter, atomic } from '../../../model/adapter.ts'
import type { SentMail } from '../../../options/mail/mail-options.ts'
import { email } from '../../../providers/define.ts'
import { createWorld, type World } from '../../../testing/world.ts'
import { limits } from '../../limits/index.ts'
import { passwords } from '../../passwords/index.ts'
import { settingsOf } from '../settings.ts'

const HTML = { headers: { accept: 'text/html' } }

/** A store with Ada. */
async function withAda(): Promise<Adapter> {
  const adapter = memoryAdapter()
  await adapter.createUser?.({
    id: 'ada',
    name: 'Ada',
    email: 'ada@example.com',
    emailVerified: new Date(0),
  })
  return adapter
}

const pageOf = async (world: World, path: string) => (await world.get(`/auth/${path}`, HTML)).text()

describe('OTC-1: a code by mail', () => {
  test('signs in the browser that asked for it, once', async () => {
    const site = emailCodeSite({}, { adapter: await withAda() })
    const begun = await site.send(' Ada@Example.com ')
    expect(begun.status).toBe(202)
    const now = site.world.now()
    expect(begun.body).toEqual({
      status: 'mail_sent',
      flow: expect.stringMatching(/^[\w-]{16}$/),
      expires: new Date(now + 600_000).toISOString(),
      resendAt: new Date(now + 60_000).toISOString(),
    })
    expect(site.mails.map(({ to }) => to)).toEqual(['ada@example.com'])
    const done = await site.verify(site.code())
    expect(done).toMatchObject({ status: 200, body: { status: 'signed_in' } })
    expect(await site.world.session()).toMatchObject({ user: { email: 'ada@example.com' } })
    expect(site.events.map(({ type }) => type).filter((type) => type.startsWith('code'))).toEqual([
      'code.sent',
    ])
    const again = site.world.otherBrowser()
    expect((await site.verify(site.code())).body).toMatchObject({ code: 'invalid_code' })
    expect(await site.isSignedIn(again)).toBe(false)
  })

  test('is wrong in another browser, for another address and after ten minutes', async () => {
    const site = emailCodeSite()
    await site.send('ada@example.com')
    const ofAda = site.code()
    const other = site.world.otherBrowser()
    expect(await site.verify(ofAda, other)).toMatchObject({
      status: 400,
      body: { code: 'invalid_code' },
    })
    await site.send('bob@example.com', other)
    const ofBob = site.code()
    expect((await site.verify(ofAda, other)).body).toMatchObject({ code: 'invalid_code' })
    expect((await site.verify(ofBob)).body).toMatchObject({ code: 'invalid_code' })
    site.world.advance(601)
    expect((await site.verify(ofBob, other)).body).toMatchObject({ code: 'invalid_code' })
    expect(await site.isSignedIn(other)).toBe(false)
  })

  test.each([
    'no address',
    '',
    'a@b@c',
    'ada@example.com, eve@example.com',
    'ada@example.com\r\nbcc: eve@x.example',
  ])('is not sent to %j', async (email) => {
    const site = emailCodeSite()
    expect(await site.send(email)).toMatchObject({
      status: 400,
      body: { code: 'invalid_input', errors: [{ field: 'email', code: 'invalid_address' }] },
    })
    expect(site.mails).toEqual([])
  })

  test('is not stored: the record has hashes of it, of the browser and of the address', async () => {
    const adapter = memoryAdapter()
    const kept: string[] = []
    const abilities = adapter[atomic] as Required<NonNullable<Adapter[typeof atomic]>>
    const { createRecord } = abilities
    abilities.createRecord = (record, now) => {
      kept.push(JSON.stringify(record))
      return createRecord(record, now)
    }
    const site = emailCodeSite({}, { adapter })
    await site.send()
    const record = kept.find((text) => text.includes('"email-code"')) ?? ''
    expect(record).not.toContain(site.code())
    expect(record).not.toContain('ada@')
  })
})

describe('OTC-2: guessing', () => {
  test('ends after five attempts with one code, and the right one is refused then', async () => {
    const site = emailCodeSite()
    await site.send()
    for (let tries = 0; tries < 5; tries++)
      expect(await site.verify(site.wrong())).toMatchObject({
        status: 400,
        body: { code: 'invalid_code', errors: [{ field: 'code', code: 'wrong_code' }] },
      })
    const late = await site.verify(site.code())
    expect(late).toMatchObject({ status: 429, body: { code: 'too_many_attempts', retryAfter: 60 } })
    expect(late.headers.get('retry-after')).toBe('60')
    expect(await site.isSignedIn()).toBe(false)
  })

  test('says when it works again: with another code, or a day later', async () => {
    const site = emailCodeSite({ tries: 2, perAddress: { limit: 3, window: 7200 } })
    const spend = async () => {
      for (let tries = 0; tries < 2; tries++) await site.verify(site.wrong())
      const { status, headers } = await site.verify(site.code())
      return [status, headers.get('retry-after')]
    }
    await site.send()
    site.world.advance(20)
    expect(await spend()).toEqual([429, '40'])
    site.world.advance(60)
    expect((await site.verify(site.code())).body).toMatchObject({ retryAfter: 1 })
    await site.send()
    await site.verify(site.wrong())
    expect((await site.verify(site.code())).body).toMatchObject({ retryAfter: 7200 })
  })

  test('ends after ten attempts for one address, in all browsers and spellings, right ones included', async () => {
    const site = emailCodeSite({ tries: 3 })
    let judged = 0
    for (const email of [
      'ada@example.com',
      'ADA@example.com',
      'ａｄａ@example.com',
      'Ada@Example.COM',
    ]) {
      const browser = site.world.otherBrowser()
      await site.send(email, browser)
      const last = judged === 9
      for (let tries = 0; tries < 3; tries++) {
        const { status } = await site.verify(site.wrong(), browser)
        if (status === 400) judged++
      }
      if (last) expect((await site.verify(site.code(), browser)).status).toBe(429)
    }
    expect(judged).toBe(10)
    const owner = site.world.otherBrowser()
    site.world.advance(3600)
    await site.send('ada@example.com', owner)
    expect((await site.verify(site.code(), owner)).status).toBe(429)
    site.world.advance(24 * 3600)
    await site.send('ada@example.com', owner)
    expect((await site.verify(site.code(), owner)).status).toBe(200)
  })

  test('is counted together with codes beside sign-in links', async () => {
    const site = emailCodeSite()
    const { world } = site
    for (let mail = 0; mail < 2; mail++) {
      const browser = world.otherBrowser()
      await browser.post('/auth/signin/post', { email: 'ada@example.com' })
      for (let tries = 0; tries < 5; tries++)
        await browser.post('/auth/callback/post', { code: site.wrong() })
    }
    await site.send('ada@example.com')
    expect((await site.verify(site.code())).status).toBe(429)
    const other = world.otherBrowser()
    await site.send('bob@example.com', other)
    expect((await site.verify(site.code(), other)).status).toBe(200)
  })

  test('does not count what is no code', async () => {
    const site = emailCodeSite()
    await site.send()
    for (const typed of ['', '12345', 'abcdef', '1234567', '12 34 5', '½23456'])
      expect((await site.verify(typed)).status).toBe(400)
    for (let more = 0; more < 12; more++) await site.verify('x')
    expect((await site.verify(site.code())).status).toBe(200)
  })

  test('T-ACC-20: 200 parallel guesses in 20 browsers are ten guesses', async () => {
    const site = emailCodeSite({ limits: false })
    const browsers = Array.from({ length: 20 }, () => site.world.otherBrowser())
    const codes: string[] = []
    for (const browser of browsers) {
      await site.send('ada@example.com', browser)
      codes.push(site.wrong())
    }
    const answers = await Promise.all(
      browsers.flatMap((browser, index) =>
        Array.from({ length: 10 }, () => site.verify(codes[index] ?? '', browser)),
      ),
    )
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(10)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(190)
  })

  test('is limited otherwise with the option `perAddress`', async () => {
    const site = emailCodeSite({ perAddress: { limit: 1, window: 3600 } })
    await site.send()
    expect((await site.verify(site.wrong())).status).toBe(400)
    expect((await site.verify(site.code())).status).toBe(429)
  })
})

describe('OTC-3: another mail', () => {
  test('is not sent within a minute, with the same response, and ends the code before it later', async () => {
    const site = emailCodeSite()
    const first = await site.send()
    const ofFirst = site.code()
    site.world.advance(59)
    expect((await site.send()).body).toEqual(first.body)
    expect(site.mails).toHaveLength(1)
    site.world.advance(1)
    const second = await site.send()
    expect(second.body).not.toEqual(first.body)
    expect(site.mails).toHaveLength(2)
    expect((await site.verify(ofFirst)).status).toBe(400)
    expect((await site.verify(site.code())).status).toBe(200)
  })

  test('to another address ends the code of the first one in this browser', async () => {
    const site = emailCodeSite()
    await site.send('ada@example.com')
    const ofAda = site.code()
    await site.send('bob@example.com')
    await site.send('ada@example.com')
    expect(site.mails).toHaveLength(3)
    expect((await site.verify(ofAda)).status).toBe(400)
  })

  describe('with `normalizeIdentifier` of the mail provider', () => {
    /** Forms of one address are one user, and addresses of other companies are refused. */
    function normalizeIdentifier(typed: string): string {
      if (!typed.endsWith('example.com')) throw new TypeError('not of this company')
      return typed.toLowerCase().replace(/\+[^@]*@/, '@')
    }

    const siteWithForms = () => emailCodeSite({}, {}, {}, { normalizeIdentifier })

    test('OTC-1: goes to the address that it opens, and to no other form of it', async () => {
      const site = siteWithForms()
      await site.send('ada+eve@example.com')
      expect(site.mails.map(({ to }) => to)).toEqual(['ada@example.com'])
      await site.verify(site.code())
      expect((await site.world.session())?.user?.['email']).toBe('ada@example.com')
    })

    test('OTC-1: is refused for an address that the function refuses', async () => {
      const site = siteWithForms()
      expect(await site.send('eve@other.example')).toMatchObject({
        status: 400,
        body: { errors: [{ field: 'email', code: 'invalid_address' }] },
      })
    })

    test('OTC-2, T-ACC-20: ends after ten attempts in all forms of one address together', async () => {
      const site = siteWithForms()
      let judged = 0
      for (let form = 0; form < 4; form++) {
        const browser = site.world.otherBrowser()
        await site.send(`ada+${form}@example.com`, browser)
        for (let tries = 0; tries < 5; tries++) {
          const { status } = await site.verify(site.wrong(), browser)
          if (status === 400) judged++
        }
      }
      expect(judged).toBe(10)
    })
  })

  test('is sent five times an hour to one address, in all browsers together', async () => {
    const site = emailCodeSite()
    for (let sends = 0; sends < 5; sends++)
      expect((await site.send('ada@example.com', site.world.otherBrowser())).status).toBe(202)
    expect(await site.send('ADA@example.com', site.world.otherBrowser())).toMatchObject({
      status: 429,
      body: { code: 'too_many_attempts' },
    })
    expect((await site.send('bob@example.com')).status).toBe(202)
    site.world.advance(3601)
    expect((await site.send('ada@example.com')).status).toBe(202)
  })

  test('can be tried again at once if the mail service failed', async () => {
    const site = emailCodeSite()
    site.service.isDown = true
    expect(await site.send()).toMatchObject({ status: 503, body: { code: 'mail_unavailable' } })
    site.service.isDown = false
    expect((await site.send()).status).toBe(202)
    expect((await site.verify(site.code())).status).toBe(200)
  })
})

describe('T-ACC-16: a cookie of a begun step that somebody else planted in the browser', () => {
  /** Eve asks for a code, and plants what her browser has in that of Ada. */
  async function planted(email: string) {
    const site = emailCodeSite()
    const [eve, ada] = [site.world.otherBrowser(), site.world.otherBrowser()]
    await site.send(email, eve)
    for (const [name, value] of eve.jar) ada.jar.set(name, value)
    return { site, eve, ada }
  }

  test('gives no attempts at the code of another address', async () => {
    const { site, eve, ada } = await planted('eve@example.com')
    await site.send('ada@example.com', ada)
    const code = site.code()
    await site.send('ada@example.com', eve)
    for (let tries = 0; tries < 5; tries++) await site.verify(site.wrong(), eve)
    expect((await site.verify(code, ada)).status).toBe(200)
  })

  test('gives no attempts at a later code of the same address, and does not end it', async () => {
    const { site, eve, ada } = await planted('ada@example.com')
    site.world.advance(60)
    await site.send('ada@example.com', ada)
    const code = site.code()
    for (let tries = 0; tries < 5; tries++)
      expect((await site.verify(site.wrong(), eve)).status).toBe(400)
    await site.send('ada@example.com', eve)
    expect((await site.verify(code, eve)).status).toBe(400)
    expect((await site.verify(code, ada)).status).toBe(200)
  })
})

describe('OTC-4: an address that no user has', () => {
  test('gets a user with the right code, whose address is proved', async () => {
    const site = emailCodeSite()
    await site.send('new@example.com')
    const { adapter } = site.world.config
    expect(await adapter?.getUserByEmail?.('new@example.com')).toBeNull()
    await site.verify(site.code())
    const user = await adapter?.getUserByEmail?.('new@example.com')
    expect(user?.emailVerified).toEqual(new Date(site.world.now()))
  })

  test('T-ACC-7: with `signUp: false` gets the same response, no mail, and every code is wrong', async () => {
    const site = emailCodeSite({ signUp: false }, { adapter: await withAda() })
    const known = await site.send('ada@example.com')
    const other = site.world.otherBrowser()
    const unknown = await site.send('eve@example.com', other)
    expect(unknown.status).toBe(known.status)
    expect({ ...unknown.body, flow: '' }).toEqual({ ...known.body, flow: '' })
    expect([...unknown.headers.keys()]).toEqual([...known.headers.keys()])
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(site.mails.map(({ to }) => to)).toEqual(['ada@example.com'])
    expect(await site.verify('000000', other)).toMatchObject({
      status: 400,
      body: { code: 'invalid_code' },
    })
    expect((await site.verify(site.code())).status).toBe(200)
    const pages = await Promise.all(
      ['ada@example.com', 'eve@example.com'].map(async (email) => {
        const browser = site.world.otherBrowser()
        await browser.post('/auth/email-code/send', { email })
        return (await pageOf(browser, 'email-code/verify'))
          .replaceAll(email, '')
          .replaceAll(/value="[^"]*"/g, '')
      }),
    )
    expect(pages[0]).toBe(pages[1])
  })

  test('T-ACC-7: with `signUp: false` has no code that could be guessed, not even the one that was drawn', async () => {
    const drawn = emailCodeSite()
    await drawn.send('eve@example.com')
    // The same draws, in the same order.
    const site = emailCodeSite({ signUp: false })
    await site.send('eve@example.com')
    expect(await site.verify(drawn.code())).toMatchObject({
      status: 400,
      body: { code: 'invalid_code' },
    })
  })

  test('with `signUp: false` gets no user if its user was deleted while the code was on its way', async () => {
    const adapter = await withAda()
    const site = emailCodeSite({ signUp: false }, { adapter })
    await site.send('ada@example.com')
    await expect.poll(() => site.mails.length).toBe(1)
    await adapter.deleteUser?.('ada')
    expect((await site.verify(site.code())).status).toBe(400)
    expect(await adapter.getUserByEmail?.('ada@example.com')).toBeNull()
  })
})

describe('OTC-5: the page for the code', () => {
  test('has one text field with what browsers need to fill it in, and no other way in', async () => {
    const site = emailCodeSite()
    await site.world.post('/auth/email-code/send', { email: 'ada@example.com' })
    const page = await pageOf(site.world, 'email-code/verify')
    const [field = ''] = /<input id="code"[^>]*>/.exec(page) ?? []
    expect(field).toContain('inputmode="numeric"')
    expect(field).toContain('autocomplete="one-time-code"')
    expect(field).toContain('type="text"')
    expect(field).not.toContain('maxlength')
    expect(page.match(/type="text"/g)).toHaveLength(1)
    expect(page).toContain('ada@example.com')
  })

  test.each([
    ['spaces and hyphens', (code: string) => ` ${code.slice(0, 3)} - ${code.slice(3)} `],
    ['full-width digits', (code: string) => shifted(code, 0xff10)],
    ['Arabic-Indic digits', (code: string) => shifted(code, 0x660)],
    ['Persian digits', (code: string) => shifted(code, 0x6f0)],
    ['Devanagari digits', (code: string) => shifted(code, 0x966)],
    ['mathematical digits', (code: string) => shifted(code, 0x1d7e2)],
    ['marks of direction', (code: string) => `\u200f${code}\u200e`],
  ])('reads a code with %s', async (_, change) => {
    const site = emailCodeSite()
    await site.send()
    expect((await site.verify(change(site.code()))).status).toBe(200)
  })

  test('is shown again after a wrong code, and leads to the target after the right one', async () => {
    const site = emailCodeSite()
    const { world } = site
    const begun = await world.post('/auth/email-code/send', {
      email: 'ada@example.com',
      callbackUrl: '/orders',
    })
    expect(begun.status).toBe(303)
    expect(begun.headers.get('location')).toBe('/auth/email-code/verify')
    const wrong = await world.post('/auth/email-code/verify', { code: site.wrong() })
    expect(wrong.status).toBe(400)
    const page = await wrong.text()
    expect(page).toContain('This code is wrong, used or too old.')
    expect(page).toContain('aria-invalid="true"')
    const right = await world.post('/auth/email-code/verify', { code: site.code() })
    expect(right.status).toBe(303)
    expect(right.headers.get('location')).toBe('https://app.example/orders')
  })

  test('LIM-8: says that there were too many attempts, and how long to wait for another code', async () => {
    const site = emailCodeSite({ tries: 1 })
    const { world } = site
    await world.post('/auth/email-code/send', { email: 'ada@example.com' })
    await world.post('/auth/email-code/verify', { code: site.wrong() })
    const answer = await world.post('/auth/email-code/verify', { code: site.code() })
    expect(answer.status).toBe(429)
    const shown = await answer.text()
    expect(shown).toContain(
      'There were too many attempts. Wait 1 minute, then ask for another code.',
    )
  })

  test('leads to the address in a browser that asked for nothing', async () => {
    const { world } = emailCodeSite()
    const answer = await world.get('/auth/email-code/verify', HTML)
    expect(answer.headers.get('location')).toBe('/auth/email-code/send')
    expect(await pageOf(world, 'email-code/send')).toContain('name="email"')
    const posted = await world.post('/auth/email-code/verify', { code: '123456' })
    expect(posted.status).toBe(400)
    expect(await posted.text()).toContain('name="email"')
  })

  test('is reached from the sign-in page, which asks for the address', async () => {
    const site = emailCodeSite({}, { providers: [] })
    const page = await pageOf(site.world, 'signin')
    expect(page).toContain('action="/auth/email-code/send"')
    expect(page).toContain('Send me a sign-in code')
    expect(page).toContain('We send you a code.')
  })

  test('ACC-22: is one of two ways on the second step beside a password', async () => {
    const plugins = accounts({ emailCode: true, passwords: { hash: CHEAP } })
    const mails: SentMail[] = []
    // It sends the mails of plugins, and its own link is behind "More ways".
    const post = email({
      id: 'post',
      name: 'Post',
      sendVerificationRequest: () => {},
      sendMail: ({ mail }) => void mails.push(mail),
    })
    const world = createWorld({ adapter: memoryAdapter(), providers: [post], plugins })
    expect(await pageOf(world, 'signin')).toContain('action="/auth/signin"')
    const typed = { email: 'ada@example.com' }
    const step = await (await world.post('/auth/signin', typed, HTML)).text()
    expect(step).toContain('action="/auth/email-code/send"')
    expect(step).toContain('Email me a sign-in code')
    await world.post('/auth/email-code/send', typed)
    const code = /^\d{6}/.exec(mails[0]?.subject ?? '')?.[0] ?? ''
    const done = await world.post('/auth/email-code/verify', { code })
    expect(done.status).toBe(303)
    expect(await world.session()).toMatchObject({ user: { email: 'ada@example.com' } })
  })

  test('ACC-23: links to the mailbox in development', async () => {
    const site = emailCodeSite({}, { providers: [] }, { origin: 'http://localhost:3000' })
    await site.world.post('/auth/email-code/send', { email: 'ada@example.com' })
    expect(await pageOf(site.world, 'email-code/verify')).toContain('href="/auth/mailbox"')
    const code = /<code>.*?(\d{6})/.exec(await pageOf(site.world, 'mailbox'))?.[1] ?? ''
    expect((await site.verify(code)).status).toBe(200)
  })
})

describe('OTC-6: the mail', () => {
  test('begins its subject with the code, and ends with the line that binds it to the site', async () => {
    const site = emailCodeSite()
    await site.send()
    const [mail] = site.mails
    const code = site.code()
    expect(mail?.subject).toBe(`${code} is your app.example sign-in code`)
    expect(mail?.text.trimEnd().split('\n').at(-1)).toBe(`@app.example #${code}`)
    expect(mail?.text).toContain('within 10 minutes')
    expect(mail?.text).not.toContain('http://')
  })

  test.each([6, 7, 8] as const)('has %i digits with the option `length`', async (length) => {
    const site = emailCodeSite({ length })
    await site.send()
    expect(site.code()).toHaveLength(length)
    expect((await site.verify(site.code())).status).toBe(200)
  })
})

describe('OTC-7, T-ACC-1: an account whose address nobody proved', () => {
  /** Eve made an account with a password for the address of Ada, and is signed in. */
  async function made(emailVerified: Date | null = null) {
    const adapter = memoryAdapter()
    await adapter.createUser?.({ id: 'made', name: 'Eve', email: 'ada@example.com', emailVerified })
    await adapter.linkAccount?.({
      userId: 'made',
      type: 'oauth',
      provider: 'github',
      providerAccountId: '7',
    })
    const now = new Date(Date.UTC(2030, 0, 1))
    const record = { kind: 'password', key: 'made', userId: 'made', version: 1, createdAt: now }
    await adapter[atomic]?.createRecord?.({ ...record, data: { hash: 'of Eve' } }, now)
    const plugins = [passwords({ hash: CHEAP, limits: false })]
    const site = emailCodeSite({}, { adapter, plugins })
    const hasPassword = async () =>
      ((await adapter[atomic]?.getRecord?.({ kind: 'password', key: 'made' })) ?? null) !== null
    const accounts = async () => (await adapter[atomic]?.listAccountsByUserId?.('made'))?.length
    return { ...site, adapter, hasPassword, accounts }
  }

  test('loses its password, accounts and sessions when a code opens it, and its owner is told', async () => {
    const site = await made()
    await site.send()
    expect((await site.verify(site.code())).status).toBe(200)
    expect(await site.world.session()).toMatchObject({ user: { email: 'ada@example.com' } })
    expect(await site.hasPassword()).toBe(false)
    expect(await site.accounts()).toBe(0)
    expect((await site.adapter.getUser?.('made'))?.emailVerified).toBeInstanceOf(Date)
    expect(site.mails.at(-1)?.subject).toBe(
      'Your account at app.example was taken over by its address',
    )
    expect(site.mails.at(-1)?.text).toContain('a password')
    expect(site.events.map(({ type }) => type)).toContain('account.reset')
  })

  test('T-ACC-48: keeps all of it if the address was proved before', async () => {
    const site = await made(new Date(0))
    await site.send()
    expect((await site.verify(site.code())).status).toBe(200)
    expect(await site.hasPassword()).toBe(true)
    expect(await site.accounts()).toBe(1)
  })
})

describe('ACC-4: a code after the secret was replaced', () => {
  test('is right as long as the secret that made it is in the list', async () => {
    const adapter = await withAda()
    const before = 'the first secret, 0123456789abcdef'
    const site = emailCodeSite({}, { adapter, secret: [before] })
    await site.send()
    const code = site.code()
    Object.assign(site.world.config, { secret: ['the second secret, 0123456789abcdef', before] })
    expect((await site.verify(code)).status).toBe(200)
  })
})

describe('options of emailCode()', () => {
  test.each([
    [{ length: 5 }, '`length` must be 6, 7 or 8, got 5'],
    [{ expiresIn: 30 }, '`expiresIn` must be a whole number of seconds from 60 to 3600, got 30'],
    [{ tries: 11 }, '`tries` must be a whole number from 1 to 10, got 11'],
    [{ resendAfter: 0 }, '`resendAfter` must be a whole number of seconds from 1 on, got 0'],
    [{ resendAfter: 601 }, '`resendAfter` must be at most `expiresIn`, which is 600, got 601'],
    [
      { perAddress: { limit: 0 } },
      '`perAddress.limit` must be a whole number from 1 to 100, got 0',
    ],
    [
      { perAddress: { limit: 5 } },
      '`perAddress.window` must be a whole number of seconds from 3600 to 2592000, got undefined',
    ],
    [{ link: true }, '`link` must be false, got true'],
    [{ signUp: 'no' }, '`signUp` must be true or false, got "no"'],
  ])('%j is refused', (options, message) => {
    expect(() => settingsOf(options as never)).toThrow(
      `emailCode(): ${message} (latchkey/docs/reference/configuration.md#the-plugin-emailcode)`,
    )
  })
})

/** The digits of another script, which begins with its zero at this point. */
function shifted(code: string, zero: number): string {
  return Array.from(code, (digit) => String.fromCodePoint(zero + Number(digit))).join('')
}

describe('LIM-13: an address of a service for throw-away mailboxes', () => {
  const thrownAway = 'ada@throwaway.example'
  const refuser = (asked: string[] = []) =>
    limits({
      hooks: {
        isDisposable(address) {
          asked.push(address)
          return address.endsWith('@throwaway.example')
        },
      },
    })

  test.each([true, false])(
    'is refused where a code signs up, whether it has an account (%s), before any look-up',
    async (hasAccount) => {
      const adapter = memoryAdapter()
      if (hasAccount)
        await adapter.createUser?.({ id: 'ada', email: thrownAway, emailVerified: new Date(0) })
      const lookUps: string[] = []
      const { getUserByEmail } = adapter
      adapter.getUserByEmail = async (email) => {
        lookUps.push(email)
        return (await getUserByEmail?.(email)) ?? null
      }
      const site = emailCodeSite({ limits: false }, { adapter, plugins: [refuser()] })
      const { status, body } = await site.send(thrownAway)
      expect([status, body['code']]).toEqual([422, 'address_not_accepted'])
      expect(body['errors']).toEqual([{ field: 'email', code: 'not_accepted' }])
      expect(lookUps).toEqual([])
      expect(site.mails).toEqual([])
      expect(site.events.at(-1)).toMatchObject({
        type: 'signup.refused',
        outcome: 'refused',
        reason: 'address_not_accepted',
        address: expect.any(String),
      })
      const form = await site.world.post('/auth/email-code/send', { email: thrownAway }, HTML)
      expect(form.status).toBe(422)
      const page = await form.text()
      expect(page).toContain('Addresses of this service are not accepted.')
      expect(page).toContain(`value="${thrownAway}"`)
      expect((await site.send('ada@example.com')).status).toBe(202)
    },
  )

  test('is not asked about where a code signs in only', async () => {
    const asked: string[] = []
    const adapter = memoryAdapter()
    await adapter.createUser?.({ id: 'ada', email: thrownAway, emailVerified: new Date(0) })
    const site = emailCodeSite(
      { limits: false, signUp: false },
      { adapter, plugins: [refuser(asked)] },
    )
    expect((await site.send(thrownAway)).status).toBe(202)
    await expect.poll(() => site.mails).toHaveLength(1)
    expect(asked).toEqual([])
  })
})
