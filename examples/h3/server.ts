import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { H3, html, raw, serve } from 'h3'
import { createLatchkey } from 'latchkey'
import { answerOf, authHandler, authSession, requireAuth, webRequestOf } from 'latchkey/h3'
import { config } from 'latchkey-examples-shared/auth'
import { pages } from 'latchkey-examples-shared/pages'

const { home, privatePage } = pages('h3')

const latchkey = createLatchkey(config)
const sessionOf = authSession(latchkey)

const app = new H3()

app.all('/auth/**', authHandler(latchkey))

app.get('/', async (event) => html(raw(home(await sessionOf(event)))))

app.get('/private', async (event) => html(raw(privatePage(await sessionOf(event)))), {
  middleware: [requireAuth(latchkey)],
})

app.post('/sign-out', async (event) =>
  answerOf(await latchkey.signOut(webRequestOf(event), { redirectTo: '/' }), event),
)

app.get('/style.css', async (event) => {
  event.res.headers.set('content-type', 'text/css')
  return readFile(fileURLToPath(import.meta.resolve('latchkey-examples-shared/style.css')), 'utf8')
})

const port = Number(process.env['PORT'] ?? 3000)
serve(app, { port, silent: true })
console.log(`The application: http://localhost:${port}`)
