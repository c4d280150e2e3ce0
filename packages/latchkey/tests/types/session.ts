// Compiled with the whole repository and never run: each `@ts-expect-error` must be one.

import { createAuthClient } from '../../src/client/client.ts'
import type { Adapter, AdapterUser } from '../../src/entries/adapters.ts'
import { type AuthConfig, createLatchkey, type JWT, type Session } from '../../src/entries/index.ts'
import { type ExpressRequest, getSession } from '../../src/integrations/express.ts'
import NextAuth from '../../src/integrations/next.ts'
import github from '../../src/providers/github.ts'
import google from '../../src/providers/google.ts'

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

function is<_Holds extends true>(): void {}

const request = new Request('https://app.example/')

/** Without a callback the session is the usual one. */
export async function usual(): Promise<void> {
  const { auth, session, updateSession } = createLatchkey({ providers: [] })
  const read = await auth(request)
  is<Equal<typeof read, Session | null>>()
  is<Equal<Awaited<ReturnType<typeof session>>['session'], Session | null>>()
  is<Equal<Awaited<ReturnType<typeof updateSession>>['session'], Session | null>>()
  // @ts-expect-error: nobody may be signed in
  const name: unknown = read.user
  // @ts-expect-error: nothing of this name is in the session
  const role: unknown = read?.role
  is<Equal<NonNullable<NonNullable<typeof read>['user']>['id'], string | undefined>>()
  return void [name, role]
}

/** With `session.userId` written out, the session has the user and the id. */
export async function identified(): Promise<void> {
  const { auth } = createLatchkey({ providers: [], session: { userId: true } })
  const read = await auth(request)
  if (read) is<Equal<typeof read.user.id, string>>()
  const client = createAuthClient<typeof auth>()
  const session = await client.getSession()
  if (session) is<Equal<typeof session.user.id, string>>()

  const config = { providers: [], session: { userId: true } } satisfies AuthConfig
  const forExpress = await getSession({} as ExpressRequest, config)
  if (forExpress) is<Equal<typeof forExpress.user.id, string>>()
  const { auth: forNext } = NextAuth(config)
  const usual: Session | null = await forNext()
  // @ts-expect-error: nobody may be signed in
  return void [usual, read.user]
}

/** What the callback returns is what `auth` gives. */
export async function own(): Promise<void> {
  const { auth, updateSession } = createLatchkey({
    providers: [],
    callbacks: {
      session: ({ session, token }) => ({
        expires: session.expires,
        user: { id: String(token.sub), role: 'admin' as const },
      }),
    },
  })
  const read = await auth(request)
  is<Equal<NonNullable<typeof read>['user'], { id: string; role: 'admin' }>>()
  is<Equal<Awaited<ReturnType<typeof updateSession>>['session'], typeof read>>()
  // @ts-expect-error: the callback leaves the address out
  return void read?.user.email
}

/** Who is not signed in has no session, and who is has that of the callback. */
export async function told(): Promise<void> {
  const { auth } = createLatchkey({
    providers: [],
    callbacks: {
      session: ({ session }) => ({ expires: session.expires, user: { role: 'admin' as const } }),
    },
  })
  const result = await auth.result(request)
  if (result.status === 'authenticated') is<Equal<typeof result.session.user.role, 'admin'>>()
  else is<Equal<typeof result.session, null>>()
  // @ts-expect-error: nobody may be signed in
  return void result.session.user
}

/** Also of an asynchronous callback, and of a configuration that is a function. */
export async function later(): Promise<void> {
  const { auth } = createLatchkey(async () => ({
    providers: [],
    callbacks: {
      session: async ({ session }: { session: Session }) => ({ ...session, tenant: 7 }),
    },
  }))
  const read = await auth(new Headers())
  is<Equal<NonNullable<typeof read>['tenant'], number>>()
}

/** What `authorized` is given is what the callback in front of it returns. */
export async function judged(): Promise<void> {
  const { auth } = createLatchkey({
    providers: [github, google({ clientId: 'id' })],
    session: { strategy: 'jwt' },
    callbacks: {
      session: async ({ session, token }) => ({
        expires: String(session.expires),
        user: { id: String(token.sub), role: 'admin' as const },
      }),
      authorized({ auth, request }) {
        is<Equal<typeof auth, { expires: string; user: { id: string; role: 'admin' } } | null>>()
        is<Equal<typeof request, Request>>()
        // @ts-expect-error: the callback leaves the address out
        return auth?.user.email !== null
      },
    },
  })
  const read = await auth(request)
  is<Equal<typeof read, { expires: string; user: { id: string; role: 'admin' } } | null>>()
  createLatchkey({
    providers: [],
    callbacks: {
      authorized({ auth }) {
        is<Equal<typeof auth, Session | null>>()
        return auth !== null
      },
    },
  })
  createLatchkey({
    providers: [],
    // @ts-expect-error: a session says when it ends
    callbacks: { session: () => ({ user: { id: '1' } }) },
  })
}

/** The callback receives what there is with the strategy of the configuration. */
export async function strategies(adapter: Adapter, either: AuthConfig): Promise<void> {
  const sealed = createLatchkey({
    providers: [],
    adapter,
    session: { strategy: 'jwt', maxAge: 60 },
    callbacks: {
      session({ session, token, user }) {
        is<Equal<typeof token, JWT>>()
        is<Equal<typeof user, AdapterUser | undefined>>()
        is<Equal<typeof session.user.id, string | undefined>>()
        // @ts-expect-error: it is stored with the user, and a sealed session has none
        void session.user.emailVerified
        if (token.sub !== undefined) session.user.id = token.sub
        return session
      },
    },
  })
  const read = await sealed.auth(request)
  const id = read?.user.id
  is<Equal<typeof id, string | undefined>>()
  // @ts-expect-error: there is no stored user
  void read?.user.emailVerified
  createLatchkey({
    providers: [],
    callbacks: {
      // Neither an adapter nor a strategy: sealed.
      session({ session, user }) {
        is<Equal<typeof user, AdapterUser | undefined>>()
        return session
      },
    },
  })
  const stored = createLatchkey({
    providers: [],
    adapter,
    callbacks: {
      session({ session, token, user }) {
        is<Equal<typeof token, JWT | undefined>>()
        is<Equal<typeof user, AdapterUser>>()
        is<Equal<typeof session.user.emailVerified, Date | null>>()
        return { expires: String(session.expires), user: { id: user.id } }
      },
    },
  })
  is<
    Equal<Awaited<ReturnType<typeof stored.auth>>, { expires: string; user: { id: string } } | null>
  >()
  createLatchkey({
    providers: [],
    adapter,
    session: { strategy: 'database' },
    callbacks: {
      session({ session, user }) {
        is<Equal<typeof user, AdapterUser>>()
        is<Equal<typeof session.userId, string>>()
        return session
      },
    },
  })
  createLatchkey({
    providers: [],
    // Unknown before it runs: what there may be has its type.
    ...(either.session ? { session: either.session } : {}),
    callbacks: {
      session({ session, token, user }) {
        is<Equal<typeof token, JWT>>()
        is<Equal<typeof user, AdapterUser>>()
        return session
      },
    },
  })
}

/** At a sign-in there are a user and an account, otherwise neither. */
export const jwt: AuthConfig = {
  providers: [],
  callbacks: {
    jwt({ token, user, account, trigger, session }) {
      // @ts-expect-error: a token that is read has none
      void user.id
      if (account) token['id'] = user.id
      if (trigger === 'signUp') token['role'] = user.name
      if (trigger === 'update') token['tenant'] = session.tenant
      return user ? { ...token, id: user.id } : token
    },
  },
}

/** Providers are listed bare or called, secrets are one or several. */
export const configurations: readonly AuthConfig[] = [
  { providers: [github, google] },
  { providers: [github(), google({ clientId: 'id', checks: ['pkce', 'nonce'] })] },
  { providers: [], secret: 'one' },
  { providers: [], secret: ['new', 'old'] },
  { providers: [], secret: ['new', 'old'] as const },
  { providers: [], session: { strategy: 'database', maxAge: 60 } },
]

export const mistakes: readonly AuthConfig[] = [
  // @ts-expect-error: without providers nobody can sign in
  {},
  // @ts-expect-error: a secret is text
  { providers: [], secret: 1 },
  // @ts-expect-error: no such strategy
  { providers: [], session: { strategy: 'cookie' } },
  // @ts-expect-error: no such check
  { providers: [github({ checks: ['pkce', 'magic'] })] },
  // @ts-expect-error: no such member
  { providers: [], sesion: {} },
  // @ts-expect-error: the marker, not true
  { providers: [], skipCSRFCheck: true },
  // @ts-expect-error: a colour scheme has three values
  { providers: [], theme: { colorScheme: 'blue' } },
]
