import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Compiler, compile, compilers } from './compilers.ts'
import { projectWithLatchkey } from './packed.ts'

/** Configurations that give `auth` a type of its own. */
const config = `{
  providers: [
    GitHub,
    GitHub({ profile: ({ id, login }) => ({ id: String(id), name: login }) }),
    Credentials({ authorize: () => ({ id: '1' }) }),
    Resend({ from: 'a@b.example', sendVerificationRequest: async ({ url }) => console.log(url) }),
    Keycloak({ issuer: 'https://id.example' }),
    Passkey,
    { id: 'own', name: 'Own', type: 'oidc', issuer: 'https://id.example' },
  ],
  adapter: memoryAdapter(),
  secret: ['new', 'old'],
  session: { strategy: 'jwt', maxAge: 60, generateSessionToken: () => crypto.randomUUID() },
  cookies: { sessionToken: { name: 'own', options: { sameSite: 'lax' } } },
  pages: { signIn: '/in' },
  theme: { colorScheme: 'dark' },
  logger: { error: (error) => console.error(error), warn: (code) => console.warn(code) },
  jwt: { maxAge: 60, encode: async ({ token }) => JSON.stringify(token), decode: async () => null },
  events: {
    signIn: ({ user, account, isNewUser }) => console.log(user, account, isNewUser),
    signOut: (message) => console.log(message),
    linkAccount: ({ user, profile }) => console.log(user, profile),
  },
  callbacks: {
    jwt: ({ token, user }) => (user ? { ...token, role: 'admin' } : token),
    session: ({ session, token }) => ({ ...session, role: String(token['role']), at: new Date() }),
    authorized: ({ auth, request }) => auth !== null || request.url.endsWith('/'),
    signIn: ({ user, account, profile }) => account?.provider === 'own' && !!profile && !!user,
    redirect: ({ url, baseUrl }) => (url.startsWith(baseUrl) ? url : baseUrl),
  },
}`

const providers = `
import { memoryAdapter } from 'latchkey/adapters/memory'
import Credentials from 'latchkey/providers/credentials'
import GitHub from 'latchkey/providers/github'
import Keycloak from 'latchkey/providers/keycloak'
import Passkey from 'latchkey/providers/passkey'
import Resend from 'latchkey/providers/resend'`

/** What applications export from the file with their configuration. */
const applications: Readonly<Record<string, string>> = {
  core: `import { createLatchkey, type AuthConfig } from 'latchkey'${providers}
export const latchkey = createLatchkey(${config})
export const { handler, handlers, auth, session, signIn, signOut, protect } = createLatchkey(${config})
export const lazy = createLatchkey(() => (${config}))
export const wide = createLatchkey({ providers: [] } satisfies AuthConfig)
export const read = async (headers: Headers) => auth(headers)
export const result = auth.result`,
  verify: `import { createVerifier } from 'latchkey/verify'
export const verify = createVerifier({ secret: 's' })
export const asked = (request: Request) => verify(request)`,
  next: `import NextAuth, { type NextAuthConfig } from 'latchkey/next'${providers}
export const authConfig = ${config} satisfies NextAuthConfig
export const { handlers, auth, signIn, signOut, unstable_update, getProviderToken } = NextAuth(${config})
export const { handlers: { GET, POST } } = NextAuth(() => (${config}))
export const whole = NextAuth(authConfig)
export const middleware = auth((request) => { if (!request.auth) return Response.redirect(new URL('/in', request.url)) })
export const page = async () => auth()`,
  sveltekit: `import { SvelteKitAuth } from 'latchkey/sveltekit'${providers}
export const { handle, signIn, signOut, auth } = SvelteKitAuth(${config})
export const lazy = SvelteKitAuth(async (event) => ({ providers: [], basePath: event.url.pathname }))
export { SignIn, SignOut } from 'latchkey/sveltekit/components'`,
  express: `import { ExpressAuth, getSession, requireAuth, signIn, signOut, type ExpressAuthConfig } from 'latchkey/express'${providers}
export const config = ${config} satisfies ExpressAuthConfig
export const handler = ExpressAuth(${config})
export const guard = requireAuth(${config})
export const current = (request: Parameters<typeof getSession>[0]) => getSession(request, ${config})
export const both = { signIn, signOut }`,
  astro: `import { AstroAuth } from 'latchkey/astro'${providers}
export const auth = AstroAuth(${config})`,
  'solid-start': `import { SolidAuth, getSession, signIn, signOut, type SolidAuthConfig } from 'latchkey/solid-start'${providers}
export const config = ${config} satisfies SolidAuthConfig
export const { GET, POST } = SolidAuth(${config})
export const current = (request: Request) => getSession(request, ${config})
export const both = { signIn, signOut }`,
  qwik: `import { QwikAuth$ } from 'latchkey/qwik'
export const { onRequest, useSession, useSignIn, useSignOut } = QwikAuth$(() => ({ providers: [] }))`,
  others: `import { createLatchkey } from 'latchkey'
import * as elysia from 'latchkey/elysia'
import * as h3 from 'latchkey/h3'
import * as hono from 'latchkey/hono'
import * as koa from 'latchkey/koa'
import * as node from 'latchkey/node'
import * as router from 'latchkey/react-router'
import * as tanstack from 'latchkey/tanstack-start'${providers}
export const latchkey = createLatchkey(${config})
export const elysiaAuth = elysia.auth(latchkey)
export const elysiaSession = elysia.readSession(latchkey)
export const h3Handler = h3.authHandler(latchkey)
export const h3Session = (event: Parameters<typeof h3.getSession>[0]) => h3.getSession(event, latchkey)
export const honoHandler = hono.authHandler(latchkey)
export const honoSession = hono.authSession(latchkey)
export const koaSession = koa.authSession(latchkey)
export const listener = node.toNodeListener(latchkey)
export const routes = [router.authHandler(latchkey), router.requireAuth(latchkey)]
export const start = tanstack.authSession(latchkey)`,
  client: `import { createAuthClient } from 'latchkey/client'
import { createUseSession } from 'latchkey/react'
import type { auth } from './core.js'
export const client = createAuthClient<typeof auth>()
export const useSession = createUseSession<typeof auth>()`,
}

const files = Object.fromEntries(
  Object.entries(applications).map(([name, text]) => [`${name}.ts`, text]),
)

describe('an application that emits declarations', { timeout: 120_000 }, () => {
  test.for(
    (Object.keys(compilers) as Compiler[]).flatMap((compiler) =>
      [
        ['bundler', 'esnext'],
        ['nodenext', 'nodenext'],
      ].map(([resolution = '', module = '']) => [compiler, resolution, module] as const),
    ),
  )(
    'can name all types of what it exports, with TypeScript %s and moduleResolution %s',
    ([compiler, moduleResolution, module]) => {
      const folder = join(projectWithLatchkey(), `declarations-${compiler}-${moduleResolution}`)
      const emit = { noEmit: false, emitDeclarationOnly: true, declaration: true, outDir: 'types' }
      expect(compile(compiler, folder, files, { ...emit, module, moduleResolution })).toBe('')
    },
  )
})
