import { fileURLToPath } from 'node:url'
import express from 'express'
import { authHandler, authSession, requireAuth, signOut } from 'latchkey/express'
import { config } from 'latchkey-examples-shared/auth'
import { pages } from 'latchkey-examples-shared/pages'

const { home, privatePage } = pages('Express')

const app = express()

app.use('/auth', authHandler(config))

app.get('/', authSession(config), (_request, response) => {
  response.send(home(response.locals.session))
})

app.get('/private', requireAuth(config), (_request, response) => {
  response.send(privatePage(response.locals.session))
})

app.post('/sign-out', (request, response) =>
  signOut(request, response, config, { redirectTo: '/' }),
)

app.get('/style.css', (_request, response) => {
  response.sendFile(fileURLToPath(import.meta.resolve('latchkey-examples-shared/style.css')))
})

const port = Number(process.env['PORT'] ?? 3000)
app.listen(port, () => console.log(`The application: http://localhost:${port}`))
