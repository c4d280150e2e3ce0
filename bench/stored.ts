import { Auth, type AuthConfig, createLatchkey } from 'latchkey'
import { cookiesOf, get, ourConfig, ours, post, sessionCookie } from './contenders.ts'
import type { Contender } from './measure.ts'

export type Adapter = NonNullable<AuthConfig['adapter']>

/** Sessions that are asked for in turns; the others lie between them. */
export const ASKED_FOR = 256

/** What a case has of a store. */
export interface OurStore {
  readonly adapter: Adapter
  /** `Cookie` headers of sessions that were begun with the library, which stores their hash. */
  readonly ourCookies: readonly string[]
}

function configOf(adapter: Adapter, id: string): AuthConfig {
  const config: AuthConfig = { ...ourConfig(), adapter, session: { strategy: 'database' } }
  config.providers = [
    {
      id: 'credentials',
      name: 'Id',
      type: 'credentials',
      credentials: {},
      authorize: () => ({ id }),
    },
  ]
  return config
}

async function csrfOf(config: AuthConfig): Promise<{ cookies: string; csrfToken: string }> {
  const answer = await Auth(get('csrf')(), config)
  const cookies = cookiesOf(answer)
  const { csrfToken } = (await answer.json()) as { csrfToken: string }
  return { cookies, csrfToken }
}

/** @returns the `Cookie` header of a new session. */
export async function signedIn(adapter: Adapter, id: string): Promise<string> {
  const config = configOf(adapter, id)
  const { cookies, csrfToken } = await csrfOf(config)
  const answer = await Auth(post('callback/credentials', cookies, { csrfToken })(), config)
  return sessionOf(cookiesOf(answer))
}

function sessionOf(cookies: string): string {
  return cookies
    .split('; ')
    .filter((cookie) => cookie.startsWith(sessionCookie))
    .join('; ')
}

/** Each time the next of them. */
export function inTurns<T>(values: readonly T[]): () => T {
  let turn = 0
  return () => values[turn++ % values.length] as T
}

export function reading(cookies: readonly string[]): () => Request {
  const requests = cookies.map((each) => get('session', each))
  const next = inTurns(requests)
  return () => next()()
}

export async function isAda(response: Response): Promise<boolean> {
  const session = (await response.json()) as { user?: { name?: string } } | null
  return response.status === 200 && session?.user?.name === 'Ada'
}

export function ourReads({ adapter, ourCookies }: OurStore): Contender {
  const config: AuthConfig = {
    ...ourConfig({ providers: 2 }),
    adapter,
    session: { strategy: 'database' },
  }
  return ours(config, reading(ourCookies), isAda)
}

/** In the process of the application, as it asks who is signed in: no answer is made. */
export function ourReadsInside({ adapter, ourCookies }: OurStore): Contender<Request> {
  const { auth } = createLatchkey(
    { ...ourConfig({ providers: 2 }), adapter, session: { strategy: 'database' } },
    {},
  )
  return {
    prepare: reading(ourCookies),
    run: (request) => auth(request),
    verify: (session) => (session as { user?: { name?: string } } | null)?.user?.name === 'Ada',
  }
}

/** With credentials, which leaves the time to the store: a session more each time. */
export async function ourSignIns({ adapter }: OurStore): Promise<Contender> {
  const config = configOf(adapter, 'ours-0')
  const { cookies, csrfToken } = await csrfOf(config)
  return ours(
    config,
    post('callback/credentials', cookies, { csrfToken }),
    (answer) => sessionOf(cookiesOf(answer)) !== '',
  )
}
