// A visit to an application of Hono, on whatever runtime.
import { Hono } from 'hono'
import { createLatchkey } from 'latchkey'
import { authHandler, authSession, requireAuth } from 'latchkey/hono'
import Credentials from 'latchkey/providers/credentials'

const origin = 'https://app.example'

const latchkey = createLatchkey(
  {
    providers: [
      Credentials({
        credentials: { name: {} },
        authorize: ({ name }) => ({ id: '1', name: String(name) }),
      }),
    ],
    session: { updateAge: 0 },
  },
  { AUTH_SECRET: 'a secret of these tests, 0123456789abcdef', AUTH_URL: origin },
)

const app = new Hono()
app.use('/auth/*', authHandler(latchkey))
app.get('/who', authSession(latchkey), (context) =>
  context.text(context.get('session')?.user?.name ?? 'nobody'),
)
app.get('/private', requireAuth(latchkey), (context) =>
  context.text(context.get('session').user?.name ?? ''),
)

/** @returns {Promise<string[]>} what happened */
export async function visit() {
  /** @type {Map<string, string>} */
  const jar = new Map()

  /** @param {string} path @param {RequestInit} [init] */
  async function send(path, init = {}) {
    const cookie = Array.from(jar, ([name, value]) => `${name}=${value}`).join('; ')
    const request = new Request(origin + path, { ...init, headers: cookie ? { cookie } : {} })
    const answer = await app.fetch(request)
    const set = answer.headers.getSetCookie()
    for (const line of set) {
      const [pair = ''] = line.split('; ')
      const name = pair.slice(0, pair.indexOf('='))
      if (/max-age=0/i.test(line)) jar.delete(name)
      else jar.set(name, pair.slice(name.length + 1))
    }
    const said = answer.headers.get('location') ?? (await answer.clone().text())
    return { answer, said: `${path} ${answer.status} ${set.length} ${said}` }
  }

  /** @param {string} path @param {Record<string, string>} fields */
  async function post(path, fields) {
    const { csrfToken } = await (await send('/auth/csrf')).answer.json()
    return send(path, { method: 'POST', body: new URLSearchParams({ csrfToken, ...fields }) })
  }

  return [
    (await send('/private')).said,
    (await post('/auth/callback/credentials', { name: 'Ada' })).said,
    (await send('/private')).said,
    (await send('/who')).said,
    (await post('/auth/signout', {})).said,
    (await send('/who')).said,
  ]
}
