#!/usr/bin/env node
/**
 * What the examples sign in with: a provider that lets you be anybody, and a mailbox. Never on the
 * internet.
 *
 *     node development.mjs [command [arguments…]]    runs the command, with DEVELOPMENT_URL set
 */
import { spawn } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'

/** @type {{ to: string, url: string, at: string }[]} */
const mails = []

/** @param {string} text */
const escaped = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** @param {string} title @param {string} body */
const page = (title, body) => `<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>${title}</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
  body { max-width: 26rem; margin: 12vh auto; padding: 0 1rem }
  form, li { display: grid; gap: .75rem; margin: 1.5rem 0 } input, button { font: inherit; padding: .6rem .8rem; border-radius: .5rem; border: 1px solid #8888 }
  button { background: #2563eb; color: #fff; border: 0; cursor: pointer } ul { padding: 0; list-style: none }
</style><h1>${title}</h1>${body}</html>`

/** @param {import('node:http').IncomingMessage} request */
async function read(request) {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}

export const server = createServer((request, response) => void answer(request, response))

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 */
async function answer(request, response) {
  const url = new URL(request.url ?? '/', 'http://localhost')
  const html = (/** @type {string} */ text) =>
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(text)
  const json = (/** @type {unknown} */ body) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  switch (`${request.method} ${url.pathname}`) {
    case 'GET /authorize': {
      const kept = ['redirect_uri', 'state', 'response_mode'].map((name) => {
        const value = escaped(url.searchParams.get(name) ?? '')
        return `<input type="hidden" name="${name}" value="${value}">`
      })
      return html(
        page(
          'Development account',
          `<p>Be whoever you like. This provider asks for no password.</p>
          <form action="/approve">${kept.join('')}
          <input name="name" value="alice" aria-label="Name" autofocus><button>Continue</button></form>`,
        ),
      )
    }
    case 'GET /approve': {
      const target = new URL(url.searchParams.get('redirect_uri') ?? '')
      const answer = {
        code: url.searchParams.get('name') ?? '',
        state: url.searchParams.get('state') ?? '',
      }
      if (url.searchParams.get('response_mode') === 'form_post') {
        const fields = Object.entries(answer).map(
          ([name, value]) => `<input type="hidden" name="${name}" value="${escaped(value)}">`,
        )
        const form = `<form method="post" action="${escaped(target.href)}">${fields.join('')}</form>`
        return html(page('Going back', `${form}<script>document.forms[0].submit()</script>`))
      }
      for (const [name, value] of Object.entries(answer)) target.searchParams.set(name, value)
      return response.writeHead(302, { location: target.href }).end()
    }
    case 'POST /token': {
      const code = new URLSearchParams(await read(request)).get('code')
      return json({ access_token: code, token_type: 'bearer' })
    }
    case 'GET /userinfo': {
      const sub = request.headers.authorization?.replace(/^Bearer /i, '') ?? ''
      return json({ sub, name: sub, email: `${sub}@example.test` })
    }
    case 'POST /mailbox': {
      mails.unshift({ ...JSON.parse(await read(request)), at: new Date().toISOString() })
      return json({})
    }
    case 'GET /mailbox.json':
      return json(mails)
    case 'GET /mailbox': {
      const list = mails.map(
        ({ to, url, at }) =>
          `<li><span>${escaped(to)}, ${at.slice(11, 16)}</span><a href="${escaped(url)}">Sign in</a></li>`,
      )
      return html(page('Mailbox', `<ul>${list.join('') || '<li>No mail yet.</li>'}</ul>`))
    }
    default:
      return response.writeHead(404).end()
  }
}

if (realpathSync(process.argv[1] ?? '') === fileURLToPath(import.meta.url)) {
  const [command, ...args] = process.argv.slice(2)
  server.listen(Number(process.env.DEVELOPMENT_PORT ?? 4400), '127.0.0.1', () => {
    const { port } = /** @type {{ port: number }} */ (server.address())
    const url = `http://localhost:${port}`
    console.log(`Development account and mailbox: ${url}/mailbox`)
    if (!command) return
    const env = { DEVELOPMENT_URL: url, AUTH_TRUST_HOST: 'true', ...process.env }
    const child = spawn(command, args, { stdio: 'inherit', env })
    child.on('exit', (code) => process.exit(code ?? 1))
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  })
}
