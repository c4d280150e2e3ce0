import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { node } from '@elysiajs/node'
import { Elysia } from 'elysia'
import { createLatchkey } from 'latchkey'
import { answerOf, authHandler, authSession, requireAuth } from 'latchkey/elysia'
import { config } from 'latchkey-examples-shared/auth'
import { pages } from 'latchkey-examples-shared/pages'

const { home, privatePage } = pages('Elysia')

const latchkey = createLatchkey(config)

const html = (page: string) => new Response(page, { headers: { 'content-type': 'text/html' } })

const app = new Elysia({ adapter: node() })
  .use(authHandler(latchkey))
  .get('/style.css', async () => {
    const file = fileURLToPath(import.meta.resolve('latchkey-examples-shared/style.css'))
    return new Response(await readFile(file, 'utf8'), { headers: { 'content-type': 'text/css' } })
  })
  .post(
    '/sign-out',
    async (context) =>
      answerOf(await latchkey.signOut(context.request, { redirectTo: '/' }), context),
    { parse: 'none' },
  )
  .resolve(authSession(latchkey))
  .get('/', ({ session }) => html(home(session)))
  .get('/private', ({ session }) => html(privatePage(session)), {
    beforeHandle: requireAuth(latchkey),
  })

const port = Number(process.env['PORT'] ?? 3000)
app.listen(port)
console.log(`The application: http://localhost:${port}`)
