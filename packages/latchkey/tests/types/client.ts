// Compiled with the whole repository and never run: each `@ts-expect-error` must be one.
import { mount } from 'svelte'
import { createAuthClient, type SignInResult } from '../../src/client/index.ts'
import { createUseSession, SessionProvider, useSession } from '../../src/client/react.ts'
import { createSession } from '../../src/client/solid.ts'
import { sessionStore } from '../../src/client/svelte.ts'
import { SignIn, SignOut } from '../../src/client/sveltekit-components.ts'
import { useSession as useVueSession } from '../../src/client/vue.ts'
import { createLatchkey, type Session } from '../../src/entries/index.ts'
import NextAuth from '../../src/integrations/next.ts'

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

function is<_Holds extends true>(): void {}

interface Own {
  expires: string
  user: { id: string; role: 'admin' | 'reader' }
}

const config = {
  providers: [],
  callbacks: {
    session: ({ session }: { session: { expires: string } }): Own => ({
      expires: session.expires,
      user: { id: '1', role: 'admin' },
    }),
  },
} as const
const latchkey = createLatchkey(config)
const { auth } = latchkey
const next = NextAuth(config)

/** The session of a client is the server's, without a word about it elsewhere. */
export async function clients(): Promise<void> {
  const client = createAuthClient<typeof auth>()
  is<Equal<Awaited<ReturnType<typeof client.getSession>>, Own | null>>()
  // As with Auth.js.
  await client.getSession({ broadcast: false })
  is<Equal<typeof client.store.state.data, Own | null | undefined>>()
  is<Equal<Awaited<ReturnType<typeof client.store.update>>, Own | null>>()
  const ofInstance = createAuthClient<typeof latchkey>()
  is<Equal<typeof ofInstance, typeof client>>()
  const ofNext = createAuthClient<typeof next.auth>()
  is<Equal<typeof ofNext, typeof client>>()
  const named = createAuthClient<Own>({ basePath: '/auth' })
  is<Equal<typeof named, typeof client>>()
  const usual = createAuthClient()
  is<Equal<typeof usual.store.state.data, Session | null | undefined>>()
  const vue = useVueSession(client)
  is<Equal<typeof vue.value.data, Own | null | undefined>>()
  const solid = createSession(client)
  is<Equal<ReturnType<typeof solid>['data'], Own | null | undefined>>()
  sessionStore(client).subscribe(({ data }) => is<Equal<typeof data, Own | null | undefined>>())
  // Who stays on the page is told what came of it, and others may have left.
  const stayed = await client.signIn('password', { redirect: false })
  is<Equal<typeof stayed, SignInResult>>()
  is<Equal<Awaited<ReturnType<typeof client.signIn>>, SignInResult | undefined>>()
  const left = await client.signIn('password', { name: 'Ada', redirect: Math.random() > 0 })
  is<Equal<typeof left, SignInResult | undefined>>()
  is<Equal<Awaited<ReturnType<typeof client.signOut<false>>>, { url: string }>>()
  SessionProvider({ client, session: await auth(new Headers()) })
}

export function hooks(): void {
  const useOwn = createUseSession<typeof auth>()
  const { data, status, update } = useOwn()
  is<Equal<typeof data, Own | null>>()
  is<Equal<Awaited<ReturnType<typeof update>>, Own | null>>()
  if (status === 'authenticated') is<Equal<typeof data, Own>>()
  const required = useOwn({ required: true })
  is<Equal<typeof required.status, 'authenticated' | 'loading'>>()
  // @ts-expect-error: the callback leaves the address out
  void data?.user.email
  const usual = useSession()
  is<Equal<typeof usual.data, Session | null>>()
}

export function components(target: Element): void {
  const options = { redirectTo: '/next', redirect: false, tenant: 7 }
  mount(SignIn, { target, props: { provider: 'github', options, className: 'wide', id: 'in' } })
  mount(SignIn, { target, props: { options: new FormData(), authorizationParams: 'prompt=login' } })
  mount(SignOut, { target, props: { signOutPage: 'leave', options: { redirectTo: '/bye' } } })
  // @ts-expect-error: it is an id
  mount(SignIn, { target, props: { provider: 7 } })
  // @ts-expect-error: a text is no snippet
  mount(SignOut, { target, props: { submitButton: 'Leave' } })
}

/** What a route or a proxy is given. */
export const route = next.auth((request) => {
  is<Equal<typeof request.auth, Own | null>>()
  return new Response(request.auth?.user.role)
})

/** What `authorized` is given, in the configuration of an application for Next.js, too. */
export const protectedPages = NextAuth({
  providers: [],
  callbacks: {
    session: ({ session, token }) => ({
      expires: String(session.expires),
      user: { id: String(token.sub), role: 'reader' as const },
    }),
    authorized: ({ auth }) => {
      is<Equal<typeof auth, { expires: string; user: { id: string; role: 'reader' } } | null>>()
      return auth !== null
    },
  },
})
