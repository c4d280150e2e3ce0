import type { FastifyRequest } from 'fastify'
import { type AuthConfig, createLatchkey, type Session } from '../../src/entries/index.ts'
import { AstroAuth } from '../../src/integrations/astro.ts'
import * as elysia from '../../src/integrations/elysia.ts'
import * as express from '../../src/integrations/express.ts'
import {
  fastifyAuth,
  requireAuth as forFastify,
  authSession as readsFastify,
  sessionOf,
} from '../../src/integrations/fastify.ts'
import * as h3 from '../../src/integrations/h3.ts'
import { authHandler, authSession, requireAuth } from '../../src/integrations/hono.ts'
import * as koa from '../../src/integrations/koa.ts'
import { AuthGuard } from '../../src/integrations/nest.ts'
import { AuthGuard as FastifyGuard } from '../../src/integrations/nest-fastify.ts'
import { toNodeListener } from '../../src/integrations/node.ts'
import * as reactRouter from '../../src/integrations/react-router.ts'
import { SvelteKitAuth } from '../../src/integrations/sveltekit.ts'
import * as tanstack from '../../src/integrations/tanstack-start.ts'

// A session that is nothing like ours fits every framework.
const latchkey = createLatchkey({
  providers: [],
  callbacks: {
    session: ({ session }) => ({ expires: session.expires, user: { role: 'admin' as const } }),
  },
})

export const uses: readonly unknown[] = [
  authHandler(latchkey),
  authSession(latchkey),
  requireAuth(latchkey),
  koa.authHandler(latchkey),
  koa.authSession(latchkey),
  koa.requireAuth(latchkey),
  forFastify(latchkey),
  toNodeListener(latchkey),
  (app: Parameters<typeof fastifyAuth>[0]) => fastifyAuth(app, { latchkey }),
]

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

function is<_Holds extends true>(): void {}

interface Own {
  expires: string
  user: { role: 'admin' }
}

const own = {
  providers: [],
  callbacks: {
    session: ({ session }: { session: { expires: string } }): Own => ({
      expires: session.expires,
      user: { role: 'admin' },
    }),
  },
} as const

/** Where a framework keeps the session in an object of everybody's, a function gives it its type. */
export async function typed(event: { locals: object }, request: FastifyRequest): Promise<void> {
  const inSvelteKit = await SvelteKitAuth(own).auth(event)
  is<Equal<typeof inSvelteKit, Own | null>>()
  const lazily = await SvelteKitAuth(async () => ({
    providers: [],
    callbacks: { session: ({ session }: { session: Session }) => ({ ...session, tenant: 7 }) },
  })).auth(event)
  is<Equal<NonNullable<typeof lazily>['tenant'], number>>()
  const inAstro = await AstroAuth(own).auth(event)
  is<Equal<typeof inAstro, Own | null>>()
  const inFastify = await sessionOf(latchkey, request)
  is<Equal<NonNullable<typeof inFastify>['user'], { role: 'admin' }>>()
  const read = await readsFastify(latchkey)(request)
  is<Equal<typeof read, typeof inFastify>>()
}

interface WithRole extends Session {
  role: 'admin' | 'member'
}

const roles = {
  providers: [],
  callbacks: {
    session: ({ session }: { session: Session }): WithRole => ({ ...session, role: 'admin' }),
  },
} satisfies AuthConfig

const withRoles = createLatchkey(roles)

/** What decides about roles needs no declarations: it receives what the `session` callback returns. */
function isAdmin({ auth, request }: { auth: WithRole; request: Request }): boolean {
  return auth.role === 'admin' && request.method === 'GET'
}

/** Every guard hands its check the session of the configuration, which is never `null` there. */
export const guards: readonly unknown[] = [
  elysia.requireAuth(withRoles, ({ auth }) => auth.role === 'admin'),
  forFastify(withRoles, ({ auth }) => auth.role === 'admin'),
  h3.requireAuth(withRoles, ({ auth }) => auth.role === 'admin'),
  requireAuth(withRoles, ({ auth }) => auth.role === 'admin'),
  requireAuth(
    () => withRoles,
    ({ auth }) => auth.role === 'admin',
  ),
  koa.requireAuth(withRoles, ({ auth }) => auth.role === 'admin'),
  reactRouter.requireAuth(withRoles, ({ auth }) => auth.role === 'admin'),
  tanstack.requireAuth(withRoles, ({ auth }) => auth.role === 'admin'),
  new FastifyGuard(withRoles, ({ auth }) => auth.role === 'admin'),
  express.requireAuth(roles, ({ auth }) => auth.role === 'admin'),
  express.requireAuth(
    () => roles,
    ({ auth }) => auth.role === 'admin',
  ),
  new AuthGuard(roles, ({ auth }) => auth.role === 'admin'),
  // A check that stands elsewhere, and one that was written for a session or none.
  h3.requireAuth(withRoles, isAdmin),
  h3.requireAuth(latchkey, ({ auth }: { auth: { user: object } | null }) => auth !== null),
  // @ts-expect-error: there is no such role
  h3.requireAuth(withRoles, ({ auth }) => auth.role === 'owner'),
  // @ts-expect-error: the session of this configuration has no role of its own
  koa.requireAuth(latchkey, isAdmin),
  // @ts-expect-error: there is no such role
  express.requireAuth(roles, ({ auth }) => auth.role === 'owner'),
  // @ts-expect-error: without a callback the session is the usual one
  express.requireAuth({ providers: [] }, isAdmin),
]

/** The same for a request at a time. */
export async function protectedBy(request: Request): Promise<unknown> {
  return withRoles.protect(request, {
    authorized({ auth }) {
      is<Equal<typeof auth, WithRole | null>>()
      return auth?.role === 'admin'
    },
  })
}
