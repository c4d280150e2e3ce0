import { mkdirSync, readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient } from '@libsql/client'
import type { betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import type { Table } from 'drizzle-orm'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { URI } from 'otpauth'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { record } from '../../../packages/latchkey/src/adapters/drizzle/sqlite-record.ts'
import * as ownTables from '../../../packages/latchkey/src/adapters/drizzle/sqlite-schema.ts'
import {
  type CeremonyOptions,
  createAuthenticator,
} from '../../../packages/latchkey/tests/support/authenticator.ts'
import { createTables } from '../../../packages/latchkey/tests/support/drizzle-tables.ts'
import { ADA, TOKENS } from '../../../packages/latchkey/tests/support/github.ts'
import * as theirTables from '../jobs/providers.better-auth-schema.ts'

// What docs/explanation/compare.md counts: each job of the folder `jobs` does what the page says, and has as many lines.

interface Application {
  readonly app: { fetch(request: Request): Response | Promise<Response> }
  readonly auth?: ReturnType<typeof betterAuth>
}

interface Link {
  readonly id: string
  readonly provider: string
}

interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

const root = fileURLToPath(new URL('../../..', import.meta.url))
const folder = join(root, 'interop/better-auth/jobs')
const ORIGIN = 'http://localhost:3000'
const PASSWORD = 'correct horse battery staple'

const inbox: Mail[] = []
let server: SMTPServer

beforeAll(async () => {
  server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    disabledCommands: ['STARTTLS'],
    async onData(stream, session, done) {
      const chunks: Buffer[] = []
      for await (const chunk of stream) chunks.push(chunk as Buffer)
      const { subject = '', text = '' } = await PostalMime.parse(Buffer.concat(chunks))
      inbox.push({ to: session.envelope.rcptTo[0]?.address ?? '', subject, text })
      done()
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  mkdirSync(join(inject('runFolder'), 'jobs'), { recursive: true })
  const { port } = server.server.address() as AddressInfo
  const variables = {
    BASE_URL: ORIGIN,
    EMAIL_SERVER: `smtp://127.0.0.1:${port}`,
    EMAIL_FROM: 'Acme <no-reply@acme.example>',
    AUTH_SECRET: 'k2Wq8Zr5Tn1Xv7Bm4Lc9Jd3Gf6Hs0Py',
    AUTH_TRUST_HOST: 'true',
    BETTER_AUTH_SECRET: 'k2Wq8Zr5Tn1Xv7Bm4Lc9Jd3Gf6Hs0Py',
    AUTH_GITHUB_ID: 'github-client',
    AUTH_GITHUB_SECRET: 'github-secret',
    AUTH_GOOGLE_ID: 'google-client',
    AUTH_GOOGLE_SECRET: 'google-secret',
    SITE_KEY: 'site',
    SECRET_KEY: 'secret',
  }
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
})
afterAll(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  return new Promise<void>((resolve) => server.close(resolve))
})

/** A browser that talks to a job, and prefers a language. */
async function visitorOf(job: string, lang = 'en') {
  vi.stubEnv('DATABASE', join(inject('runFolder'), 'jobs', `${job}.db`))
  const { app, auth } = (await import(`../jobs/${job}.ts`)) as Application
  // Tables of Drizzle are made by its command.
  if (auth && job !== 'providers.better-auth')
    await (await getMigrations(auth.options)).runMigrations()
  const jar = new Map<string, string>()

  async function send(path: string, body?: object): Promise<Response> {
    const cookie = [...jar].map((each) => each.join('=')).join('; ')
    const request = new Request(new URL(path, ORIGIN), {
      method: body ? 'POST' : 'GET',
      headers: {
        cookie,
        'accept-language': lang,
        ...(body && { 'content-type': 'application/json', origin: ORIGIN }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const answer = await app.fetch(request)
    for (const line of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=', 2)
      if (value === '' || /max-age=0/i.test(line)) jar.delete(name)
      else jar.set(name, value)
    }
    return answer
  }
  const json = async (path: string, body?: object): Promise<Record<string, never>> =>
    (await (await send(path, body)).json()) as Record<string, never>
  return { send, json, forget: () => jar.clear() }
}

/** Returns the newest mail to somebody, and empties the mailbox. */
async function newestTo(address: string): Promise<Mail> {
  const newest = (): Mail | undefined => inbox.findLast(({ to }) => to === address)
  await expect.poll(newest).toBeDefined()
  const mail = newest()
  inbox.length = 0
  return mail ?? { to: address, subject: '', text: '' }
}

const mailTo = async (address: string): Promise<string> => (await newestTo(address)).text

/** In which letters each language is recognized. */
const LETTERS = { de: /[äöüß]|Ihre?n? /u, ar: /\p{Script=Arabic}/u } as const

/** Somebody else in each job, since a mail of an earlier one may come late. */
const addressOf = (job: string): string => `${job}@example.com`

const linkOf = (text: string): string => /http:\S+/.exec(text)?.[0] ?? ''
const codeOf = (text: string): string => /\b\d{6}\b/.exec(text)?.[0] ?? ''

/** GitHub and Google, as far as both products ask them. Ada has one address at both. */
async function simulateProviders() {
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'key', alg: 'RS256', use: 'sig' }
  const issuer = 'https://accounts.google.com'
  const google = 'https://oauth2.googleapis.com'
  let nonce: string | undefined
  const claims = { email: 'ada@example.com', email_verified: true, name: 'Ada' }
  const idToken = async () =>
    new SignJWT({ ...claims, ...(nonce !== undefined && { nonce }) })
      .setProtectedHeader({ alg: 'RS256', kid: 'key' })
      .setIssuer(issuer)
      .setAudience('google-client')
      .setSubject('google-ada')
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(privateKey)
  const answers: Readonly<Record<string, () => unknown>> = {
    'https://github.com/login/oauth/access_token': () => TOKENS,
    'https://api.github.com/user': () => ADA,
    'https://api.github.com/user/emails': () => [
      { email: 'ada@example.com', primary: true, verified: true },
    ],
    [`${issuer}/.well-known/openid-configuration`]: () => ({
      issuer,
      authorization_endpoint: `${issuer}/o/oauth2/v2/auth`,
      token_endpoint: `${google}/token`,
      jwks_uri: 'https://www.googleapis.com/oauth2/v3/certs',
      id_token_signing_alg_values_supported: ['RS256'],
      response_types_supported: ['code'],
    }),
    'https://www.googleapis.com/oauth2/v3/certs': () => ({ keys: [jwk] }),
    [`${google}/token`]: async () => ({
      access_token: 'google-access',
      token_type: 'Bearer',
      expires_in: 3600,
      id_token: await idToken(),
    }),
  }
  vi.stubGlobal('fetch', async (...asked: Parameters<typeof fetch>) => {
    const { url } = new Request(...asked)
    const answer = answers[url]
    return answer ? Response.json(await answer()) : new Response(null, { status: 404 })
  })
  /** Agrees at the provider. @returns the parameters with which it sends the browser back. */
  return (authorization: string): URLSearchParams => {
    const { searchParams } = new URL(authorization)
    nonce = searchParams.get('nonce') ?? undefined
    return new URLSearchParams({ code: 'code', state: searchParams.get('state') ?? '' })
  }
}

/** The tables of a job, which the command of Drizzle makes in an application. */
async function makeTables(job: string, tables: readonly Table[]): Promise<void> {
  const client = createClient({ url: `file:${join(inject('runFolder'), 'jobs', `${job}.db`)}` })
  for (const statement of createTables(tables)) await client.execute(statement)
  client.close()
}

describe('a job with Latchkey', () => {
  async function signUp(job: string) {
    const visitor = await visitorOf(job)
    await visitor.send('/auth/password/sign-up', { email: addressOf(job), password: PASSWORD })
    await visitor.send('/auth/password/verify', { code: codeOf(await mailTo(addressOf(job))) })
    expect(await visitor.json('/auth/session')).toMatchObject({ user: { email: addressOf(job) } })
    return visitor
  }

  test('password: sign-up, verification, sign-in and reset, which ends the sessions', async () => {
    const job = 'password.latchkey'
    const visitor = await signUp(job)
    const other = await visitorOf(job)
    await other.send('/auth/password/forgot', { identifier: addressOf(job) })
    await other.send(linkOf(await mailTo(addressOf(job))))
    await other.send('/auth/password/reset', { password: 'another rather long password' })
    expect(await visitor.json('/auth/session')).toBeNull()
    const fields = { identifier: addressOf(job), password: 'another rather long password' }
    expect(await other.json('/auth/password/sign-in', fields)).toMatchObject({
      status: 'signed_in',
    })
    expect((await other.send('/auth/account')).status).toBe(200)
  })

  test('limits: a sign-up without an answer to the challenge is refused', async () => {
    const job = 'limits.latchkey'
    const visitor = await visitorOf(job)
    const fields = { email: addressOf(job), password: PASSWORD }
    expect(await visitor.json('/auth/password/sign-up', fields)).toMatchObject({
      code: 'challenge_required',
    })
  })

  test('two-factor: an app is set up, a sign-in waits for its code, and a recovery code passes once', async () => {
    const job = 'two-factor.latchkey'
    const visitor = await signUp(job)
    const secret = await visitor.json('/auth/two-factor/enrol-totp', {})
    const app = URI.parse(secret['uri'] ?? '')
    const code = app.generate()
    const added = await visitor.json('/auth/two-factor/confirm-totp', { id: secret['id'], code })
    const [recovery] = added['recoveryCodes'] as unknown as string[]
    visitor.forget()
    const fields = { identifier: addressOf(job), password: PASSWORD }
    const waiting = await visitor.json('/auth/password/sign-in', fields)
    expect(waiting).toMatchObject({ status: 'second_factor_required' })
    expect(await visitor.json('/auth/session')).toBeNull()
    const proof = { method: 'recovery', code: recovery }
    expect(await visitor.json('/auth/two-factor/verify', proof)).toMatchObject({
      status: 'signed_in',
    })
  })

  test('passkeys: one is added on the account page, listed, signs in, and is removed', async () => {
    const job = 'passkeys.latchkey'
    const visitor = await signUp(job)
    const device = createAuthenticator(ORIGIN)
    const asked = await visitor.json('/auth/account/passkey-options', {})
    const data = JSON.stringify(device.create(asked as unknown as CeremonyOptions))
    const added = await visitor.send('/auth/account/add-passkey', { data, name: 'My phone' })
    expect(added.status).toBe(201)
    const { passkey } = (await added.json()) as { passkey: { id: string } }
    expect(await (await visitor.send('/auth/account/passkeys')).text()).toContain('My phone')

    const other = await visitorOf(job)
    const { options } = (await other.json(
      '/auth/webauthn-options/passkey?action=authenticate',
    )) as unknown as { options: CeremonyOptions }
    await other.send('/auth/callback/passkey', {
      action: 'authenticate',
      data: JSON.stringify(device.get(options)),
    })
    expect(await other.json('/auth/session')).toMatchObject({ user: { email: addressOf(job) } })

    await visitor.send('/auth/account/remove-passkey', { id: passkey.id })
    expect(await (await visitor.send('/auth/account/passkeys')).text()).not.toContain('My phone')
  })

  test('providers: sign-in with GitHub; Google is connected, signs in to the same account, and is disconnected', async () => {
    const job = 'providers.latchkey'
    await makeTables(job, [...Object.values(ownTables), record])
    const agree = await simulateProviders()
    const visitor = await visitorOf(job)
    const come = async (who: typeof visitor, path: string, provider: string) => {
      const { csrfToken } = await who.json('/auth/csrf')
      const begun = await who.send(path, { provider, csrfToken })
      const url = begun.headers.get('location') ?? ((await begun.json()) as { url: string }).url
      return who.send(`/auth/callback/${provider}?${agree(url)}`)
    }
    await come(visitor, '/auth/signin/github', 'github')
    const first = await visitor.json('/auth/session')
    expect(first).toMatchObject({ user: { email: 'ada@example.com' } })
    await come(visitor, '/auth/account/link', 'google')
    const listed = async () =>
      (await visitor.json('/auth/account/links'))['links'] as unknown as Link[]
    expect((await listed()).map(({ provider }) => provider).sort()).toEqual(['github', 'google'])

    const other = await visitorOf(job)
    await come(other, '/auth/signin/google', 'google')
    expect((await other.json('/auth/session'))['user']).toEqual(first['user'])

    const google = (await listed()).find(({ provider }) => provider === 'google')
    await visitor.send('/auth/account/unlink', { id: google?.id })
    expect((await listed()).map(({ provider }) => provider)).toEqual(['github'])
  })

  test('sessions: they are listed, and a change of the password ends the others', async () => {
    const job = 'sessions.latchkey'
    const visitor = await signUp(job)
    const other = await visitorOf(job)
    await other.send('/auth/password/sign-in', { identifier: addressOf(job), password: PASSWORD })
    expect((await visitor.json('/auth/sessions/list'))['sessions']).toHaveLength(2)
    const change = { current: PASSWORD, password: 'another rather long password' }
    expect((await visitor.send('/auth/password/change', change)).status).toBe(200)
    expect(await other.json('/auth/session')).toBeNull()
    expect(await visitor.json('/auth/session')).not.toBeNull()
  })

  test.each(['de', 'ar'] as const)(
    'languages: pages, refusals and mails are in %s',
    async (lang) => {
      const job = 'languages.latchkey'
      const visitor = await visitorOf(job, lang)
      const page = await (await visitor.send('/auth/signin')).text()
      expect(page).toContain(`<html lang="${lang}"${lang === 'ar' ? ' dir="rtl"' : ''}>`)
      const wrong = { identifier: 'nobody@example.com', password: PASSWORD }
      const refusal = await visitor.json('/auth/password/sign-in', wrong)
      expect(refusal['title']).toMatch(LETTERS[lang])
      const email = `${lang}@latchkey.example`
      await visitor.send('/auth/password/sign-up', { email, password: PASSWORD })
      const { subject, text } = await newestTo(email)
      expect(subject + text).toMatch(LETTERS[lang])
    },
  )
})

describe('the same job with better-auth', () => {
  async function signUp(job: string) {
    const visitor = await visitorOf(job)
    const fields = { email: addressOf(job), password: PASSWORD, name: 'Ada' }
    expect((await visitor.send('/api/auth/sign-up/email', fields)).status).toBe(200)
    await visitor.send(linkOf(await mailTo(addressOf(job))))
    expect(await visitor.json('/api/auth/get-session')).toMatchObject({
      user: { email: addressOf(job) },
    })
    return visitor
  }

  test('password: sign-up, verification, sign-in and reset, which ends the sessions', async () => {
    const job = 'password.better-auth'
    const visitor = await signUp(job)
    const other = await visitorOf(job)
    await other.send('/api/auth/request-password-reset', {
      email: addressOf(job),
      redirectTo: '/reset',
    })
    const answer = await other.send(linkOf(await mailTo(addressOf(job))))
    const to = new URL(answer.headers.get('location') ?? '', ORIGIN)
    const newPassword = 'another rather long password'
    const token = to.searchParams.get('token')
    await other.send('/api/auth/reset-password', { newPassword, token })
    expect(await visitor.json('/api/auth/get-session')).toBeNull()
    const fields = { email: addressOf(job), password: newPassword }
    expect((await other.send('/api/auth/sign-in/email', fields)).status).toBe(200)
  })

  test('limits: a sign-up without an answer to the challenge is refused', async () => {
    const job = 'limits.better-auth'
    const visitor = await visitorOf(job)
    const fields = { email: addressOf(job), password: PASSWORD, name: 'Ada' }
    expect((await visitor.send('/api/auth/sign-up/email', fields)).status).toBe(400)
  })

  test('two-factor: an app is set up, a sign-in waits for its code, and a backup code passes once', async () => {
    const job = 'two-factor.better-auth'
    const visitor = await signUp(job)
    const enabled = await visitor.json('/api/auth/two-factor/enable', { password: PASSWORD })
    const app = URI.parse(enabled['totpURI'] ?? '')
    const [recovery] = enabled['backupCodes'] as unknown as string[]
    expect(
      (await visitor.send('/api/auth/two-factor/verify-totp', { code: app.generate() })).status,
    ).toBe(200)
    visitor.forget()
    const fields = { email: addressOf(job), password: PASSWORD }
    expect(await visitor.json('/api/auth/sign-in/email', fields)).toMatchObject({
      twoFactorRedirect: true,
    })
    expect(await visitor.json('/api/auth/get-session')).toBeNull()
    const proof = { code: recovery }
    expect((await visitor.send('/api/auth/two-factor/verify-backup-code', proof)).status).toBe(200)
  })

  test('passkeys: one is added, listed, signs in, and is removed', async () => {
    const job = 'passkeys.better-auth'
    const visitor = await signUp(job)
    const device = createAuthenticator(ORIGIN)
    const asked = await visitor.json('/api/auth/passkey/generate-register-options')
    const response = device.create(asked as unknown as CeremonyOptions)
    const body = { response, name: 'My phone' }
    const passkey = await visitor.json('/api/auth/passkey/verify-registration', body)
    expect(passkey).toMatchObject({ name: 'My phone' })
    expect(await visitor.json('/api/auth/passkey/list-user-passkeys')).toHaveLength(1)

    const other = await visitorOf(job)
    const options = await other.json('/api/auth/passkey/generate-authenticate-options')
    const proof = { response: device.get(options as unknown as CeremonyOptions) }
    await other.send('/api/auth/passkey/verify-authentication', proof)
    expect(await other.json('/api/auth/get-session')).toMatchObject({
      user: { email: addressOf(job) },
    })

    await visitor.send('/api/auth/passkey/delete-passkey', { id: passkey['id'] })
    expect(await visitor.json('/api/auth/passkey/list-user-passkeys')).toEqual([])
  })

  test('providers: sign-in with GitHub; Google is connected, signs in to the same account, and is disconnected', async () => {
    const job = 'providers.better-auth'
    await makeTables(job, Object.values(theirTables))
    const agree = await simulateProviders()
    const visitor = await visitorOf(job)
    const come = async (who: typeof visitor, path: string, provider: string) => {
      const { url } = await who.json(path, { provider, callbackURL: '/' })
      return who.send(`/api/auth/callback/${provider}?${agree(url ?? '')}`)
    }
    await come(visitor, '/api/auth/sign-in/social', 'github')
    const first = await visitor.json('/api/auth/get-session')
    expect(first).toMatchObject({ user: { email: 'ada@example.com' } })
    await come(visitor, '/api/auth/link-social', 'google')
    const listed = async () =>
      (await visitor.json('/api/auth/list-accounts')) as unknown as {
        id: string
        providerId: string
      }[]
    expect((await listed()).map(({ providerId }) => providerId).sort()).toEqual([
      'github',
      'google',
    ])

    const other = await visitorOf(job)
    await come(other, '/api/auth/sign-in/social', 'google')
    expect((await other.json('/api/auth/get-session'))['user']).toMatchObject({
      email: 'ada@example.com',
    })

    const google = (await listed()).find(({ providerId }) => providerId === 'google')
    await visitor.send('/api/auth/unlink-account', { accountId: google?.id })
    expect((await listed()).map(({ providerId }) => providerId)).toEqual(['github'])
  })

  test('sessions: they are listed, and a change of the password ends the others if the page asks for it', async () => {
    const job = 'sessions.better-auth'
    const visitor = await signUp(job)
    const other = await visitorOf(job)
    await other.send('/api/auth/sign-in/email', { email: addressOf(job), password: PASSWORD })
    expect(await visitor.json('/api/auth/list-sessions')).toHaveLength(2)
    const change = { currentPassword: PASSWORD, newPassword: 'another rather long password' }
    const all = { ...change, revokeOtherSessions: true }
    expect((await visitor.send('/api/auth/change-password', all)).status).toBe(200)
    expect(await other.json('/api/auth/get-session')).toBeNull()
    expect(await visitor.json('/api/auth/get-session')).not.toBeNull()
  })

  test.each(['de', 'ar'] as const)('languages: refusals and mails are in %s', async (lang) => {
    const job = 'languages.better-auth'
    const visitor = await visitorOf(job, lang)
    const wrong = { email: 'nobody@example.com', password: PASSWORD }
    const refusal = await visitor.json('/api/auth/sign-in/email', wrong)
    expect(refusal['message']).toMatch(LETTERS[lang])
    const email = `${lang}@better-auth.example`
    await visitor.send('/api/auth/sign-up/email', { email, password: PASSWORD, name: 'Ada' })
    const { subject, text } = await newestTo(email)
    expect(subject + text).toMatch(LETTERS[lang])
  })
})

test.each([
  'password',
  'limits',
  'two-factor',
  'passkeys',
  'providers',
  'sessions',
  'languages',
  'errors',
])('docs/explanation/compare.md says how many lines the job %s has', (job) => {
  const lines = (product: string): number => {
    const ending = job === 'errors' ? 'tsx' : 'ts'
    const text = readFileSync(join(folder, `${job}.${product}.${ending}`), 'utf8')
    return text.split('\n').filter((line) => !/^\s*(?:\/\/.*)?$/.test(line)).length
  }
  const page = readFileSync(join(root, 'docs/explanation/compare.md'), 'utf8')
  const row = page.split('\n').find((line) => line.includes(`jobs/${job}.latchkey`))
  const numbers = [...(row ?? '').matchAll(/\| \[?(\d+)/g)].map(([, count]) => Number(count))
  expect(numbers).toEqual([lines('latchkey'), lines('better-auth')])
})
