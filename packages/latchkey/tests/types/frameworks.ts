import { createLatchkey } from '../../src/index.ts'
import { fastifyAuth, requireAuth as forFastify } from '../../src/integrations/fastify.ts'
import { authHandler, authSession, requireAuth } from '../../src/integrations/hono.ts'
import * as koa from '../../src/integrations/koa.ts'
import { toNodeListener } from '../../src/integrations/node.ts'

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
