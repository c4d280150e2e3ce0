import * as v from 'valibot'
import type { AuthConfig } from '../../src/entries/index.ts'
import { type Call, definedOnly, definePlugin, type Host } from '../../src/entries/plugin.ts'
import { codeField } from '../../src/entries/plugin-pages.ts'
import type { TestProvider, World } from '../../src/entries/testing.ts'
import { customFetch } from '../../src/options/markers.ts'
import { type PasswordsSite, passwordsSite } from './passwords-site.ts'

/** The right code of {@link codes}. */
export const CODE = '123456'

/** Returns the provider with metadata that say which claims it has. @param claims `null` for metadata that do not say it */
export function claiming(
  { provider, client }: TestProvider,
  claims: readonly string[] | null = ['sub', 'auth_time'],
): TestProvider['provider'] {
  const ask = client[customFetch]
  const saying: typeof fetch = async (input, init) => {
    const answer = await ask(input, init)
    if (!new Request(input, init).url.includes('/.well-known/')) return answer
    const metadata = (await answer.json()) as object
    return Response.json({ ...metadata, ...(claims && { claims_supported: claims }) })
  }
  return { ...provider, [customFetch]: saying }
}

/** A second factor: a code that never changes, for users whose id is in the list. */
export const codes = (users: readonly string[] | 'all' = 'all') =>
  definePlugin<'codes'>({
    name: 'codes',
    setUp: (host) => ({
      proofs: {
        factors: (userId) => (users !== 'all' && users.includes(userId) ? 2 : 1),
        setUpPage: host.site.path('codes/set-up'),
        ways: [
          {
            id: 'code',
            amr: ['otp'],
            label: 'Use a code',
            fields: ['code'],
            has: ({ user }) => users === 'all' || users.includes(user.id),
            form: ({ isWrong }) => ({
              content: codeField(
                { label: 'Code', name: 'code', error: isWrong ? 'This is not it.' : undefined },
                6,
              ),
            }),
            check: (_, { code }) =>
              code === CODE ? { isRight: true } : { isRight: false, field: 'code' },
          },
        ],
      },
    }),
  })

interface Step {
  readonly maxAge?: number | undefined
  readonly factors?: 1 | 2 | undefined
  readonly acr?: string | undefined
}

/** Shows what a session says about its proof, and has a step that needs one. */
export const vault = () =>
  definePlugin<'vault', object, Host>({
    name: 'vault',
    routes: {
      'vault/facts': {
        GET: {
          who: 'user',
          callers: 'scripts',
          run: async () => async (call: Call) => {
            const { auth_time, second_time, amr, acr } = (await call.current?.facts.known()) ?? {}
            const sid = await call.current?.facts.sid()
            return { json: definedOnly({ auth_time, second_time, amr, acr, sid }) }
          },
        },
      },
      'vault/open': {
        GET: { who: 'user', run: async () => async () => ({ json: { page: 'vault' } }) },
        POST: {
          who: 'user',
          input: async () =>
            v.strictObject({
              maxAge: v.optional(v.number()),
              factors: v.optional(v.picklist([1, 2])),
              acr: v.optional(v.string()),
            }),
          run: async () => async (call: Call<Step>, host: Host) => {
            await host.sessions.needFresh(call.current, call.input, host.site.path('vault/open'))
            return { json: { isOpen: true } }
          },
        },
      },
    },
    setUp: (host) => ({ own: host }),
  })

/** Facts of a session, as `vault` shows them. */
export interface Facts {
  readonly auth_time?: number
  readonly second_time?: number
  readonly amr?: readonly string[]
  readonly acr?: string
  readonly sid: string
}

/** A site with passwords and a step that needs a proof. */
export interface ReauthenticateSite extends PasswordsSite {
  facts(world?: World): Promise<Facts>
  /** Tries the step. @returns the status, and the page of a refusal. */
  open(step: Step, world?: World): Promise<{ readonly status: number; readonly next: string }>
  /** Sends a proof for the need in the address of a page. */
  prove(next: string, fields: Readonly<Record<string, string>>, world?: World): Promise<Response>
}

/** @param further options of the configuration */
export function reauthenticateSite(
  { plugins = [], ...further }: Partial<AuthConfig> = {},
  options: Parameters<typeof passwordsSite>[0] = {},
  providers: AuthConfig['providers'] = [],
  worldOptions: Parameters<typeof passwordsSite>[2] = {},
): ReauthenticateSite {
  const all = { ...further, plugins: [vault(), ...plugins] }
  const site = passwordsSite(options, all, worldOptions, providers)
  return {
    ...site,
    facts: async (world = site.world) =>
      (await (await world.get('/auth/vault/facts')).json()) as Facts,
    async open(step, world = site.world) {
      const answer = await site.json('vault/open', step, world)
      const { next = '' } = (await answer.json()) as { next?: string }
      return { status: answer.status, next }
    },
    prove(next, fields, world = site.world) {
      const sealed = new URL(next, 'https://app.example').searchParams.get('for')
      return site.json('reauthenticate', { ...(sealed && { for: sealed }), ...fields }, world)
    },
  }
}
