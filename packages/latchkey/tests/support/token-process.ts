// A process of a site with the plugin `providerTokens`, on PostgreSQL: `fork` it with what it needs as JSON. It waits for
// a message, asks for the token so many times at once, and sends what came of it.
import process from 'node:process'
import pg from 'pg'
import { sqlAdapter } from '../../src/adapters/sql/index.ts'
import { pgStore } from '../../src/adapters/sql/pg.ts'
import { systemPorts } from '../../src/base/ports.ts'
import { createAuth } from '../../src/core/auth.ts'
import { type ProviderTokensApi, providerTokens } from '../../src/plugins/provider-tokens/index.ts'
import { tokenProvider } from './token-provider.ts'

/** What a process is told. */
export interface TokenProcess {
  readonly issuer: string
  readonly connectionString: string
  /** Of somebody who is signed in. */
  readonly cookie: string
  /** Milliseconds by which its clock is ahead. */
  readonly ahead: number
  /** Where it says that it is there, and waits to be killed. */
  readonly stopAt?: 'ask' | 'answer' | undefined
}

const told = JSON.parse(process.argv[2] ?? '{}') as TokenProcess
const adapter = sqlAdapter(pgStore(new pg.Pool({ connectionString: told.connectionString })), {
  records: true,
})

async function stop(at: TokenProcess['stopAt']): Promise<void> {
  if (told.stopAt !== at) return
  process.send?.({ stopped: at })
  await new Promise(() => undefined)
}

const core = createAuth({
  ...systemPorts,
  now: () => Date.now() + told.ahead,
  fetch: async (input, init) => {
    const isRenewal = String(init?.body ?? '').includes('refresh_token')
    if (isRenewal) await stop('ask')
    const answer = await fetch(input, init)
    if (isRenewal) await stop('answer')
    return answer
  },
})
const config = {
  trustHost: true,
  secret: 'a secret for tests, 0123456789abcdef',
  adapter,
  providers: [tokenProvider(told.issuer)],
  // The provider's tokens last for a minute: fresh ones are good for all that this takes.
  plugins: [providerTokens({ margin: 5 })],
  session: { strategy: 'jwt' as const },
}
const api = core.plan(config).plugins?.api('providerTokens') as unknown as ProviderTokensApi

process.on('message', (times: number) => {
  void ask(times)
})

async function ask(times: number): Promise<void> {
  const request = new Request('https://app.example/', { headers: { cookie: told.cookie } })
  const answers = await Promise.all(
    Array.from({ length: times }, async () => {
      const answer = await api.get(request, 'acme')
      return answer.ok ? answer.access_token : answer.error
    }),
  )
  process.send?.({ tokens: [...new Set(answers)] })
}
