import { expect, test } from 'vitest'
import { GOOD, OTHER, passwordsSite } from '../../../../tests/support/passwords-site.ts'
import { createLatchkey, type Env } from '../../../entries/index.ts'
import { account } from '../../account/index.ts'
import { i18n } from '../../i18n/index.ts'
import { usernames } from '../../usernames/index.ts'
import type { PasswordsApi } from '../passwords-api.ts'

function apiAt({ world }: ReturnType<typeof passwordsSite>, env: Env = {}): PasswordsApi {
  const { api } = createLatchkey(world.config as never, env) as never as {
    api: { passwords: PasswordsApi }
  }
  return api.passwords
}

test.each([
  ['set', [null, GOOD], '`userId` must be the id of a user, got null'],
  ['set', ['u1', 5], '`password` must be a string, got 5'],
  ['set', ['u1', GOOD, { mustchange: true }], 'did you mean `mustChange`?'],
  ['verify', ['u1', GOOD, { headers: {} }], '`request` must be a Request'],
  [
    'createResetLink',
    ['u1', { origin: '' }],
    '`options.origin` must be a string that is not empty',
  ],
  ['createResetLink', ['u1'], 'set AUTH_URL, or pass `origin`'],
] as const)(
  'PW-35: latchkey.api.passwords.%s with the arguments %j says what is wrong with them',
  async (name, given, message) => {
    const api = apiAt(passwordsSite()) as unknown as Record<string, (...all: unknown[]) => unknown>
    await expect(api[name]?.(...given)).rejects.toThrow(message)
  },
)

test('PW-35: passwords.set is what the user signs in with afterwards, and refuses what the rules refuse', async () => {
  const site = passwordsSite()
  await site.signUp()
  const api = apiAt(site)
  const user = await site.world.config.adapter?.getUserByEmail?.('ada@example.com')
  const id = String(user?.id)
  await expect(api.set(id, 'short')).rejects.toMatchObject({
    code: 'password_refused',
    message: 'the rules refuse the password: too_short (`skipRules` takes it)',
  })
  await api.set(id, OTHER, { by: 'admin' })
  expect(await api.verify(id, GOOD)).toBe(false)
  expect(await api.verify(id, OTHER)).toBe(true)
  expect((await site.signIn('ada@example.com', GOOD)).status).toBe(401)
  expect((await site.signIn('ada@example.com', OTHER)).status).toBe(200)
})

test('PW-5: passwords.check and passwords.set refuse the name of the site and the user name as a password', async () => {
  const site = passwordsSite({ minLength: 8 }, { theme: { name: 'Acme' }, plugins: [usernames()] })
  await site.signUp()
  await site.json('usernames/set', { name: 'lovelace' })
  const api = apiAt(site)
  const user = await site.world.config.adapter?.getUserByEmail?.('ada@example.com')
  const id = String(user?.id)
  const expected = [{ code: 'expected' }]
  expect(await api.check('1acme2024!!')).toEqual({ ok: false, reasons: expected })
  expect(await api.check('acme has nice horses')).toEqual({ ok: true })
  for (const password of ['1acme2024!!', 'Lovelace-1815'])
    await expect(api.set(id, password)).rejects.toMatchObject({
      errors: [{ field: 'password', code: 'expected' }],
    })
})

test('PW-35: passwords.verify with a request counts attempts, and without one does not', async () => {
  const site = passwordsSite()
  await site.signUp()
  const api = apiAt(site)
  const user = await site.world.config.adapter?.getUserByEmail?.('ada@example.com')
  const id = String(user?.id)
  for (let attempt = 0; attempt < 21; attempt++) expect(await api.verify(id, OTHER)).toBe(false)
  const request = new Request('https://example.com/check')
  const attempts = async () => {
    for (let attempt = 0; attempt < 21; attempt++) await api.verify(id, OTHER, request)
  }
  await expect(attempts()).rejects.toMatchObject({ code: 'too_many_attempts' })
})

test.each(['AUTH_URL', 'NEXTAUTH_URL'])(
  'PW-35: passwords.createResetLink without `origin` is a link to the address in %s, mailed in the language of the user',
  async (name) => {
    const site = passwordsSite({}, { plugins: [account(), i18n()] })
    await site.signUp()
    expect((await site.json('account/update', { language: 'de' })).status).toBe(200)
    const user = await site.world.config.adapter?.getUserByEmail?.('ada@example.com')
    const api = apiAt(site, { [name]: 'https://public.example/auth' })
    const { url } = await api.createResetLink(String(user?.id), { send: true })
    expect(url).toMatch(/^https:\/\/public\.example\/auth\/password\/reset\?token=/)
    expect(site.mails.at(-1)).toMatchObject({ urls: [url], locale: 'de' })
    const other = await api.createResetLink(String(user?.id), { origin: 'https://other.example' })
    expect(other.url).toMatch(/^https:\/\/other\.example\//)
  },
)

test.each([
  [1800, '30 minutes'],
  [2 * 24 * 3600, '48 hours'],
  [7 * 24 * 3600, '7 days'],
])(
  'PW-35: the mail to a user whom code created asks for a first password, and says that the link works for %i seconds: %s',
  async (expiresIn, words) => {
    const site = passwordsSite()
    const { adapter } = site.world.config
    const user = { id: 'eve', email: 'eve@example.com', emailVerified: null }
    await adapter?.createUser?.(user)
    const api = apiAt(site, { AUTH_URL: 'https://app.example' })
    await api.createResetLink('eve', { send: true, expiresIn })
    const { subject, text } = site.mails.at(-1) ?? {}
    expect(subject).toMatch(/^Choose a password for /)
    expect(text).toContain('You have an account with this address')
    expect(text).toContain(`works once, for ${words}.`)
    await adapter?.updateUser?.({ id: 'eve', emailVerified: new Date() })
    await api.createResetLink('eve', { send: true, expiresIn })
    expect(site.mails.at(-1)?.text).toContain('you sign in in another way')
  },
)
