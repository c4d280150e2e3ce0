import type { IncomingMessage, ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { createLatchkey, type Latchkey } from '../../../src/entries/index.ts'
import {
  authHandler,
  authSession,
  type KoaContext,
  requireAuth,
  sendAnswer,
  webRequestOf,
} from '../../../src/integrations/koa.ts'
import { describeFramework, FOR_EVERYBODY, type Site } from '../cases.ts'
import { listen } from '../listen.ts'

const installed = createRequire(new URL('../../../../../examples/koa/server.ts', import.meta.url))

type Context = KoaContext & {
  readonly path: string
  readonly state: { session?: { user?: { email?: string | null } } | null }
}
type Middleware = (context: Context, next: () => Promise<unknown>) => Promise<unknown>

/** What is used of Koa here. */
interface Application {
  proxy: boolean
  silent: boolean
  use(middleware: Middleware): void
  callback(): (request: IncomingMessage, response: ServerResponse) => unknown
}

const Koa = (installed('koa') as { default: new () => Application }).default
const { bodyParser } = installed('@koa/bodyparser') as { bodyParser(): Middleware }

/** Only for that path. */
function at(path: string, ...[middleware, page]: [Middleware, Middleware?]): Middleware {
  return (context, next) => {
    if (context.path !== path) return next()
    return middleware(context, page ? () => page(context, next) : next)
  }
}

function applicationOf({ config, mount, parses, trustsProxy, readsFirst }: Site): Application {
  const latchkey: Latchkey = createLatchkey(config)
  const app = new Koa()
  app.proxy = trustsProxy
  app.silent = true
  if (parses) app.use(bodyParser())
  if (readsFirst) app.use(authSession(latchkey))
  app.use(authHandler(latchkey, mount))
  const who: Middleware = async (context) => {
    for (const [name, value] of Object.entries(FOR_EVERYBODY)) context.set(name, value)
    context.body = JSON.stringify(context.state.session)
  }
  app.use(at('/who', authSession(latchkey), who))
  const page: Middleware = async (context) => {
    context.body = `only for ${context.state.session?.user?.email}`
  }
  app.use(at('/private', requireAuth(latchkey), page))
  app.use(
    at('/begin', async (context) => {
      const asked = webRequestOf(context)
      await sendAnswer(await latchkey.signIn(asked, 'github', { redirectTo: '/private' }), context)
    }),
  )
  app.use(
    at('/leave', async (context) =>
      sendAnswer(await latchkey.signOut(webRequestOf(context), { redirectTo: '/' }), context),
    ),
  )
  return app
}

describeFramework({
  name: 'Koa 3',
  mounts: ['/auth'],
  elsewhere: '/api/auth',
  hasParsers: true,
  answersDirectly: true,
  judgesProxies: true,
  proxySetting: 'app.proxy = true',
  mendsHosts: ['user@evil.example'],
  start: (site) => listen(applicationOf(site).callback()),
})
