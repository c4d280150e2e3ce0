import { createReadStream } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Router } from '@koa/router'
import Koa from 'koa'
import { createLatchkey } from 'latchkey'
import { authHandler, authSession, requireAuth, sendAnswer, webRequestOf } from 'latchkey/koa'
import { config } from 'latchkey-examples-shared/auth'
import { pages } from 'latchkey-examples-shared/pages'

const { home, privatePage } = pages('Koa')

const latchkey = createLatchkey(config)

const app = new Koa()
const router = new Router()

app.use(authHandler(latchkey))

router.get('/', authSession(latchkey), (context) => {
  context.body = home(context.state['session'])
})

router.get('/private', requireAuth(latchkey), (context) => {
  context.body = privatePage(context.state['session'])
})

router.post('/sign-out', async (context) => {
  const answer = await latchkey.signOut(webRequestOf(context), { redirectTo: '/' })
  await sendAnswer(answer, context)
})

router.get('/style.css', (context) => {
  const file = fileURLToPath(import.meta.resolve('latchkey-examples-shared/style.css'))
  context.type = 'css'
  context.body = createReadStream(file)
})

app.use(router.routes())

const port = Number(process.env['PORT'] ?? 3000)
app.listen(port, () => console.log(`The application: http://localhost:${port}`))
