import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { createLatchkey } from 'latchkey'
import { sqlite } from 'latchkey/adapters/sqlite'
import { toNodeListener } from 'latchkey/node'
import { accounts } from 'latchkey/plugins/accounts'
import Passkey from 'latchkey/providers/passkey'

const latchkey = createLatchkey({
  // Only for this example: in production it comes from the environment.
  secret: process.env['AUTH_SECRET'] ?? 'an example that everybody can read 4b1d',
  adapter: sqlite(join(process.env['EXAMPLE_DATA'] ?? '.', 'app.db')),
  providers: [Passkey],
  plugins: accounts(),
})

const PAGES = ['react', 'vue', 'svelte', 'solid']

function page(name: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Account with ${name}</title>
<link rel="stylesheet" href="/style.css">
<nav>${PAGES.map((each) => `<a href="/${each}">${each}</a>`).join(' ')}</nav>
<main id="root"></main>
<script type="module" src="/${name}.js"></script>
</html>`
}

async function answer(request: Request): Promise<Response> {
  if (await latchkey.answers(request)) return latchkey.handler(request)
  const [, name = ''] = new URL(request.url).pathname.split('/')
  const file = /^(\w+)\.(js|css)$/.exec(name)
  if (file && (PAGES.includes(file[1] ?? '') || name === 'style.css')) {
    const path = file[2] === 'js' ? `dist/${name}` : name
    return new Response(await readFile(new URL(path, import.meta.url), 'utf8'), {
      headers: { 'content-type': file[2] === 'js' ? 'text/javascript' : 'text/css' },
    })
  }
  const { response } = await latchkey.protect(request, { authorized: ({ auth }) => auth !== null })
  if (response) return response
  if (name === '') return Response.redirect(new URL('/react', request.url), 303)
  if (!PAGES.includes(name)) return new Response('Not found', { status: 404 })
  return new Response(page(name), { headers: { 'content-type': 'text/html; charset=utf-8' } })
}

const port = Number(process.env['PORT'] ?? 3000)
createServer(toNodeListener({ handler: answer })).listen(port, () => {
  console.log(`The account page: http://localhost:${port}`)
})
