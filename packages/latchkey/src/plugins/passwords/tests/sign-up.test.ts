import { describe, expect, test } from 'vitest'
import { GOOD, OTHER, passwordsSite } from '../../../../tests/support/passwords-site.ts'
import { memoryAdapter } from '../../../adapters/memory/index.ts'
import { migrate, sqlAdapter } from '../../../adapters/sql/index.ts'
import { openNodeSqlite } from '../../../adapters/sql/node-sqlite.ts'
import { atomic } from '../../../model/adapter.ts'
import { usernames } from '../../usernames/index.ts'

const bodyOf = async (response: Response): Promise<Record<string, unknown>> =>
  (await response.json()) as Record<string, unknown>

describe('sign-up', () => {
  test('ACC-23: the page that asks for the code links to the mailbox that the mail provider names', async () => {
    const post = {
      id: 'post',
      name: 'Post',
      type: 'email' as const,
      mailbox: '/mails',
      options: {},
      sendVerificationRequest() {},
      sendMail() {},
    }
    const site = passwordsSite({}, { providers: [post] })
    await site.json('password/sign-up', { email: 'ada@example.com', password: GOOD })
    const headers = { accept: 'text/html' }
    const page = await site.world.get('/auth/password/verify', { headers })
    expect(await page.text()).toContain('href="/mails"')
  })

  test('PW-19, PW-20: no user exists before the code of the mail is typed in the browser that asked, which is then signed in', async () => {
    const site = passwordsSite()
    const begun = await site.json('password/sign-up', {
      email: 'Ada@Example.com',
      password: GOOD,
      name: 'Ada Lovelace',
    })
    expect(begun.status).toBe(202)
    expect(await bodyOf(begun)).toMatchObject({ status: 'mail_sent' })
    const { adapter } = site.world.config
    expect(await adapter?.getUserByEmail?.('ada@example.com')).toBeNull()
    expect(await site.world.session()).toBeNull()

    expect(site.mails).toHaveLength(1)
    expect(site.mails[0]).toMatchObject({ to: 'ada@example.com' })
    const done = await site.json('password/verify', { code: site.code() })
    expect(done.status).toBe(200)
    expect(await bodyOf(done)).toMatchObject({ status: 'signed_in' })
    expect(await site.world.session()).toMatchObject({
      user: { email: 'ada@example.com', name: 'Ada Lovelace' },
    })
    const user = await adapter?.getUserByEmail?.('ada@example.com')
    expect(user?.emailVerified).toEqual(new Date(site.world.now()))
    expect(site.events.map(({ type }) => type)).toEqual([
      'signup.begun',
      'address.proved',
      'signup.finished',
    ])
  })

  test('PW-19: an address with an account gets the same response, and a mail without a code', async () => {
    const site = passwordsSite()
    await site.signUp()
    const other = site.world.otherBrowser()
    const known = await site.json(
      'password/sign-up',
      { email: 'ada@example.com', password: OTHER },
      other,
    )
    const unknown = await site.json(
      'password/sign-up',
      { email: 'bob@example.com', password: OTHER },
      site.world.otherBrowser(),
    )
    expect(known.status).toBe(unknown.status)
    const [one, two] = [await bodyOf(known), await bodyOf(unknown)]
    expect(Object.keys(one)).toEqual(Object.keys(two))
    expect(one['status']).toBe(two['status'])
    expect([...known.headers.keys()]).toEqual([...unknown.headers.keys()])
    const [, toAda, toBob] = site.mails
    expect(toAda).toMatchObject({ to: 'ada@example.com' })
    expect(toAda?.text).not.toMatch(/\b\d{6}\b/)
    expect(toBob?.text).toMatch(/\b\d{6}\b/)
  })

  test('PW-19: the record for an address with an account has no hash of the password', async () => {
    const adapter = memoryAdapter()
    const site = passwordsSite({}, { adapter })
    await site.signUp()
    for (const email of ['ada@example.com', 'bob@example.com'])
      await site.json('password/sign-up', { email, password: OTHER }, site.world.otherBrowser())
    const { records } = (await adapter[atomic]?.listRecords?.({ kind: 'sign-up', limit: 9 })) ?? {}
    const stored = records?.map(({ data }) => [data['existing'], data['hash'] === ''])
    expect(stored?.toSorted()).toEqual([
      [false, false],
      [true, true],
    ])
  })

  test('PW-21, T-ACC-5: the link in another browser asks for a password there, and the first one never works', async () => {
    const site = passwordsSite()
    const attacker = site.world
    await site.json('password/sign-up', {
      email: 'ada@example.com',
      password: OTHER,
      name: 'Mallory',
    })
    const victim = attacker.otherBrowser()
    const opened = await victim.get(site.link('password/verify'), {
      headers: { accept: 'text/html' },
    })
    expect(opened.status).toBe(303)
    expect(opened.headers.get('location')).toBe('/auth/password/verify')
    const page = await victim.get('/auth/password/verify', { headers: { accept: 'text/html' } })
    expect(await page.text()).toContain('asked for in another browser')

    const without = await site.json('password/verify', {}, victim)
    expect(without.status).toBe(422)
    const done = await site.json('password/verify', { password: GOOD }, victim)
    expect(done.status).toBe(200)
    expect(await victim.session()).toMatchObject({ user: { email: 'ada@example.com' } })
    expect((await victim.session())?.user?.['name'] ?? null).toBeNull()
    expect((await site.signIn('ada@example.com', OTHER, attacker)).status).toBe(401)
    expect((await site.signIn('ada@example.com', GOOD, victim.otherBrowser())).status).toBe(200)
  })

  test('PW-21, T-ACC-5: the user name of a sign-up goes to who finishes it where it began, and to nobody else', async () => {
    for (const isElsewhere of [false, true]) {
      const site = passwordsSite({}, { plugins: [usernames()] })
      const fields = { email: 'ada@example.com', password: GOOD, username: 'mallory' }
      expect((await site.json('password/sign-up', fields)).status).toBe(202)
      const browser = isElsewhere ? site.world.otherBrowser() : site.world
      await browser.get(site.link('password/verify'), { headers: { accept: 'text/html' } })
      const password = isElsewhere ? OTHER : GOOD
      const chosen = isElsewhere ? { password } : {}
      expect((await site.json('password/verify', chosen, browser)).status).toBe(200)
      const signedIn = await site.signIn('mallory', password, browser.otherBrowser())
      expect(signedIn.status).toBe(isElsewhere ? 401 : 200)
    }
  })

  test('PW-21, PW-24: the further fields of a sign-up are those of who finishes it elsewhere, and not of who began it', async () => {
    const created: unknown[] = []
    const site = passwordsSite(
      { fields: [{ name: 'company', label: 'Company', required: true }] },
      { events: { createUser: ({ user }) => void created.push(user) } },
    )
    const begun = { email: 'ada@example.com', password: OTHER, company: 'Mallory & Sons' }
    expect((await site.json('password/sign-up', begun)).status).toBe(202)
    const victim = site.world.otherBrowser()
    const html = { headers: { accept: 'text/html' } }
    await victim.get(site.link('password/verify'), html)
    const page = await (await victim.get('/auth/password/verify', html)).text()
    expect(page).toContain('Company')
    expect(page).not.toContain('Mallory')

    const without = await site.json('password/verify', { password: GOOD }, victim)
    expect(without.status).toBe(422)
    expect(await without.json()).toMatchObject({
      errors: [{ field: 'company', code: 'required' }],
    })
    const further = { password: GOOD, company: 'Engines' }
    const unknown = await site.json('password/verify', { ...further, role: 'admin' }, victim)
    expect(unknown.status).toBe(400)
    expect((await site.json('password/verify', further, victim)).status).toBe(200)
    expect(created).toMatchObject([{ email: 'ada@example.com', company: 'Engines' }])
  })

  test.each([
    ['ab', 'too_short', 'User name: Use at least 3 characters.'],
    ['a'.repeat(31), 'too_long', 'User name: Use at most 30 characters.'],
    ['ada lovelace', 'not_allowed', 'User name: This name is not allowed here.'],
    ['admin', 'reserved', 'User name: This name is reserved.'],
  ])('names the fault of the user name %s in a sentence: %s', async (username, code, text) => {
    const site = passwordsSite({}, { plugins: [usernames()] })
    const fields = { email: 'ada@example.com', password: GOOD, username }
    const refused = await site.json('password/sign-up', fields)
    expect(await refused.json()).toMatchObject({ errors: [{ field: 'username', code }] })
    const html = { headers: { accept: 'text/html' } }
    const page = await site.world.post('/auth/password/sign-up', fields, html)
    expect(await page.text()).toContain(text)
  })

  test('PW-21, T-ACC-6: scanners that open the link by GET, HEAD and prefetch use nothing up', async () => {
    const site = passwordsSite()
    await site.json('password/sign-up', { email: 'ada@example.com', password: GOOD })
    const scanner = site.world.otherBrowser()
    const link = site.link('password/verify')
    for (const init of [
      {},
      { method: 'HEAD' },
      { headers: { 'sec-purpose': 'prefetch', accept: 'text/html' } },
    ])
      expect((await scanner.get(link, init)).status).toBeLessThan(400)
    expect(await scanner.session()).toBeNull()
    expect(await site.world.config.adapter?.getUserByEmail?.('ada@example.com')).toBeNull()
    // In the browser that began, the link needs one button.
    await site.world.get(link, { headers: { accept: 'text/html' } })
    expect((await site.world.post('/auth/password/verify')).status).toBe(303)
    expect(await site.world.session()).toMatchObject({ user: { email: 'ada@example.com' } })
  })

  test('ACC-6: five wrong codes end the code, and the right one is refused with the same answer', async () => {
    const site = passwordsSite()
    await site.json('password/sign-up', { email: 'ada@example.com', password: GOOD })
    const code = site.code()
    const wrong = code === '000000' ? '000001' : '000000'
    for (let tries = 0; tries < 5; tries++)
      expect((await site.json('password/verify', { code: wrong })).status).toBe(400)
    const last = await site.json('password/verify', { code })
    expect(last.status).toBe(400)
    expect(await bodyOf(last)).toMatchObject({ code: 'invalid_code' })
  })

  test('PW-19: within a minute, nothing new is sent, and later the first code is dead', async () => {
    const site = passwordsSite()
    await site.json('password/sign-up', { email: 'ada@example.com', password: GOOD })
    const first = site.code()
    expect(
      (await site.json('password/sign-up', { email: 'ada@example.com', password: GOOD })).status,
    ).toBe(202)
    expect((await site.json('password/resend')).status).toBe(202)
    expect(site.mails).toHaveLength(1)
    site.world.advance(61)
    expect((await site.json('password/resend')).status).toBe(202)
    expect(site.mails).toHaveLength(2)
    expect((await site.json('password/verify', { code: first })).status).toBe(400)
    expect((await site.json('password/verify', { code: site.code() })).status).toBe(200)
  })

  test('PW-22: nothing of a sign-up is given to a user who proved the address meanwhile', async () => {
    const site = passwordsSite()
    await site.json('password/sign-up', {
      email: 'ada@example.com',
      password: OTHER,
      name: 'Mallory',
    })
    const code = site.code()
    const { adapter } = site.world.config
    await adapter?.createUser?.({
      id: 'u1',
      email: 'ada@example.com',
      emailVerified: new Date(site.world.now()),
      name: 'Ada',
    })
    const late = await site.json('password/verify', { code })
    expect(late.status).toBe(400)
    expect(await site.world.session()).toBeNull()
    expect((await adapter?.getUserByEmail?.('ada@example.com'))?.name).toBe('Ada')
    expect((await site.signIn('ada@example.com', OTHER)).status).toBe(401)
  })

  test('PW-8, I18N-9: a form comes back with what was typed, except the password, and says what helps', async () => {
    const site = passwordsSite()
    const answer = await site.world.post(
      '/auth/password/sign-up',
      { email: 'ada@', password: 'short', name: 'Ada "Lovelace"' },
      { headers: { accept: 'text/html' } },
    )
    expect(answer.status).toBe(400)
    const page = await answer.text()
    expect(page).toContain('2 fields need another look')
    expect(page).toContain('href="#email"')
    expect(page).toContain('value="ada@"')
    expect(page).toContain('Ada &quot;Lovelace&quot;')
    expect(page).toContain('Use at least 15 characters')
    expect(page).not.toContain('value="short"')
  })

  test('PW-24, I18N-9: a required box that is not ticked is marked, and the message names the wrong fields in the order of the page', async () => {
    const site = passwordsSite({
      name: 'required',
      fields: [{ name: 'terms', label: 'Terms', type: 'checkbox', required: true }],
    })
    const sent = { email: '', password: GOOD }
    const headers = { accept: 'text/html' }
    const page = await (await site.world.post('/auth/password/sign-up', sent, { headers })).text()
    expect(page).toContain('<title>Error: Create your account – ')
    const box = /<input id="terms"[^>]*>/.exec(page)?.[0]
    expect(box).toContain(' required aria-invalid="true" aria-describedby="terms-error"')
    expect(page).toMatch(/id="terms-error"><svg.*<\/svg>Tick this box to go on\.<\/p>/)
    const named = [...page.matchAll(/<li><a href="#(\w+)">/g)].map(([, name]) => name)
    expect(named).toEqual(['name', 'email', 'terms'])
  })

  test('PW-24, T-ACC-29: further fields reach the event, and members of users cannot be set', async () => {
    const created: unknown[] = []
    const site = passwordsSite(
      {
        fields: [
          {
            name: 'company',
            label: 'Company',
            required: true,
            validate: (value) => (value === 'Evil' ? 'Not this company' : true),
          },
        ],
      },
      { events: { createUser: ({ user }) => void created.push(user) } },
    )
    const fields = { email: 'ada@example.com', password: GOOD }
    expect((await site.json('password/sign-up', fields)).status).toBe(400)
    expect((await site.json('password/sign-up', { ...fields, company: 'Evil' })).status).toBe(400)
    for (const name of ['id', 'emailVerified', 'role', 'userId']) {
      const answer = await site.json('password/sign-up', {
        ...fields,
        company: 'Acme',
        [name]: 'x',
      })
      expect(answer.status, name).toBe(400)
    }
    await site.json('password/sign-up', { ...fields, company: 'Acme' })
    await site.json('password/verify', { code: site.code() })
    expect(created).toMatchObject([{ company: 'Acme', email: 'ada@example.com' }])
  })

  test.each(['first', 'after'] as const)(
    'PW-24: the event of a sign-up has what was typed into a further field, if users have a column of that name, too, with verify: %s',
    async (verify) => {
      const database = openNodeSqlite(':memory:')
      const naming = { user: { columns: { plan: { type: 'text' } } } } as const
      await migrate(database, { naming, records: true })
      const created: unknown[] = []
      const site = passwordsSite(
        { verify, fields: [{ name: 'plan', label: 'Plan' }] },
        {
          adapter: sqlAdapter(database, { naming }),
          events: { createUser: ({ fields }) => void created.push(fields) },
        },
      )
      await site.json('password/sign-up', { email: 'ada@example.com', password: GOOD, plan: 'pro' })
      if (verify === 'first') await site.json('password/verify', { code: site.code() })
      await expect.poll(() => created).toEqual([{ plan: 'pro' }])
    },
  )

  test('`signUp` refuses by false, with 404, or by a function, with its code, before the address is looked up', async () => {
    const closed = passwordsSite({ signUp: false })
    expect((await closed.json('password/sign-up', {})).status).toBe(404)
    const invited = passwordsSite({
      signUp: ({ email }) => (email.endsWith('@acme.example') ? true : { code: 'not_invited' }),
    })
    const answer = await invited.json('password/sign-up', {
      email: 'ada@example.com',
      password: GOOD,
    })
    expect(answer.status).toBe(403)
    expect(await bodyOf(answer)).toMatchObject({ code: 'sign_up_refused', reason: 'not_invited' })
    expect(invited.mails).toHaveLength(0)
  })

  test('ACC-8: when mails cannot be sent, everybody gets the same 503, and can try again at once', async () => {
    let fails = true
    const site = passwordsSite(
      {},
      {
        providers: [
          {
            id: 'post',
            name: 'Post',
            type: 'email',
            maxAge: 600,
            options: {},
            sendVerificationRequest() {},
            sendMail() {
              if (fails) throw new Error('connect ECONNREFUSED')
            },
          } as never,
        ],
      },
    )
    const fields = { email: 'ada@example.com', password: GOOD }
    expect((await site.json('password/sign-up', fields)).status).toBe(503)
    fails = false
    expect((await site.json('password/sign-up', fields)).status).toBe(202)
  })
})
