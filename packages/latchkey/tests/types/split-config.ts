// Compiled with the whole repository and never run: each `@ts-expect-error` must be one.
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { createLatchkey, splitConfig } from '../../src/entries/index.ts'
import github from '../../src/providers/github.ts'
import { createVerifier } from '../../src/verifier/session-verifier.ts'

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

function is<_Holds extends true>(): void {}

const whole = {
  providers: [github],
  adapter: memoryAdapter(),
  session: { strategy: 'jwt', maxAge: 60 },
  callbacks: {
    session: ({ session }: { session: { expires: string } }) => ({
      expires: session.expires,
      user: { id: '1', role: 'admin' as const },
    }),
  },
} as const

/** The session is what the callback makes of it, on either side. */
export async function halves(request: Request): Promise<void> {
  const edge = splitConfig(whole)
  const here = await createLatchkey(whole).auth(request)
  const there = await createLatchkey(edge).auth(request)
  const verified = await createVerifier(edge)(request)
  is<Equal<typeof there, typeof here>>()
  is<Equal<typeof verified, typeof here>>()
  is<Equal<NonNullable<typeof there>['user']['role'], 'admin'>>()
  // @ts-expect-error: the adapter stays where the database is
  return void edge.adapter
}

export const mistakes = [
  // @ts-expect-error: stored sessions need the adapter
  () => splitConfig({ providers: [], session: { strategy: 'database' } }),
  // @ts-expect-error: with an adapter sessions are stored, unless `session` says otherwise
  () => splitConfig({ providers: [], adapter: memoryAdapter() }),
  // @ts-expect-error: and `strategy` in it
  () => splitConfig({ providers: [], adapter: memoryAdapter(), session: { maxAge: 60 } }),
]
