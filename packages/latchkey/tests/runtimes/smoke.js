/**
 * A whole visit, in plain JavaScript and without a test runner, so that every runtime can take it:
 * a token against forged forms, a wrong and a right password, the session, and the way out.
 *
 * `visit` gives the list of what happened; the same one everywhere.
 */
import { Auth } from 'latchkey'
import credentials from 'latchkey/providers/credentials'
import { createVerifier } from 'latchkey/verify'

const origin = 'https://app.example'

const config = {
  basePath: '/auth',
  trustHost: true,
  secret: 'a secret of the smoke test, 0123456789abcdef',
  logger: { error() {}, warn() {}, debug() {} },
  providers: [
    credentials({
      credentials: { password: { label: 'Password', type: 'password' } },
      authorize: (/** @type {Record<string, unknown>} */ { password }) =>
        // Longer than one cookie holds, so that the runtime has to carry several.
        password === 'right'
          ? { id: '1', name: 'Ada', email: `${'a'.repeat(4000)}@example.com` }
          : null,
    }),
  ],
}

/** @returns {Promise<string[]>} */
export async function visit() {
  const happened = []
  const browser = new Browser()

  const nobody = await browser.get('/auth/session')
  happened.push(`session ${nobody.status} ${await nobody.text()}`)

  const { csrfToken } = await browser.json('/auth/csrf')
  happened.push(`csrf ${csrfToken.length}`)

  const refused = await browser.post('/auth/callback/credentials', { csrfToken, password: 'wrong' })
  happened.push(`wrong password ${refused.status} ${refused.headers.get('location')}`)

  const forged = await browser.post('/auth/callback/credentials', { password: 'right' })
  happened.push(`no token ${forged.status} ${forged.headers.get('location')}`)

  const accepted = await browser.post('/auth/callback/credentials', {
    csrfToken,
    password: 'right',
  })
  happened.push(`right password ${accepted.status} ${accepted.headers.get('location')}`)
  happened.push(`cookies ${[...browser.cookies.keys()].sort().join(' ')}`)

  const somebody = await browser.json('/auth/session')
  happened.push(`session ${somebody.user.name} ${somebody.user.email.length}`)

  const verified = await createVerifier(config)(new Headers({ cookie: browser.header }))
  happened.push(`verified ${verified?.user?.name} ${verified?.user?.email?.length}`)

  const page = await browser.get('/auth/signin?callbackUrl=/')
  happened.push(`page ${page.status} ${(await page.text()).includes('type="password"')}`)

  // Signing in changes the token against forged forms.
  const left = await browser.post('/auth/signout', await browser.json('/auth/csrf'))
  happened.push(`sign-out ${left.status} ${left.headers.get('location')}`)

  const gone = await browser.get('/auth/session')
  happened.push(`session ${gone.status} ${await gone.text()}`)
  return happened
}

/** As much of a browser as keeps cookies. */
class Browser {
  /** @type {Map<string, string>} */
  cookies = new Map()

  /** The `Cookie` header that it sends. */
  get header() {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  /** @param {string} path */
  get(path) {
    return this.#send(path, {})
  }

  /** @param {string} path */
  async json(path) {
    return (await this.get(path)).json()
  }

  /**
   * @param {string} path
   * @param {Record<string, string>} form
   */
  post(path, form) {
    return this.#send(path, { method: 'POST', body: new URLSearchParams(form) })
  }

  /**
   * @param {string} path
   * @param {RequestInit} init
   */
  async #send(path, init) {
    const request = new Request(new URL(path, origin), init)
    if (this.cookies.size > 0) request.headers.set('cookie', this.header)
    const response = await Auth(request, config)
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split('; ')
      const name = pair.slice(0, pair.indexOf('='))
      if (/max-age=0/i.test(line)) this.cookies.delete(name)
      else this.cookies.set(name, pair.slice(name.length + 1))
    }
    return response
  }
}
