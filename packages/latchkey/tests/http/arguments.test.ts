import { describe, expect, test } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { createLatchkey, type SignOutOptions } from '../../src/entries/index.ts'
import { providerTokens } from '../../src/plugins/provider-tokens/index.ts'
import { sessions } from '../../src/plugins/sessions/index.ts'
import { tokens } from '../../src/plugins/tokens/index.ts'
import GitHub from '../../src/providers/github.ts'
import GitLab from '../../src/providers/gitlab.ts'

const SITE = 'https://app.example'

function site() {
  const logged: string[] = []
  const logger = {
    error: (error: Error) => logged.push(error.message),
    warn: () => {},
    debug: () => {},
  }
  const latchkey = createLatchkey(
    {
      providers: [GitHub({ clientId: 'id' }), GitLab({ clientId: 'id' })],
      adapter: memoryAdapter(),
      plugins: [
        sessions(),
        tokens({ apiKeys: { scopes: ['read'] }, jwt: { audiences: { [SITE]: {} } } }),
        providerTokens(),
      ],
      logger,
    },
    { AUTH_SECRET: 'q7Zr2Wm9Xk4Lt6Vb8Ny3Cp5Hd1Jf0Sg', AUTH_URL: SITE },
  )
  return { latchkey, logged }
}

/** Calls a function as an application in JavaScript does, without a compiler. */
async function call(object: object, name: string, ...given: readonly unknown[]): Promise<unknown> {
  return (object as Record<string, (...given: readonly unknown[]) => unknown>)[name]?.(...given)
}

const request = new Request(`${SITE}/page`)
const userId = 'u1'
/** As the server of Node.js gives it. */
const ofNode = { headers: { host: 'app.example' }, url: '/page', method: 'GET' }
const NODE = 'got a request of Node.js; convert it with toWebRequest of latchkey/node'

describe('functions of plugins refuse arguments that would have no effect', () => {
  test.each<[string, string, readonly unknown[], string]>([
    ['tokens', 'createKey', [{ userId }, {}], '`key.name` must be a string, got undefined'],
    ['tokens', 'createKey', [{ userId }], '`key` must be an object, got undefined'],
    ['tokens', 'createKey', [{ userId: undefined }, { name: 'CI' }], '`who.userId` must be'],
    ['tokens', 'createKey', [{ id: userId }, { name: 'CI' }], '`who.userId` must be'],
    ['tokens', 'createKey', [ofNode, { name: 'CI' }], NODE],
    [
      'tokens',
      'createKey',
      [{ userId }, { name: 'CI', scope: ['read'] }],
      'unknown member `scope`; did you mean `scopes`?',
    ],
    [
      'tokens',
      'createKey',
      [{ userId }, { name: 'CI', validUntil: new Date() }],
      'unknown member `validUntil`; expected one of: name, scopes, expires, rate, networks, data',
    ],
    [
      'tokens',
      'createKey',
      [{ userId }, { name: 'CI', expires: '2027-01-01' }],
      '`key.expires` must be a Date, got "2027-01-01"',
    ],
    ['tokens', 'rotate', [{ compromized: true }], 'did you mean `compromised`?'],
    ['tokens', 'verifyKey', [request, { scopes: 'read' }], '`needs.scopes` must be a list'],
    ['tokens', 'verifyKey', [undefined], '`input` must be a Request, got undefined'],
    ['tokens', 'issue', [request, { audiance: SITE }], 'did you mean `audience`?'],
    ['tokens', 'replaceKey', [{ userId }, 'k', { overlap: '60' }], '`options.overlap` must be'],
    ['tokens', 'endKey', [{ userId }], '`id` must be a string that is not empty'],
    ['sessions', 'list', [{}], '`who.userId` must be the id of a user, got undefined'],
    ['sessions', 'current', [{}], '`request` must be a Request, got an object'],
    ['sessions', 'end', [{ userId }], '`who.id` must be a string that is not empty'],
    ['sessions', 'end', [{ userId, id: 's' }, { reason: 'logout' }], 'must be one of sign-out, '],
    ['sessions', 'endAll', [{ userId }, { exept: 's' }], 'did you mean `except`?'],
    ['sessions', 'isFresh', [request, '300'], '`seconds` must be a number, got "300"'],
    ['sessions', 'renew', [request, {}], '`proof.amr` must be a list of strings, got undefined'],
    ['providerTokens', 'get', [request], '`provider` must be a string, got undefined'],
    ['providerTokens', 'get', [request, 'github', { scope: ['a'] }], 'did you mean `scopes`?'],
    ['providerTokens', 'fetch', [request, 'github', SITE, { scope: ['a'] }], 'mean `scopes`?'],
    ['providerTokens', 'exchange', [request, 'github', { audiense: 'a' }], 'mean `audience`?'],
    ['providerTokens', 'forUser', [undefined, 'github'], '`userId` must be the id of a user'],
    ['providerTokens', 'revoke', [ofNode, 'github'], NODE],
  ])('%s.%s refuses %j', async (plugin, name, given, message) => {
    const { api } = site().latchkey
    const functions = (api as unknown as Record<string, object>)[plugin] ?? {}
    const thrown = await call(functions, name, ...given).catch((error: unknown) => error)
    expect(thrown).toBeInstanceOf(TypeError)
    expect(String(thrown)).toContain(message)
    expect(String(thrown)).toContain(`(latchkey.api.${plugin}.${name})`)
  })

  test('while rows that name a user, and the arguments of `fetch`, are accepted', async () => {
    const { api } = site().latchkey
    const row = { userId, role: 'admin', uid: 7 }
    expect(await api.tokens.listKeys(row)).toEqual([])
    expect(await call(api.sessions, 'list', { userId: 7 })).toEqual([])
    const init = { cf: {}, headers: {} }
    await expect(api.providerTokens.fetch(request, 'github', SITE, init)).rejects.toThrow(
      'there is no token of the provider github',
    )
  })
})

describe('functions of an instance', () => {
  test.each<[string, readonly unknown[], string]>([
    ['signOut', [request, { redirectTp: '/' }], 'did you mean `redirectTo`?'],
    ['signOut', [request, { federate: true }], 'did you mean `federated`?'],
    ['signOut', [ofNode], NODE],
    ['protect', [request, { authorised: () => true }], 'did you mean `authorized`?'],
    ['protect', [request, { authorized: 'admin' }], '`options.authorized` must be a function'],
    ['maintain', [{ budget: 10 }], 'did you mean `budgetMs`?'],
    ['getProviderToken', [request], '`provider` must be a string, got undefined'],
    ['signIn', [ofNode, 'github'], NODE],
    ['updateSession', [ofNode, {}], NODE],
  ])('%s refuses %j', async (name, given, message) => {
    await expect(call(site().latchkey, name, ...given)).rejects.toThrow(message)
  })

  test('signOut ignores further fields of a form', async () => {
    const fields: SignOutOptions & Record<string, unknown> = {
      csrfToken: 'c',
      redirectTo: '/bye',
      redirect: undefined,
      submit: '',
    }
    const answer = await site().latchkey.signOut(request, fields)
    expect(answer.headers.get('location')).toBe(`${SITE}/bye`)
  })

  test.each([
    ['gihub', 'there is no provider "gihub"; did you mean "github"?'],
    ['somebody', 'there is no provider "somebody"; the ids are github, gitlab'],
  ])('signIn with %s throws an error with the known ids', async (id, message) => {
    await expect(site().latchkey.signIn(request, id)).rejects.toMatchObject({
      type: 'InvalidProvider',
      message,
    })
  })

  test('signIn.result for an unknown id returns the error page, and the log has the reason', async () => {
    const { latchkey, logged } = site()
    const result = await latchkey.signIn.result(request, 'gihub')
    expect(result).toMatchObject({ url: `${SITE}/auth/error?error=Configuration` })
    expect(logged.join()).toContain('did you mean "github"?')
  })

  test('signIn without an id leads to the sign-in page, as an empty field of a form does', async () => {
    for (const id of [undefined, '']) {
      const answer = await site().latchkey.signIn(request, id)
      expect(answer.headers.get('location')).toContain('/auth/signin?')
    }
  })

  test.each(['getSession', 'handler'])(
    '%s explains that a request of Node.js is not a Request',
    async (name) => {
      const { latchkey, logged } = site()
      expect(await call(latchkey, name, ofNode)).toHaveProperty(
        'status',
        name === 'handler' ? 500 : 'unavailable',
      )
      expect(logged).toEqual([expect.stringContaining(NODE)])
      expect(logged.join()).not.toContain('createLatchkey')
    },
  )

  test('no message contains a token that was passed in place of a request', async () => {
    const { latchkey, logged } = site()
    await call(latchkey, 'getSession', 'secret-token')
    const thrown = await call(latchkey, 'signOut', 'secret-token').catch(String)
    for (const message of [logged.join(), String(thrown)]) {
      expect(message).toContain('got a string')
      expect(message).not.toContain('secret-token')
    }
  })
})
