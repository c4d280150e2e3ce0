import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createLatchkey } from 'latchkey'
import { toNodeListener } from 'latchkey/node'
import { config } from 'latchkey-examples-shared/auth'
import { pages } from 'latchkey-examples-shared/pages'
import { terms } from './terms/index.ts'

const latchkey = createLatchkey({
  ...config,
  plugins: [terms({ version: process.env['TERMS'] ?? '2026-01' })],
})

const { home, privatePage } = pages('a plugin')

function page(text: string, headers = new Headers()): Response {
  headers.set('content-type', 'text/html; charset=utf-8')
  return new Response(text, { headers })
}

async function answer(request: Request): Promise<Response> {
  if (await latchkey.answers(request)) return latchkey.handler(request)
  const { pathname } = new URL(request.url)
  switch (pathname) {
    case '/': {
      const { session, headers } = await latchkey.getSession(request)
      return page(home(session), headers)
    }
    case '/private': {
      const { response, session } = await latchkey.protect(request, {
        authorized: ({ auth }) => auth !== null,
      })
      return response ?? page(privatePage(session))
    }
    case '/accepted':
      return Response.json({ accepted: await latchkey.api.terms.accepted(request) })
    case '/sign-out':
      return latchkey.signOut(request, { redirectTo: '/' })
    case '/style.css': {
      const file = new URL(import.meta.resolve('latchkey-examples-shared/style.css'))
      return new Response(await readFile(file, 'utf8'), { headers: { 'content-type': 'text/css' } })
    }
    default:
      return new Response('Not found', { status: 404 })
  }
}

const port = Number(process.env['PORT'] ?? 3000)
createServer(toNodeListener({ handler: answer })).listen(port, () => {
  console.log(`The application: http://localhost:${port}`)
})
