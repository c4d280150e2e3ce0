/** The files of an application, by path. */
export type Files = Readonly<Record<string, string>>

/** `auth.config.ts`, `auth.ts`, `proxy.ts`, a server action and a page, as in the course of Next.js. */
export const learn: Files = {
  'auth.config.ts': `
import type { NextAuthConfig } from 'next-auth'

export const authConfig = {
  pages: { signIn: '/login' },
  callbacks: {
    authorized({ auth, request: { nextUrl } }) {
      const isLoggedIn = !!auth?.user
      const isOnDashboard = nextUrl.pathname.startsWith('/dashboard')
      if (isOnDashboard) {
        if (isLoggedIn) return true
        return false
      } else if (isLoggedIn) {
        return Response.redirect(new URL('/dashboard', nextUrl))
      }
      return true
    },
  },
  providers: [],
} satisfies NextAuthConfig
`,
  'auth.ts': `
import NextAuth from 'next-auth'
import Credentials from 'next-auth/providers/credentials'
import { authConfig } from './auth.config'

declare function find(email: string): Promise<{ id: string; name: string; email: string; password: string } | undefined>

export const { auth, signIn, signOut } = NextAuth({
  ...authConfig,
  providers: [
    Credentials({
      async authorize(credentials) {
        const user = await find(String(credentials.email))
        if (!user) return null
        if (user.password === credentials.password) return user
        return null
      },
    }),
  ],
})
`,
  'proxy.ts': `
import NextAuth from 'next-auth'
import { authConfig } from './auth.config'

export default NextAuth(authConfig).auth

export const config = { matcher: ['/((?!api|_next/static|_next/image|.*\\\\.png$).*)'] }
`,
  'app/lib/actions.ts': `
'use server'
import { AuthError } from 'next-auth'
import { signIn, signOut } from '@/auth'

export async function authenticate(prevState: string | undefined, formData: FormData) {
  try {
    await signIn('credentials', formData)
  } catch (error) {
    if (error instanceof AuthError) {
      switch (error.type) {
        case 'CredentialsSignin':
          return 'Invalid credentials.'
        default:
          return 'Something went wrong.'
      }
    }
    throw error
  }
}

export async function leave() {
  await signOut({ redirectTo: '/' })
}
`,
}

/** Sealed sessions with roles: a configuration for the edge, one for Node.js, and augmented types. */
export const passwords: Files = {
  'types/next-auth.d.ts': `
import type { DefaultSession } from 'next-auth'
import type { JWT } from 'next-auth/jwt'

declare module 'next-auth' {
  interface Session {
    user: { id: string; role: 'ADMIN' | 'USER' } & DefaultSession['user']
    accessToken?: string
    error?: 'RefreshTokenError'
  }
  interface User {
    role?: 'ADMIN' | 'USER'
  }
  interface Account {
    tenant?: string
  }
  interface Profile {
    hd?: string
  }
}

declare module 'next-auth/jwt' {
  interface JWT {
    id?: string
    role?: 'ADMIN' | 'USER'
    accessToken?: string
  }
}
`,
  'auth.config.ts': `
import type { NextAuthConfig } from 'next-auth'
import GitHub from 'next-auth/providers/github'
import Google from 'next-auth/providers/google'

export default {
  providers: [
    GitHub,
    Google({ clientId: process.env.GOOGLE_CLIENT_ID, clientSecret: process.env.GOOGLE_CLIENT_SECRET!, allowDangerousEmailAccountLinking: true }),
  ],
  session: { strategy: 'jwt' },
  pages: { signIn: '/login', error: '/login' },
  callbacks: {
    async jwt({ token, user, account, trigger, session }) {
      if (user) {
        token.id = user.id
        token.role = user.role
      }
      if (account) {
        token.accessToken = account.access_token
        token.sub = user.id
      }
      if (trigger === 'update' && session?.name) token.name = session.name
      return token
    },
    session({ session, token }) {
      if (session.user && token.sub) session.user.id = token.sub
      if (session.user) {
        session.user.id = token.id as string
        session.user.role = token.role as 'ADMIN' | 'USER'
      }
      session.accessToken = token.accessToken
      return session
    },
    async signIn({ user, account, profile }) {
      if (account?.provider === 'google') return profile?.email_verified === true && profile.hd === 'acme.example'
      return user.email !== undefined
    },
    async redirect({ url, baseUrl }) {
      if (url.startsWith('/')) return baseUrl + url
      return new URL(url).origin === baseUrl ? url : baseUrl
    },
    authorized: async ({ auth, request }) => {
      const url = request.nextUrl.clone()
      url.pathname = '/login'
      return auth?.user?.role === 'ADMIN' || request.cookies.has('preview') || Response.redirect(url)
    },
  },
} satisfies NextAuthConfig
`,
  'auth.ts': `
import NextAuth, { type Session, type User } from 'next-auth'
import type { JWT } from 'next-auth/jwt'
import Credentials from 'next-auth/providers/credentials'
import authConfig from './auth.config'

export const {
  handlers: { GET, POST },
  auth,
  signIn,
  signOut,
  unstable_update,
} = NextAuth({
  ...authConfig,
  trustHost: true,
  secret: process.env.AUTH_SECRET,
  debug: process.env.NODE_ENV === 'development',
  session: { strategy: 'jwt', maxAge: 30 * 24 * 60 * 60 },
  providers: [
    ...authConfig.providers,
    Credentials({
      name: 'credentials',
      credentials: { email: { label: 'Email', type: 'email' }, password: { label: 'Password', type: 'password' } },
      async authorize(credentials, request): Promise<User | null> {
        if (!credentials?.email || !credentials.password) return null
        return { id: '1', email: credentials.email as string, name: 'Ada', role: 'ADMIN' }
      },
    }),
  ],
  callbacks: {
    ...authConfig.callbacks,
    async session({ session, token, user }) {
      session.user.id = token.sub!
      session.user.role = token.role ?? user?.role ?? 'USER'
      return session
    },
  },
  events: {
    async linkAccount({ user }) {
      await Promise.resolve(user.id)
    },
    async signIn({ user, isNewUser }) {
      if (isNewUser) await Promise.resolve(user.email)
    },
  },
})

export const helper = (session: Session, token: JWT): Session => ({ ...session, error: token.exp ? undefined : 'RefreshTokenError' })

export const { auth: plain } = NextAuth({
  providers: [],
  callbacks: {
    jwt({ token, user }) {
      if (user) token.id = user.id
      return { ...token, ...user }
    },
    async session({ session, token }) {
      session.user.id = token.sub!
      session.user.name = token.name
      return { ...session, user: { ...session.user, id: token.sub! } }
    },
  },
})
`,
  'app/api/auth/[...nextauth]/route.ts': `
export { GET, POST } from '@/auth'
export const runtime = 'nodejs'
`,
  'app/api/posts/[id]/route.ts': `
import { NextResponse } from 'next/server'
import { auth } from '@/auth'

export const GET = auth(async function GET(req, ctx) {
  const { id } = await ctx.params
  if (req.auth) return NextResponse.json({ id, me: req.auth.user?.id, page: req.nextUrl.searchParams.get('page') })
  return NextResponse.json({ message: 'Not authenticated' }, { status: 401 })
})
`,
  'middleware.ts': `
import { NextResponse } from 'next/server'
import NextAuth from 'next-auth'
import authConfig from './auth.config'

const { auth } = NextAuth(authConfig)

export default auth((req) => {
  const { nextUrl } = req
  const isLoggedIn = !!req.auth
  const role = req.auth?.user?.role
  if (nextUrl.pathname.startsWith('/admin') && role !== 'ADMIN') return NextResponse.redirect(new URL('/', nextUrl))
  if (!isLoggedIn && !req.cookies.get('guest')?.value) {
    const callbackUrl = encodeURIComponent(nextUrl.pathname + nextUrl.search)
    return Response.redirect(new URL('/login?callbackUrl=' + callbackUrl, req.nextUrl.origin))
  }
  if (nextUrl.pathname === '/login') return
  return NextResponse.next()
})

export const config = { matcher: ['/((?!api|_next/static|_next/image|favicon.ico).*)'] }
`,
  'other/middleware.ts': `export { auth as middleware } from '@/auth'\n`,
  'other/proxy.ts': `export { auth as proxy } from '@/auth'\n`,
  'other/chained.ts': `
import type { NextFetchEvent, NextRequest } from 'next/server'
import { NextResponse } from 'next/server'
import { auth } from '@/auth'

const withAuth = auth((req) => (req.auth ? NextResponse.next() : NextResponse.redirect(new URL('/login', req.url))))

export default function middleware(req: NextRequest, event: NextFetchEvent) {
  if (req.nextUrl.pathname.startsWith('/public')) return NextResponse.next()
  return (withAuth as any)(req)
}
`,
  'app/page.tsx': `
import { redirect } from 'next/navigation'
import { auth, signIn, signOut } from '@/auth'

export default async function Page() {
  const session = await auth()
  if (!session?.user) redirect('/login')
  const id: string | undefined = session.user.id
  return (
    <form action={async () => { 'use server'; await signIn('github', { redirectTo: '/dashboard' }) }}>
      <p>{id} {session.user.name} {session.user.role}</p>
      <img src={session.user.image ?? ''} alt="" />
      <button formAction={async () => { 'use server'; await signOut() }}>Sign out</button>
    </form>
  )
}
`,
  'pages/api/me.ts': `
import type { NextApiRequest, NextApiResponse } from 'next'
import { auth } from '@/auth'

export default async function handler(req: NextApiRequest, res: NextApiResponse) {
  const session = await auth(req, res)
  if (!session) return res.status(401).json({ message: 'You must be signed in.' })
  return res.json({ id: session.user?.id })
}
`,
  'pages/private.tsx': `
import type { GetServerSideProps } from 'next'
import { auth } from '@/auth'

export const getServerSideProps: GetServerSideProps = async (context) => {
  const session = await auth(context)
  return session ? { props: { session } } : { redirect: { destination: '/login', permanent: false } }
}
export default function Private() {
  return <p />
}
`,
}

/** Stored sessions with an adapter of Auth.js, as in the templates of create-t3-app, and mail. */
export const stored: Files = {
  'adapter.ts': `
import type { Adapter, AdapterUser } from 'next-auth/adapters'

export declare function PrismaAdapter(client: unknown): Adapter
export type Stored = AdapterUser
`,
  'config.ts': `
import { type DefaultSession, type NextAuthConfig } from 'next-auth'
import Discord from 'next-auth/providers/discord'
import { PrismaAdapter } from './adapter'

declare module 'next-auth' {
  interface Session extends DefaultSession {
    user: { id: string; role?: string } & DefaultSession['user']
  }
  interface User {
    role?: string
  }
}

export const authConfig = {
  providers: [Discord],
  adapter: PrismaAdapter({}),
  callbacks: {
    session: ({ session, user }) => ({ ...session, user: { ...session.user, id: user.id } }),
  },
} satisfies NextAuthConfig
`,
  'index.ts': `
import NextAuth from 'next-auth'
import { cache } from 'react'
import { authConfig } from './config'

const { auth: uncached, handlers, signIn, signOut } = NextAuth(authConfig)
const auth = cache(uncached)
export { auth, handlers, signIn, signOut }

export const id = async (): Promise<string | undefined> => (await auth())?.user.id
`,
  'turbo.ts': `
import NextAuth from 'next-auth'
import { PrismaAdapter } from './adapter'

export const { auth } = NextAuth({
  adapter: PrismaAdapter({}),
  providers: [],
  callbacks: {
    session: (opts) => {
      if (!('user' in opts)) throw new Error('unreachable with session strategy')
      return { ...opts.session, user: { ...opts.session.user, id: opts.user.id } }
    },
  },
})

export const { auth: named } = NextAuth({
  adapter: PrismaAdapter({}),
  session: { strategy: 'database', maxAge: 60 },
  providers: [],
  callbacks: {
    async session({ session, user }) {
      session.user.id = user.id
      session.user.role = user.role
      const proven: Date | null = user.emailVerified
      const address: string = user.email
      return proven && address ? session : session
    },
  },
})
`,
  'mail.ts': `
import NextAuth from 'next-auth'
import type { EmailConfig } from 'next-auth/providers/email'
import Email from 'next-auth/providers/email'
import Nodemailer from 'next-auth/providers/nodemailer'
import Resend from 'next-auth/providers/resend'
import { PrismaAdapter } from './adapter'

interface Mail {
  to: string
  from?: string
  subject: string
  text?: string
  html?: string
}
declare function createTransport(server: string | object | undefined): { sendMail(mail: Mail): Promise<{ rejected: string[] }> }
declare function html(params: { url: string; host: string; theme: { brandColor?: string; buttonText?: string } }): string

export const { handlers } = NextAuth({
  adapter: PrismaAdapter({}),
  providers: [
    Resend({ from: 'no-reply@acme.example', apiKey: process.env.AUTH_RESEND_KEY }),
    Email({ server: process.env.EMAIL_SERVER, from: process.env.EMAIL_FROM }),
    Nodemailer({
      server: { host: process.env.HOST, port: Number(process.env.PORT), auth: { user: 'u', pass: 'p' } },
      from: process.env.EMAIL_FROM,
      async sendVerificationRequest({ identifier, url, provider, theme }) {
        const { host } = new URL(url)
        const transport = createTransport(provider.server)
        const result = await transport.sendMail({
          to: identifier,
          from: provider.from,
          subject: 'Sign in to ' + host,
          html: html({ url, host, theme }),
        })
        if (result.rejected.filter(Boolean).length) throw new Error('not sent')
      },
    }),
    {
      id: 'http-email',
      name: 'Email',
      type: 'email',
      maxAge: 60 * 60 * 24,
      from: 'no-reply@acme.example',
      async sendVerificationRequest({ identifier: to, provider: { server, from }, url }) {
        await createTransport(server).sendMail({ to, from, subject: url })
      },
    },
  ],
})
export const sender = (provider: EmailConfig): string | undefined => provider.from
`,
}

/** What pages use of \`next-auth/react\` and \`next-auth/jwt\`, by the names of version 4. */
export const versionFour: Files = {
  'auth.ts': `
import NextAuth from 'next-auth'

export const { auth, handlers } = NextAuth({ providers: [] })
`,
  'types/next-auth.d.ts': `
export {}

declare module 'next-auth/jwt' {
  interface JWT {
    tenant?: string
  }
}
declare module 'next-auth/adapters' {
  interface AdapterUser {
    tenant?: string
  }
}
`,
  'app/providers.tsx': `
'use client'
import type { Session } from 'next-auth'
import { SessionProvider } from 'next-auth/react'
import type { ReactNode } from 'react'

export default function Providers({ children, session }: { children: ReactNode; session: Session | null }) {
  return <SessionProvider session={session} refetchInterval={5 * 60} refetchOnWindowFocus>{children}</SessionProvider>
}
`,
  'pages/_app.tsx': `
import type { AppProps } from 'next/app'
import { SessionProvider } from 'next-auth/react'

export default function App({ Component, pageProps: { session, ...pageProps } }: AppProps) {
  return (
    <SessionProvider session={session}>
      <Component {...pageProps} />
    </SessionProvider>
  )
}
`,
  'app/buttons.tsx': `
'use client'
import { getCsrfToken, getProviders, getSession, signIn, signOut, useSession } from 'next-auth/react'

export function Buttons() {
  const { data: session, status, update } = useSession()
  const required = useSession({ required: true })
  const custom = useSession({ required: true, onUnauthenticated() { location.href = '/login' } })
  if (status === 'loading' || required.status === 'loading' || custom.status === 'loading') return null
  const submit = async (email: string, password: string) => {
    const result = await signIn('credentials', { email, password, redirect: false, callbackUrl: '/' })
    if (result?.error) return result.error
    if (result?.ok) location.assign(result.url ?? '/')
    await update({ name: 'Ada' })
    await update()
    const again = await getSession()
    return again?.user?.name ?? (await getCsrfToken())
  }
  return (
    <>
      <p>{session?.user?.email} {required.data.user?.name}</p>
      <button onClick={() => signIn('github', { callbackUrl: '/dashboard' })}>GitHub</button>
      <button onClick={() => signIn('google', { redirectTo: '/' }, { prompt: 'login' })}>Google</button>
      <button onClick={() => signIn()}>Sign in</button>
      <button onClick={() => signOut({ callbackUrl: '/' })}>Sign out</button>
      <button onClick={() => void signOut({ redirect: false })}>Stay</button>
      <button onClick={() => submit('a', 'b')}>Send</button>
    </>
  )
}

export async function names() {
  const providers = await getProviders()
  return Object.values(providers ?? {}).map((provider) => provider.id + provider.name + provider.signinUrl)
}
`,
  'app/token.ts': `
import type { NextRequest } from 'next/server'
import { decode, encode, getToken } from 'next-auth/jwt'

export async function claims(req: NextRequest) {
  const token = await getToken({ req, secret: process.env.AUTH_SECRET! })
  const raw = await getToken({ req, secret: process.env.AUTH_SECRET!, raw: true })
  const secure = await getToken({ req, secret: process.env.AUTH_SECRET!, secureCookie: true, salt: 'x' })
  const sealed = await encode({ token: { sub: '1' }, secret: 'x', salt: 'y' })
  const opened = await decode({ token: sealed, secret: 'x', salt: 'y' })
  const tenant: string | undefined = token?.tenant
  return [tenant, token?.sub, \`Bearer \${raw}\`, secure?.email, opened?.sub]
}
`,
}

/** An adapter that does not know the members which the application adds to its types. */
export const roles: Files = {
  'auth.ts': `
import NextAuth, { type DefaultSession } from 'next-auth'
import { PrismaAdapter } from './adapter'

declare module 'next-auth' {
  interface Session {
    user: { id: string; role: 'ADMIN' | 'USER' } & DefaultSession['user']
  }
  interface User {
    role: 'ADMIN' | 'USER'
  }
  interface Account {
    access_token: string
  }
}

export const { auth } = NextAuth({
  adapter: PrismaAdapter(),
  providers: [],
  callbacks: {
    session({ session, user }) {
      session.user.id = user.id
      session.user.role = user.role
      return session
    },
  },
})
`,
  'adapter.ts': `
interface User {
  id: string
  name?: string | null
  email: string
  image?: string | null
  emailVerified: Date | null
}
interface Account {
  [member: string]: unknown
  provider: string
  providerAccountId: string
  userId: string
  type: 'oauth' | 'oidc' | 'email' | 'webauthn'
  access_token?: string
  token_type?: Lowercase<string>
}
type Of<T> = T | PromiseLike<T>

export interface Adapter {
  createUser?(user: User): Of<User>
  getUser?(id: string): Of<User | null>
  updateUser?(user: Partial<User> & Pick<User, 'id'>): Of<User>
  linkAccount?(account: Account): Promise<void> | Of<Account | null | undefined>
  getAccount?(providerAccountId: string, provider: string): Of<Account | null>
  getSessionAndUser?(
    sessionToken: string,
  ): Of<{ session: { sessionToken: string; userId: string; expires: Date }; user: User } | null>
}

export declare function PrismaAdapter(): Adapter
`,
}

/** Types that are augmented where Auth.js declares them, without Next.js. */
export const core: Files = {
  'auth.ts': `
import { Auth, type AuthConfig } from '@auth/core'
import type { Adapter } from '@auth/core/adapters'
import GitHub from '@auth/core/providers/github'
import type { DefaultSession, Session } from '@auth/core/types'

declare module '@auth/core/types' {
  interface Session {
    user: { id: string; role?: string } & DefaultSession['user']
    locale?: string
  }
  interface User {
    role?: string
  }
}

declare module '@auth/core/jwt' {
  interface JWT {
    locale?: string
  }
}

declare module '@auth/core/adapters' {
  interface AdapterUser {
    tenant?: string
  }
}

declare const adapter: Adapter

export const config: AuthConfig = {
  providers: [GitHub],
  adapter,
  session: { strategy: 'jwt' },
  callbacks: {
    jwt({ token, user, profile }) {
      if (user) token.locale = String(profile?.locale)
      return token
    },
    session({ session, token, user }) {
      session.user.id = token.sub!
      session.locale = token.locale
      if (user) session.user.role = user.tenant
      return session
    },
  },
}
export const answer = (request: Request): Promise<Response> => Auth(request, config)
export const role = (session: Session | null): string | undefined => session?.user?.role
`,
}

/** What the guides of Auth.js show: refreshed tokens, a sign-in page of one's own, errors, lazy configurations. */
export const guides: Files = {
  'auth.ts': `
import NextAuth, { CredentialsSignin, type NextAuthConfig, type Session, type User } from 'next-auth'
import { encode as defaultEncode, type JWT } from 'next-auth/jwt'
import type { Provider } from 'next-auth/providers'
import Credentials from 'next-auth/providers/credentials'
import GitHub, { type GitHubProfile } from 'next-auth/providers/github'
import Google from 'next-auth/providers/google'

declare module 'next-auth' {
  interface Session {
    error?: 'RefreshTokenError'
  }
  interface User {
    role?: string
  }
}
declare module 'next-auth/jwt' {
  interface JWT {
    access_token?: string
    expires_at?: number
    refresh_token?: string
    error?: 'RefreshTokenError'
  }
}

class Locked extends CredentialsSignin {
  code = 'locked'
}

const providers: Provider[] = [
  Credentials({
    credentials: { password: { label: 'Password', type: 'password' } },
    authorize(c) {
      if (c.password !== 'password') throw new Locked()
      return { id: 'test', name: 'Test User', email: 'test@example.com' }
    },
  }),
  GitHub,
  GitHub({ profile: (profile: GitHubProfile) => ({ id: String(profile.id), name: profile.login, role: 'user' }) }),
  Google({
    authorization: { params: { access_type: 'offline', prompt: 'consent' } },
    profile(profile) {
      return { id: profile.sub, name: profile.name, email: profile.email, image: profile.picture, role: 'user' }
    },
  }),
]

export const providerMap = providers
  .map((provider) => {
    if (typeof provider === 'function') {
      const providerData = provider()
      return { id: providerData.id, name: providerData.name }
    }
    return { id: provider.id, name: provider.name }
  })
  .filter((provider) => provider.id !== 'credentials')

export const authOptions: NextAuthConfig = {
  providers,
  pages: { signIn: '/signin', newUser: '/welcome' },
  theme: { logo: '/logo.png', colorScheme: 'auto', brandColor: '#000' },
  cookies: {
    sessionToken: {
      name: '__Secure-authjs.session-token',
      options: { httpOnly: true, sameSite: 'lax', path: '/', secure: true, domain: '.acme.example' },
    },
  },
  jwt: {
    maxAge: 60,
    encode: async (params) => (params.token ? defaultEncode(params) : ''),
  },
  logger: {
    error(error) {
      console.error(error.name)
    },
    warn(code) {
      console.warn(code)
    },
    debug(message, metadata) {
      console.debug(message, metadata)
    },
  },
  callbacks: {
    async jwt({ token, account }) {
      if (account) {
        return {
          ...token,
          access_token: account.access_token,
          expires_at: account.expires_at,
          refresh_token: account.refresh_token,
        }
      } else if (Date.now() < (token.expires_at ?? 0) * 1000) {
        return token
      }
      token.error = 'RefreshTokenError'
      return token
    },
    async session({ session, token }) {
      session.error = token.error
      return session
    },
    async signIn({ user, account, profile, email, credentials }) {
      if (email?.verificationRequest) return true
      return account?.provider !== 'google' || String(profile?.email).endsWith('@acme.example') || Boolean(user && credentials)
    },
    authorized: async ({ auth }) => !!auth,
  },
}

export const { handlers, auth, signIn, signOut } = NextAuth(authOptions)

export const lazy = NextAuth((request) => {
  if (request?.nextUrl.pathname.startsWith('/admin')) return { ...authOptions, debug: true }
  return authOptions
})

export const later = NextAuth(async (request) => ({ providers: [GitHub], basePath: request ? '/auth' : undefined }))

export const loose = NextAuth({
  providers: [GitHub],
  callbacks: {
    async session({ session, token }: any) {
      session.user.id = token.sub
      return session
    },
    async jwt({ token, user }: { token: JWT; user?: User }) {
      return user ? { ...token, id: user.id } : token
    },
  },
})

export const annotated = NextAuth({
  providers: [GitHub],
  session: { strategy: 'jwt' },
  callbacks: {
    async session({ session, token }: { session: Session; token: JWT }) {
      return { ...session, user: { ...session.user, id: token.sub } }
    },
  },
})
`,
  'app/signin/page.tsx': `
import { redirect } from 'next/navigation'
import { AuthError } from 'next-auth'
import { auth, providerMap, signIn } from '@/auth'

export default async function Page(props: { searchParams: Promise<{ callbackUrl: string | undefined }> }) {
  const { callbackUrl } = await props.searchParams
  const session = await auth()
  if (session?.error === 'RefreshTokenError') await signIn('google')
  return Object.values(providerMap).map((provider) => (
    <form
      key={provider.id}
      action={async () => {
        'use server'
        try {
          await signIn(provider.id, { redirectTo: callbackUrl ?? '' })
        } catch (error) {
          if (error instanceof AuthError) return redirect('/error?error=' + error.type)
          throw error
        }
      }}
    >
      <button type="submit">{provider.name}</button>
    </form>
  ))
}
`,
  'app/api/admin/route.ts': `
import { auth } from '@/auth'

export const POST = auth(async (request) => {
  const body: unknown = await request.json()
  return Response.json({ body, user: request.auth?.user?.email, path: request.nextUrl.pathname })
}) as any
`,
}

/** Lines that do not compile, each with what `docs/how-to/move-from-auth-js.md` says to write instead. */
export const named: Files = {
  'auth.ts': `
import NextAuth, { type User } from 'next-auth'
import { getToken, type JWT } from 'next-auth/jwt'

// @ts-expect-error: the package is gone
declare module 'next-auth/gone' {
  interface Session {
    role?: string
  }
}

declare function find(email: string): Promise<void>

const { signIn, signOut } = NextAuth({
  providers: [],
  session: { strategy: 'jwt' },
  callbacks: {
    async session({ session, token, user }) {
      // @ts-expect-error: a sealed session may be without an address
      await find(session.user.email)
      if (session.user.email) await find(session.user.email)
      // @ts-expect-error: there is no stored user
      session.user.id = user.id
      session.user.id = token.sub!
      return session
    },
  },
})

NextAuth({
  providers: [],
  callbacks: {
    // @ts-expect-error: there is a user at a sign-in only
    jwt: ({ token, user }: { token: JWT; user: User }) => ({ ...token, id: user.id }),
  },
})
NextAuth({
  providers: [],
  callbacks: { jwt: ({ token, user }: { token: JWT; user?: User }) => ({ ...token, id: user?.id }) },
})

export async function actions(req: Request) {
  const url = await signIn('credentials', { redirect: false })
  // @ts-expect-error: it is an address
  void url.error
  const { error } = await signIn.result('credentials', {})
  // @ts-expect-error: the name of version 4, which the browser's function knows
  await signOut({ callbackUrl: '/' })
  await signOut({ redirectTo: '/' })
  const raw = await getToken({ req, secret: 'x', raw: true })
  // @ts-expect-error: nobody may be signed in
  void raw.length
  return [error, raw?.length]
}
`,
  'version-4.ts': `
// @ts-expect-error: write NextAuthConfig
import type { NextAuthOptions } from 'next-auth'
// @ts-expect-error: write auth()
import { getServerSession } from 'next-auth'
// @ts-expect-error: write export { auth as middleware } from '@/auth'
export { default } from 'next-auth/middleware'
export { getServerSession, type NextAuthOptions }
`,
}
