import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import { DeclarationTree } from '../../../../tools/declarations.ts'
import { type Compiler, compile, compilers } from './compilers.ts'
import { projectWithLatchkey, subpathsOf } from './packed.ts'

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
  express: `import { authHandler, authSession, ExpressAuth, getSession, requireAuth, signIn, signOut, type ExpressAuthConfig } from 'latchkey/express'${providers}
export const config = ${config} satisfies ExpressAuthConfig
export const handler = ExpressAuth(${config})
export const verbs = [authHandler(${config}), authSession(${config})]
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
export const elysiaVerbs = [elysia.authHandler(latchkey), elysia.authSession(latchkey)]
export const h3Reader = h3.authSession(latchkey)
export const h3Handler = h3.authHandler(latchkey)
export const h3Session = (event: Parameters<typeof h3.getSession>[0]) => h3.getSession(event, latchkey)
export const honoHandler = hono.authHandler(latchkey)
export const honoSession = hono.authSession(latchkey)
export const koaSession = koa.authSession(latchkey)
export const listener = node.toNodeListener(latchkey)
export const routes = [router.authHandler(latchkey), router.requireAuth(latchkey)]
export const start = tanstack.authSession(latchkey)`,
  plugins: `import { createLatchkey, type AuthConfig } from 'latchkey'
import { authJsRollback } from 'latchkey/plugins/auth-js-rollback'
import { federatedLogout } from 'latchkey/plugins/federated-logout'
import { limits } from 'latchkey/plugins/limits'
import { providerTokens } from 'latchkey/plugins/provider-tokens'
import { sessions } from 'latchkey/plugins/sessions'
import { tokens } from 'latchkey/plugins/tokens'
export const plugins = [authJsRollback(), federatedLogout(), limits(), providerTokens(), sessions(), tokens({ apiKeys: {} })]
export const config = { providers: [], plugins: [sessions(), limits()] } satisfies AuthConfig
export const latchkey = createLatchkey(config)
export const { api } = createLatchkey({ providers: [], plugins: [tokens({ apiKeys: {} }), providerTokens()] })`,
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
    'can name all types of its exports, with TypeScript %s and moduleResolution %s',
    ([compiler, moduleResolution, module]) => {
      const folder = join(projectWithLatchkey(), `declarations-${compiler}-${moduleResolution}`)
      const emit = { noEmit: false, emitDeclarationOnly: true, declaration: true, outDir: 'types' }
      expect(compile(compiler, folder, files, { ...emit, module, moduleResolution })).toBe('')
    },
  )
})

/** Returns a module for each entry, which exports every value of it and the result of each function. */
function modulesOf(project: string): Record<string, string> {
  const folder = join(project, 'node_modules/latchkey')
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    exports: Record<string, { types: string }>
  }
  const tree = new DeclarationTree()
  const typesOf = (name: string): string => {
    const subpath = name.replace(/^latchkey/, '.')
    const direct = exports[subpath]?.types
    if (direct) return direct
    const provider = subpath.slice('./providers/'.length)
    return exports['./providers/*']?.types.replace('*', provider) ?? ''
  }
  const modules = subpathsOf(project).map((name, index) => {
    const lines = tree.exportsOf(join(folder, typesOf(name))).flatMap(([exported, meaning]) => {
      if (typeof meaning === 'string' || /^(?:interface|type) /.test(meaning.text)) return []
      const value = `export const value_${exported} = entry.${exported}`
      const isFunction = /^(?:async )?function /.test(meaning.text)
      const called = `export const called_${exported} = (...args: Parameters<typeof entry.${exported}>) => entry.${exported}(...args)`
      return isFunction ? [value, called] : [value]
    })
    return [`entry-${index}.ts`, [`import * as entry from '${name}'`, ...lines].join('\n')]
  })
  return Object.fromEntries(modules) as Record<string, string>
}

/** Lays out an installed project as pnpm does: packages are links to folders that have their own dependencies beside. */
function pnpmTree(project: string): string {
  const tree = mkdtempSync(join(inject('runFolder'), 'pnpm-'))
  const from = join(project, 'node_modules')
  const stored = (name: string): string =>
    join(tree, 'node_modules/.pnpm', `${name}@1.0.0`, 'node_modules')
  const names = readdirSync(from).filter((name) => !name.startsWith('.'))
  for (const name of names) {
    mkdirSync(stored(name), { recursive: true })
    cpSync(join(from, name), join(stored(name), name), { recursive: true })
  }
  for (const name of names.filter((each) => each !== 'latchkey'))
    symlinkSync(join(stored(name), name), join(stored('latchkey'), name))
  symlinkSync(join(stored('latchkey'), 'latchkey'), join(tree, 'node_modules/latchkey'))
  return tree
}

describe('PUB-3: the type of everything that an entry exports or returns', {
  timeout: 240_000,
}, () => {
  test.for([
    ['npm', '5.9'],
    ['npm', '7.0'],
    ['pnpm', '5.9'],
    ['pnpm', '7.0'],
  ] as const)('can be named in a tree of %s with TypeScript %s', ([manager, compiler]) => {
    const installed = projectWithLatchkey()
    const project = manager === 'npm' ? installed : pnpmTree(installed)
    const modules = modulesOf(installed)
    expect(
      Object.values(modules)
        .join('\n')
        .match(/called_/g)?.length,
    ).toBeGreaterThan(100)
    const emit = { noEmit: false, emitDeclarationOnly: true, declaration: true, outDir: 'types' }
    const folder = join(project, `entries-${compiler}`)
    const options = { ...emit, rootDir: '.', module: 'nodenext', moduleResolution: 'nodenext' }
    expect(compile(compiler, folder, { ...modules, ...files }, options)).toBe('')
  })
})
