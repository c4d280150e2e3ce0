import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { authHandler, authSession, createLatchkey, requireAuth } from 'latchkey/hono'
import { config } from 'latchkey-examples-shared/auth'
import { pages } from 'latchkey-examples-shared/pages'

const { home, privatePage } = pages('Hono')

const latchkey = createLatchkey(config)

const app = new Hono()

app.use('/auth/*', authHandler(latchkey))

app.get('/', authSession(latchkey), (context) => context.html(home(context.get('session'))))

app.get('/private', requireAuth(latchkey), (context) =>
  context.html(privatePage(context.get('session'))),
)

app.post('/sign-out', (context) => latchkey.signOut(context.req.raw, { redirectTo: '/' }))

app.get('/style.css', async (context) => {
  const file = fileURLToPath(import.meta.resolve('latchkey-examples-shared/style.css'))
  return context.body(await readFile(file, 'utf8'), 200, { 'content-type': 'text/css' })
})

const port = Number(process.env['PORT'] ?? 3000)
serve({ fetch: app.fetch, port }, () => console.log(`The application: http://localhost:${port}`))
