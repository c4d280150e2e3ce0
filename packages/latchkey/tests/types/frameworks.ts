import type { FastifyRequest } from 'fastify'
import { createLatchkey, type Session } from '../../src/index.ts'
import { AstroAuth } from '../../src/integrations/astro.ts'
import {
  fastifyAuth,
  requireAuth as forFastify,
  sessionOf,
} from '../../src/integrations/fastify.ts'
import { authHandler, authSession, requireAuth } from '../../src/integrations/hono.ts'
import * as koa from '../../src/integrations/koa.ts'
import { toNodeListener } from '../../src/integrations/node.ts'
import { SvelteKitAuth } from '../../src/integrations/sveltekit.ts'

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
}
