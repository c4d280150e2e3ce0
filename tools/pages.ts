/**
 * `npm run pages`: every page in every state, from the same list as the tests in a browser.
 *
 *     npm run pages [-- --port 4400]
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { parseArgs } from 'node:util'
import { html } from '../packages/latchkey/src/http/html.ts'
import { mails } from '../packages/latchkey/tests/gallery/mails.ts'
import { states } from '../packages/latchkey/tests/gallery/states.ts'
import type { Look } from '../packages/latchkey/tests/gallery/visitor.ts'

const { values } = parseArgs({ options: { port: { type: 'string', default: '4400' } } })

const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="#0a6b4b" d="M16 2a14 14 0 1 0 14 14V2z"/></svg>'

const STYLE = `
:root{color-scheme:light dark;font:15px/1.5 system-ui,sans-serif}
body{margin:0;padding:1.5rem}
h1{font-size:1.25rem} h2{font-size:1rem;margin:1.5rem 0 .25rem}
ul{margin:0;padding:0;list-style:none;columns:16rem}
nav{display:flex;flex-wrap:wrap;gap:1rem}
.looks{display:flex;flex-wrap:wrap;gap:1.5rem;margin-top:1rem}
pre{white-space:pre-wrap;max-width:40rem;margin:0}
iframe{display:block;border:1px solid #8888;border-radius:8px;background:Canvas}
`

createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    response.writeHead(500, { 'content-type': 'text/plain' }).end(String(error))
  })
}).listen(Number(values.port), '127.0.0.1', () => {
  console.log(`${states.length} pages: http://127.0.0.1:${values.port}/`)
})

async function answer({ url = '/' }: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(url, 'http://localhost')
  const lang = searchParams.get('lang') === 'ar' ? 'ar' : 'en'
  if (pathname === '/') return sendHtml(response, index())
  if (pathname.startsWith('/look/')) return sendHtml(response, looks(pathname.slice(6), lang))
  if (pathname.startsWith('/page/')) {
    const scheme = searchParams.get('scheme') === 'dark' ? 'dark' : 'light'
    return sendPage(response, pathname.slice(6), { lang, scheme, now: Date.now() })
  }
  if (pathname.startsWith('/mails/')) return sendMail(response, pathname.slice(1), { lang })
  if (pathname.endsWith('.svg')) {
    response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(LOGO)
    return
  }
  sendHtml(response, '<h1>Elsewhere</h1><p>This link or form leads out of the gallery.</p>', 404)
}

function index(): string {
  const groups = Map.groupBy(states, ({ name }) => name.split('/', 1).join(''))
  const lists = [...groups].map(
    ([group, members]) =>
      `<h2>${group}</h2><ul>${members.map(({ name }) => `<li><a href="/look/${name}">${name}</a></li>`).join('')}</ul>`,
  )
  const letters = mails.map(
    ({ name }) => `<li><a href="/${name}">${name}</a> (<a href="/${name}?lang=ar">ar</a>)</li>`,
  )
  return `<h1>Pages</h1>${lists.join('')}<h2>mails</h2><ul>${letters.join('')}</ul>`
}

/** A page as people may see it: on a desktop and a phone, in the light and in the dark. */
function looks(name: string, lang: Look['lang']): string {
  const at = states.findIndex((state) => state.name === name)
  const link = (to: number, text: string): string => {
    const other = states[to]
    return other ? `<a href="/look/${other.name}?lang=${lang}">${text}: ${other.name}</a>` : ''
  }
  const frames = [390, 1120].flatMap((width) =>
    ['light', 'dark'].map(
      (scheme) =>
        `<iframe title="${scheme}, ${width}" src="/page/${name}?lang=${lang}&scheme=${scheme}" width="${width}" height="820"></iframe>`,
    ),
  )
  const other = lang === 'en' ? 'ar' : 'en'
  const translated = states[at]?.isEnglish
    ? ''
    : `<a href="/look/${name}?lang=${other}">${other === 'ar' ? 'From right to left' : 'English'}</a>`
  return `<nav><a href="/">All pages</a>${link(at - 1, 'Previous')}${link(at + 1, 'Next')}${translated}</nav>
<h1>${name}</h1><div class="looks">${frames.join('')}</div>`
}

/** Sends a page as its handler made it, but a frame of this site may show it. */
async function sendPage(response: ServerResponse, name: string, look: Look): Promise<void> {
  const state = states.find((each) => each.name === name)
  if (!state) return sendHtml(response, '<h1>There is no such page</h1>', 404)
  const page = await state.open(look)
  const policy = page.headers.get('content-security-policy') ?? ''
  response
    .writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy.replace("frame-ancestors 'none'", "frame-ancestors 'self'"),
      'cache-control': 'no-store',
    })
    .end(await page.text())
}

/** Sends a mail: its subject and text, and its HTML in a frame. */
function sendMail(response: ServerResponse, name: string, { lang }: Pick<Look, 'lang'>): void {
  const state = mails.find((each) => each.name === name)
  if (!state) return sendHtml(response, '<h1>There is no such mail</h1>', 404)
  const { subject, text, ...written } = state.write({ lang })
  const body: string = written.html
  sendHtml(
    response,
    html`<nav><a href="/">All pages</a></nav><h1>${subject}</h1><div class="looks">
<iframe title="The mail" sandbox srcdoc="${body}" width="640" height="720"></iframe><pre dir="auto">${text}</pre></div>`,
  )
}

function sendHtml(response: ServerResponse, body: string, status = 200): void {
  response
    .writeHead(status, { 'content-type': 'text/html; charset=utf-8' })
    .end(
      `<!doctype html><html lang="en"><meta charset="utf-8"><title>Pages</title><style>${STYLE}</style><body>${body}`,
    )
}
