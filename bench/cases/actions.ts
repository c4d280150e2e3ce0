import { Auth as PeerAuth } from '@auth/core'
import { Auth } from 'latchkey'
import {
  begun,
  cookiesOf,
  emptyResponse,
  type Form,
  get,
  ourConfig,
  ours,
  peer,
  peerConfig,
  post,
} from '../contenders.ts'
import type { Case, Planned } from '../measure.ts'

const ten = { providers: 10 }

/** Whether a response has a CSRF token and sets a cookie. */
export async function isCsrf(response: Response): Promise<boolean> {
  const { csrfToken } = (await response.json()) as { csrfToken: string }
  return /^[\da-f]{64}$/.test(csrfToken) && response.headers.getSetCookie().length > 0
}

async function csrf(): Promise<Case> {
  return {
    ask: 8,
    ours: ours(ourConfig(ten), get('csrf'), isCsrf),
    peer: peer(peerConfig(ten), get('csrf'), isCsrf),
    limit: emptyResponse,
  }
}

async function providers(): Promise<Case> {
  const verify = async (response: Response): Promise<boolean> =>
    Object.keys((await response.json()) as object).length === 10
  return {
    ask: 7,
    ours: ours(ourConfig(ten), get('providers'), verify),
    peer: peer(peerConfig(ten), get('providers'), verify),
    limit: emptyResponse,
  }
}

async function signInPage(): Promise<Case> {
  const verify = async (response: Response): Promise<boolean> => {
    const html = await response.text()
    return html.includes('/signin/spotify') && html.includes('type="password"')
  }
  return {
    ask: 8,
    ours: ours(ourConfig(ten), get('signin'), verify),
    peer: peer(peerConfig(ten), get('signin'), verify),
    limit: emptyResponse,
  }
}

async function credentials(): Promise<Case> {
  const [config, theirConfig] = [ourConfig(), peerConfig()]
  const [a, b] = [
    await begun((request) => Auth(request, config)),
    await begun((request) => PeerAuth(request, theirConfig)),
  ]
  const verify = (response: Response): boolean =>
    response.status === 302 && cookiesOf(response).includes('session-token=')
  const form = ({ csrfToken, response }: typeof a): (() => Request) =>
    post('callback/credentials', cookiesOf(response), { csrfToken, password: 'right' })
  return {
    ask: 8,
    ours: ours(config, form(a), verify),
    peer: peer(theirConfig, form(b), verify),
    limit: emptyResponse,
  }
}

/** The form that begins a sign-in with a provider, whose endpoints are known. */
async function beginOAuth(): Promise<Case> {
  const [config, theirConfig] = [ourConfig(ten), peerConfig(ten)]
  const [a, b] = [
    await begun((request) => Auth(request, config)),
    await begun((request) => PeerAuth(request, theirConfig)),
  ]
  const verify = (response: Response): boolean =>
    response.status === 302 &&
    (response.headers.get('location') ?? '').startsWith(
      'https://github.com/login/oauth/authorize?',
    ) &&
    /latchkey\.sign-in|code_verifier/.test(cookiesOf(response))
  const form = ({ csrfToken, response }: typeof a): (() => Request) =>
    post('signin/github', cookiesOf(response), { csrfToken, callbackUrl: '/in' })
  return {
    ask: 8,
    ours: ours(config, form(a), verify),
    peer: peer(theirConfig, form(b), verify),
    limit: emptyResponse,
  }
}

async function signOut(): Promise<Case> {
  const [config, theirConfig] = [ourConfig(), peerConfig()]
  const signedIn = async (
    answer: (request: Request) => Promise<Response>,
  ): Promise<() => Request> => {
    const first = await begun(answer)
    const form = post('callback/credentials', cookiesOf(first.response), {
      csrfToken: first.csrfToken,
    })
    const cookies = cookiesOf(first.response, await answer(form()))
    // Ours changes the token when somebody signs in.
    const { csrfToken } = (await (await answer(get('csrf', cookies)())).json()) as Form
    return post('signout', cookies, { csrfToken })
  }
  const verify = (response: Response): boolean =>
    response.status === 302 &&
    /session-token=; Max-Age=0/.test(response.headers.getSetCookie().join())
  return {
    ask: 25,
    ours: ours(config, await signedIn((request) => Auth(request, config)), verify),
    peer: peer(theirConfig, await signedIn((request) => PeerAuth(request, theirConfig)), verify),
    limit: emptyResponse,
  }
}

/** What is not the session. */
export const actions: readonly Planned[] = [
  ['`GET csrf`, first visit', csrf],
  ['`GET providers`, 10 of them', providers],
  ['sign-in page, 10 providers', signInPage],
  ['credentials sign-in, JWT', credentials],
  ['OAuth sign-in begun, `POST signin/github`', beginOAuth],
  ['sign-out, JWT', signOut],
]
