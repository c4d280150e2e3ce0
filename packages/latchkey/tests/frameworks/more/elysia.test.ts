import { createRequire } from 'node:module'
import { createLatchkey, type Latchkey } from '../../../src/entries/index.ts'
import {
  answerOf,
  auth,
  type ElysiaContext,
  readSession,
  requireAuth,
} from '../../../src/integrations/elysia.ts'
import { toNodeListener } from '../../../src/integrations/node.ts'
import { describeFramework, FOR_EVERYBODY, type Site } from '../cases.ts'
import { listen } from '../listen.ts'

const installed = createRequire(
  new URL('../../../../../examples/elysia/server.ts', import.meta.url),
)

type Context = ElysiaContext & { session?: { user?: { email?: string | null } } | null }
type Handler = (context: Context) => unknown

/** What is used of Elysia here. */
interface Application {
  use(plugin: (app: Application) => Application): Application
  resolve(reading: (context: Context) => Promise<object>): Application
  get(path: string, handler: Handler, how?: object): Application
  post(path: string, handler: Handler, how?: object): Application
  handle(request: Request): Promise<Response>
}

const { Elysia } = installed('elysia') as { Elysia: new () => Application }

function applicationOf({ config, mount, trustsProxy, readsFirst }: Site): Application {
  const env = { ...process.env, ...(trustsProxy ? { AUTH_TRUST_HOST: 'true' } : {}) }
  const latchkey: Latchkey = createLatchkey(config, env)
  const app = new Elysia()
  if (readsFirst) app.resolve(readSession(latchkey))
  app.use(auth(latchkey, mount))
  app.post(
    '/begin',
    async (context) => {
      const target = { redirectTo: '/private' }
      return answerOf(await latchkey.signIn(context.request, 'github', target), context)
    },
    { parse: 'none' },
  )
  app.post(
    '/leave',
    async (context) =>
      answerOf(await latchkey.signOut(context.request, { redirectTo: '/' }), context),
    { parse: 'none' },
  )
  if (!readsFirst) app.resolve(readSession(latchkey))
  app.get('/who', ({ session }) => Response.json(session, { headers: FOR_EVERYBODY }))
  app.get(
    '/private',
    ({ session, set }) => {
      Object.assign(set.headers, FOR_EVERYBODY)
      return `only for ${session?.user?.email}`
    },
    {
      beforeHandle: requireAuth(latchkey),
    },
  )
  return app
}

describeFramework({
  name: 'Elysia 1.4',
  mounts: ['/auth'],
  elsewhere: '/api/auth',
  hasParsers: false,
  async start(site) {
    const app = applicationOf(site)
    return listen(toNodeListener({ handler: (request) => app.handle(request) }))
  },
})
