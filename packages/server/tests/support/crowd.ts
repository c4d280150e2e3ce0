import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createAuthenticator } from '../../../latchkey/tests/support/authenticator.ts'
import { type Visitor, visitor } from './browser.ts'

// Many people who sign in at one service, or at several that are one. The service runs with
// crowd.config.ts.

export const crowdConfig: string = fileURLToPath(new URL('crowd.config.ts', import.meta.url))

export const SECRET = 'the-secret-of-a-crowd-0123456789-abcdef'

/** What the environment of such a service says, beside its database. */
export function crowdEnv(directory: string): Record<string, string> {
  return {
    CROWD_OUTBOX: `${directory}/outbox`,
    AUTH_SECRET: SECRET,
    LOG_FORMAT: 'json',
    // A crowd behind one address is one client.
    LATCHKEY_LIMITS: 'false',
  }
}

const SESSION_COOKIE = /session-token/

/** The cookie that says who somebody is, if they were told that they are signed in. */
export function sessionOf({ cookies }: Visitor): string | undefined {
  for (const [name, value] of cookies) if (SESSION_COOKIE.test(name)) return value
  return undefined
}

/** Who the service takes somebody for. */
export async function whoIs(person: Visitor): Promise<string | undefined> {
  const answer = await person.get('/auth/session')
  if (answer.status !== 200) throw new Error(`GET session: ${answer.status}`)
  const session = (await answer.json()) as { user?: { email?: string } } | null
  return session?.user?.email
}

/** A provider asks who somebody is, and they come back with its answer. */
export async function byProvider(person: Visitor, name: string): Promise<void> {
  await comeBack(person, await toProvider(person, name))
}

/** @returns where the provider sends somebody back to. */
export async function toProvider(person: Visitor, name: string): Promise<string> {
  const away = await post(person, '/auth/signin/acme')
  const state = new URL(locationOf(away)).searchParams.get('state') ?? ''
  return `/auth/callback/acme?${new URLSearchParams({ code: name, state })}`
}

export async function byMail(person: Visitor, name: string, directory: string): Promise<void> {
  await comeBack(person, await askForLink(person, name, directory))
}

/** @returns the link that was mailed. */
export async function askForLink(
  person: Visitor,
  name: string,
  directory: string,
): Promise<string> {
  const email = `${name}@mail.example`
  const answer = await post(person, '/auth/signin/email', { email })
  refuse(answer)
  const mails = readFileSync(`${directory}/outbox`, 'utf8').trimEnd().split('\n')
  for (const line of mails.toReversed()) {
    const { identifier, url } = JSON.parse(line) as { identifier: string; url: string }
    if (identifier !== email) continue
    const { pathname, search } = new URL(url)
    return pathname + search
  }
  throw new Error(`no mail for ${email}`)
}

/** Makes a passkey for somebody new, and uses it in another browser. */
export async function byPasskey(person: Visitor, name: string): Promise<void> {
  const { origin } = person
  const authenticator = createAuthenticator(origin)
  const email = `${name}@key.example`
  const made = await ask(person, { action: 'register', email })
  await sendKey(person, 'register', authenticator.create(made))
  const other = visitor(origin)
  const used = await ask(other, { action: 'authenticate' })
  await sendKey(other, 'authenticate', authenticator.get(used))
  if (sessionOf(other) === undefined) throw new Error('the passkey signed nobody in')
}

/** Somebody who has no password is signed in by one: `authorize` believes the id. */
export async function byPassword(person: Visitor, id: string): Promise<void> {
  const answer = await post(person, '/auth/callback/credentials', { id })
  refuse(answer)
}

type Options = Parameters<ReturnType<typeof createAuthenticator>['create']>[0]

async function ask(person: Visitor, params: Record<string, string>): Promise<Options> {
  const answer = await person.get(`/auth/webauthn-options/passkey?${new URLSearchParams(params)}`)
  if (answer.status !== 200) throw new Error(`options: ${answer.status}`)
  return ((await answer.json()) as { options: Options }).options
}

async function sendKey(person: Visitor, action: string, data: unknown): Promise<void> {
  const csrfToken = await csrfOf(person)
  const answer = await person.post('/auth/callback/passkey', {
    action,
    data: JSON.stringify(data),
    csrfToken,
  })
  refuse(answer)
}

async function comeBack(person: Visitor, path: string): Promise<void> {
  refuse(await person.get(path))
  if (sessionOf(person) === undefined) throw new Error('nobody is signed in')
}

/** Sends a form with the token of this browser. */
async function post(
  person: Visitor,
  path: string,
  form: Record<string, string> = {},
): Promise<Response> {
  return person.post(path, { ...form, csrfToken: await csrfOf(person) })
}

async function csrfOf(person: Visitor): Promise<string> {
  const answer = await person.get('/auth/csrf')
  refuse(answer)
  return ((await answer.json()) as { csrfToken: string }).csrfToken
}

/** @throws when an answer says that something went wrong. */
function refuse(answer: Response): void {
  if (answer.status >= 400) throw new Error(`${answer.url}: ${answer.status}`)
  const location = answer.headers.get('location')
  const error = location && new URL(location, answer.url).searchParams.get('error')
  if (error) throw new Error(`${answer.url}: ${error}`)
}

function locationOf(answer: Response): string {
  refuse(answer)
  return answer.headers.get('location') ?? ''
}
