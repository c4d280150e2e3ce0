import { expect, test } from 'vitest'
import { memoryAdapter } from '../adapters/memory/index.ts'
import { withProviders } from '../core/compile/providers.ts'
import { createWorld } from '../entries/testing.ts'
import type { SiteRequest } from '../http/request.ts'
import { trusted } from '../http/safe-url.ts'
import type { Adapter } from '../model/adapter.ts'
import type { ProvenAccount } from '../plan/provider.ts'
import type { Proof } from '../session/strategy.ts'
import { watchOf } from '../session/watch.ts'
import { establishSession } from './establish-session.ts'

const SECOND = Date.UTC(2030, 0, 1) / 1000

/** What is issued for an identity of Ada, who is stored already, and what was called in between. */
async function issuedFor(
  identity: Partial<ProvenAccount>,
): Promise<{ proof: Proof; calls: string[] }> {
  const calls: string[] = []
  const adapter = memoryAdapter() as Required<Adapter>
  const ada = { id: 'ada', name: 'Ada', email: 'ada@example.com', emailVerified: null }
  const user = await adapter.createUser(ada)
  const provider = 'github'
  await adapter.linkAccount({ userId: user.id, provider, providerAccountId: '1', type: 'oauth' })
  const { core, config } = createWorld({ adapter, callbacks: { signIn: () => true } })
  const plan = withProviders(core.plan(config))
  const hooks = {
    beforeProof: (userId: string) => {
      calls.push(`beforeProof ${userId}`)
      return { epoch: 3 }
    },
  }
  let proof: Proof | undefined
  const session: typeof plan.session = {
    ...plan.session,
    async issue(_signedIn, _request, given) {
      calls.push('issue')
      proof = given
      return []
    },
  }
  const request: SiteRequest = {
    method: 'GET',
    origin: 'https://app.example',
    base: 'https://app.example/auth',
    secure: true,
    query: new URLSearchParams(),
    cookies: { get: () => undefined, names: () => [] },
    form: {},
    original: new Request('https://app.example/'),
  }
  const visit = {
    csrfToken: undefined,
    since: 0,
    csrfVerified: true,
    callbackUrl: trusted('/'),
    cookies: [],
  }
  const watch = watchOf({ sessions: hooks }, plan.ports)
  await establishSession(
    {
      proven: 'account',
      user,
      account: { provider, providerAccountId: '1', type: 'oauth' },
      stored: {},
      profile: {},
      linksByAddress: false,
      deniesAddress: false,
      provesAddress: false,
      cookies: [],
      ...identity,
    },
    request,
    visit,
    { ...plan, session, watch },
  )
  if (!proof) throw new Error('no session was issued')
  return { proof, calls }
}

test('the facts to compare are read as soon as the user is known, and come with the proof', async () => {
  const { proof, calls } = await issuedFor({})
  expect(calls).toEqual(['beforeProof ada', 'issue'])
  expect(proof).toMatchObject({ before: { sessions: { epoch: 3 } }, amr: ['fed'] })
  expect(proof.authTime).toBe(SECOND)
})

test('the time of the proof is that of the flow, with its methods', async () => {
  const before = { sessions: { epoch: 2 } }
  const { proof, calls } = await issuedFor({ before, amr: ['fed', 'mfa'] })
  expect(calls).toEqual(['issue'])
  expect(proof).toMatchObject({ before, amr: ['fed', 'mfa'] })
})

test.each([
  ['oidc', -60, -60],
  ['oidc', 60, 0],
  ['oauth', -60, 0],
] as const)(
  'the time of the proof is the `auth_time` of an ID token in the past: %s, %i s',
  async (type, said, taken) => {
    const { proof } = await issuedFor({
      account: { provider: 'github', providerAccountId: '1', type },
      profile: { auth_time: SECOND + said },
    })
    expect(proof.authTime).toBe(SECOND + taken)
  },
)
