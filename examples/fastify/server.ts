import { createReadStream } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastify from 'fastify'
import { createLatchkey } from 'latchkey'
import { authHandler, requireAuth, sendReply, webRequestOf } from 'latchkey/fastify'
import { config } from 'latchkey-examples-shared/auth'
import { pages } from 'latchkey-examples-shared/pages'

const { home, privatePage } = pages('Fastify')

const latchkey = createLatchkey(config)

const app = fastify()

await app.register(authHandler, { latchkey })

app.get('/', async (request, reply) => {
  return reply.type('text/html').send(home(await request.auth()))
})

app.get('/private', { preHandler: requireAuth(latchkey) }, async (request, reply) => {
  return reply.type('text/html').send(privatePage(await request.auth()))
})

app.register(async (scope) => {
  // The form says nothing but that it was sent.
  scope.addContentTypeParser('*', (_request, _body, done) => done(null))
  scope.post('/sign-out', async (request, reply) => {
    return sendReply(await latchkey.signOut(webRequestOf(request), { redirectTo: '/' }), reply)
  })
})

app.get('/style.css', async (_request, reply) => {
  const file = fileURLToPath(import.meta.resolve('latchkey-examples-shared/style.css'))
  return reply.type('text/css').send(createReadStream(file))
})

const port = Number(process.env['PORT'] ?? 3000)
await app.listen({ port })
console.log(`The application: http://localhost:${port}`)
