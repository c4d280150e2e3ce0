import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Auth as PeerAuth, type AuthConfig as PeerConfig } from '@auth/core'
import { Auth, type AuthConfig } from 'latchkey'
import { cookiesOf, get, ourConfig, peerConfig, post } from '../contenders.ts'
import { type Case, type Contender, type Planned, runOnce } from '../measure.ts'
import { signInByHand } from './oidc-by-hand.ts'

type Answer = (request: Request) => Promise<Response>

/** Milliseconds that each answer of the provider takes, as over a network. */
const NETWORK = 25

async function startProvider(delay: number): Promise<{ issuer: string; close(): void }> {
  const child = fork(new URL('../provider.ts', import.meta.url), {
    env: { ...process.env, DELAY: String(delay) },
    execArgv: [],
  })
  const [issuer] = (await once(child, 'message')) as [string]
  return { issuer, close: () => child.kill() }
}

function providersAt(issuer: string): object[] {
  return [
    {
      id: 'op',
      name: 'OP',
      type: 'oidc',
      issuer,
      clientId: 'client',
      clientSecret: 'secret',
      checks: ['pkce', 'state', 'nonce'],
    },
  ]
}

async function requestsTo(issuer: string): Promise<number> {
  return (await (await fetch(`${issuer}/requests`)).json()) as number
}

/** A whole sign-in: the form, the provider's answer, the session. */
async function signingIn(answer: Answer, issuer: string, requests: number): Promise<Contender> {
  const first = await answer(get('csrf')())
  const cookies = cookiesOf(first)
  const { csrfToken } = (await first.json()) as { csrfToken: string }
  const form = post('signin/op', cookies, { csrfToken })
  const callback = (begun: Response): Request => {
    const asked = new URL(begun.headers.get('location') ?? '').searchParams
    const back = new URLSearchParams({
      code: asked.get('nonce') ?? '',
      state: asked.get('state') ?? '',
    })
    return get(`callback/op?${back}`, [cookies, cookiesOf(begun)].join('; '))()
  }
  const run = (input: unknown): Promise<Response> => answer(input as Request)
  const contender: Contender = {
    prepare: form,
    run,
    next: { prepare: (begun) => callback(begun as Response), run },
    async verify(response) {
      const before = await requestsTo(issuer)
      await runOnce(contender)
      const asked = (await requestsTo(issuer)) - before
      if (asked !== requests) throw new Error(`${asked} requests to the provider, not ${requests}`)
      return cookiesOf(response as Response).includes('session-token=')
    },
  }
  await runOnce(contender)
  return contender
}

/** How each contender signs in at a provider. */
const contenders = {
  ours(issuer: string): Promise<Contender> {
    const config = { ...ourConfig(), providers: providersAt(issuer) } as AuthConfig
    return signingIn((request) => Auth(request, config), issuer, 1)
  },
  peer(issuer: string): Promise<Contender> {
    const config = { ...peerConfig(), providers: providersAt(issuer) } as PeerConfig
    // An earlier version of ours, in place of the peer, makes one.
    const requests = process.env['BENCH_BEFORE'] === undefined ? 3 : 1
    return signingIn((request) => PeerAuth(request, config), issuer, requests)
  },
  async hand(issuer: string): Promise<Contender> {
    return signingIn(await signInByHand(issuer), issuer, 1)
  },
}

/** Whose sign-ins are measured. */
export type Who = keyof typeof contenders

function signIn(delay: number, clock: 'processor' | 'wall'): () => Promise<Case> {
  return async () => {
    const { issuer, close } = await startProvider(delay)
    return {
      ask: 3,
      clock,
      longer: 10,
      ours: await contenders.ours(issuer),
      peer: await contenders.peer(issuer),
      close,
    }
  }
}

/** Sign-ins of a process that are timed by {@link firstSignIns}. */
const FIRST = 100

/** Microseconds of processor time that each of the first sign-ins of this process takes. */
export async function firstSignIns(who: Who): Promise<number> {
  const { issuer, close } = await startProvider(0)
  const contender = await contenders[who](issuer)
  if (!(await contender.verify(await runOnce(contender)))) throw new Error(`${who} did not sign in`)
  const start = process.cpuUsage()
  for (let count = 0; count < FIRST; count++) await runOnce(contender)
  const { user, system } = process.cpuUsage(start)
  close()
  return (user + system) / FIRST
}

export const oidc: readonly Planned[] = [
  ['OpenID Connect sign-in, processor time', signIn(0, 'processor')],
  [`OpenID Connect sign-in, ${NETWORK} ms of network`, signIn(NETWORK, 'wall')],
]
