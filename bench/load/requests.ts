import type { Answer, Connections } from './connections.ts'
import { ORIGIN } from './site.ts'
import { PROVIDER, sessionTokenOf, userIdOf } from './stores.ts'

/** A request, and how its answer is judged. */
export interface Asked {
  readonly bytes: Buffer
  readonly isRight: (answer: Answer) => boolean
}

const HOST = new URL(ORIGIN).host
const SESSION_COOKIE = '__Secure-authjs.session-token'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

interface Sent {
  readonly person: number
  readonly cookies?: readonly string[]
  readonly form?: Readonly<Record<string, string>>
}

/** Writes a request as a proxy in front of the service hands it on, of another client address for each person. */
function bytesOf(target: string, { person, cookies = [], form }: Sent): Buffer {
  const address = `10.${(person >> 16) & 255}.${(person >> 8) & 255}.${person & 255}`
  const body = form ? new URLSearchParams(form).toString() : ''
  const lines = [
    `${form ? 'POST' : 'GET'} ${target} HTTP/1.1`,
    `Host: ${HOST}`,
    `X-Forwarded-For: ${address}`,
    'X-Forwarded-Proto: https',
    'Accept: application/json',
    `User-Agent: ${FIREFOX}`,
    ...(cookies.length > 0 ? [`Cookie: ${cookies.join('; ')}`] : []),
    ...(form
      ? [
          `Origin: ${ORIGIN}`,
          'Content-Type: application/x-www-form-urlencoded',
          `Content-Length: ${body.length}`,
        ]
      : []),
  ]
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`)
}

/** Reads the session of a person, and expects their address in it. */
export function reading(person: number, token: string = sessionTokenOf(person)): Asked {
  const expected = `"email":"${userIdOf(person)}@example.com"`
  return {
    bytes: bytesOf('/auth/session', { person, cookies: [`${SESSION_COOKIE}=${token}`] }),
    isRight: ({ status, body }) => status === 200 && body.includes(expected),
  }
}

/** What a browser sends with every sign-in: its CSRF cookie, and the token that fits it. */
export interface Browser {
  readonly cookies: readonly string[]
  readonly csrfToken: string
}

/** Asks for a CSRF token as a browser does before the first form. */
export async function newBrowser(connections: Connections, person: number): Promise<Browser> {
  const answer = await ask(connections, bytesOf('/auth/csrf', { person }))
  const { csrfToken } = JSON.parse(answer.body) as { csrfToken: string }
  return { cookies: cookiesOf(answer), csrfToken }
}

/** Begins a sign-in: the form of the sign-in page, answered with the way to the provider. */
export function signingIn(person: number, { cookies, csrfToken }: Browser): Asked {
  return {
    bytes: bytesOf(`/auth/signin/${PROVIDER}`, { person, cookies, form: { csrfToken } }),
    isRight: (answer) => answer.status === 302 && authorizationOf(answer) !== undefined,
  }
}

/** Goes through the first half of a sign-in, and returns the second: the answer of the provider. */
export async function preparedCallback(
  connections: Connections,
  person: number,
  browser: Browser,
): Promise<Asked> {
  const answer = await ask(connections, signingIn(person, browser).bytes)
  const asked = authorizationOf(answer)
  if (!asked) throw new Error(`no sign-in began: ${answer.head}`)
  const back = new URLSearchParams({
    code: `${asked.get('nonce')}.${userIdOf(person)}`,
    state: asked.get('state') ?? '',
  })
  const cookies = [...browser.cookies, ...cookiesOf(answer)]
  return {
    bytes: bytesOf(`/auth/callback/${PROVIDER}?${back}`, { person, cookies }),
    isRight: (given) => given.status === 302 && sessionTokenIn(given) !== undefined,
  }
}

/** Returns the session token that an answer sets. */
export function sessionTokenIn({ head }: Answer): string | undefined {
  return new RegExp(`^set-cookie: ${SESSION_COOKIE}=([^;]+)`, 'im').exec(head)?.[1]
}

/** Sends a request, and returns its answer. @throws if there is none */
export function ask(connections: Connections, bytes: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    connections.send(bytes, (answer) =>
      answer ? resolve(answer) : reject(new Error('the service did not answer')),
    )
  })
}

function authorizationOf({ head }: Answer): URLSearchParams | undefined {
  const location = /^location: (http:\/\/127\.0\.0\.1:\d+\/authorize\?\S+)\r$/im.exec(head)?.[1]
  return location === undefined ? undefined : new URL(location).searchParams
}

function cookiesOf({ head }: Answer): string[] {
  return [...head.matchAll(/^set-cookie: ([^;\r]+)/gim)].map(([, cookie = '']) => cookie)
}
