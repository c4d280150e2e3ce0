import type { AuthConfig } from 'latchkey'
import { beforeAll, describe, expect, test } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import type { EmailConfig, OAuthCheck } from '../../src/options/provider-options.ts'
import { type CeremonyOptions, createAuthenticator } from '../support/authenticator.ts'
import { type Answer, Visit } from './auth-core-visit.ts'
import { createIdentityProvider, type IdentityProvider } from './differential/identity-provider.ts'
import { acme, mail, password, plain } from './differential/providers.ts'
import type { Setting } from './differential/scenario.ts'
import { ours, returning, type Side, theirs } from './differential/side.ts'

const secret = 'latchkey-test-secret-0123456789abcdef'
const older = 'latchkey-test-secret-of-last-year-0123'

let peer: Side
/** One of its own: Auth.js that has seen a mail provider refuses configurations without an adapter. */
let mailPeer: Side
/** Likewise for passkeys. */
let passkeyPeer: Side
beforeAll(async () => {
  ;[peer, mailPeer, passkeyPeer] = (await Promise.all(
    ['OAuth', 'mail', 'passkeys'].map((name) => theirs(`coming over with ${name}`)),
  )) as [Side, Side, Side]
})

/** An application that is moved from one service to the other, with what it stores. */
class Move {
  readonly idp: IdentityProvider = createIdentityProvider()
  readonly adapter = memoryAdapter()
  link = ''
  readonly #build: (setting: Setting) => Partial<AuthConfig>

  constructor(build: (setting: Setting) => Partial<AuthConfig>) {
    this.#build = build
  }

  /** The application on one side. */
  on(side: Side, secrets: string | string[] = secret): Answer {
    const setting: Setting = {
      side,
      idp: this.idp,
      heard: () => {},
      mail: (link) => {
        this.link = link
      },
    }
    const config: AuthConfig = {
      providers: [],
      secret: secrets,
      trustHost: true,
      basePath: '/auth',
      logger: { error() {}, warn() {}, debug() {} },
      ...this.#build(setting),
    }
    return async (request) => (await side.auth(request, config)) as Response
  }
}

async function csrfToken(visit: Visit, answer: Answer): Promise<string> {
  const body = (await (await visit.get(answer, '/auth/csrf')).json()) as { csrfToken: string }
  return body.csrfToken
}

async function post(
  visit: Visit,
  answer: Answer,
  path: string,
  form: Record<string, string> = {},
): Promise<Response> {
  return visit.post(answer, path, { csrfToken: await csrfToken(visit, answer), ...form })
}

/** Goes to the provider from one service, and comes back to the other. */
async function signIn(
  move: Move,
  visit: Visit,
  [from, to]: readonly [Answer, Answer],
  id = 'acme',
): Promise<Response> {
  const begin = await post(visit, from, `/auth/signin/${id}`, { callbackUrl: '/inbox' })
  const asked = new URL(begin.headers.get('location') ?? '')
  expect(asked.origin).toBe('https://idp.example')
  move.idp.nonce = asked.searchParams.get('nonce')
  const state = asked.searchParams.get('state')
  const answer = new URLSearchParams({ code: 'the-code', ...(state === null ? {} : { state }) })
  return visit.get(to, `/auth/callback/${id}?${answer.toString()}`)
}

const INBOX = 'https://app.example/inbox'
const REFUSED = 'https://app.example/auth/error?error=Configuration'
const EXPIRED = `${REFUSED}&code=expired`
const ada = { user: { name: 'Ada Lovelace', email: 'ada@example.test' } }

/** Both ways of moving, by name. */
const ways = [
  ['from Auth.js to Latchkey', (): [Side, Side] => [peer, ours]],
  ['from Latchkey back to Auth.js', (): [Side, Side] => [ours, peer]],
] as const

/** The same with a sign-in in between, for which Latchkey leaves a way back. */
const waysBack = [
  ways[0],
  ['from Auth.js to Latchkey with a way back', (): [Side, Side] => [peer, returning]],
  ['from Latchkey with a way back to Auth.js', (): [Side, Side] => [returning, peer]],
] as const

const checks: OAuthCheck[][] = [
  ['pkce'],
  ['state'],
  ['nonce'],
  ['pkce', 'state'],
  ['pkce', 'nonce'],
  ['state', 'nonce'],
  ['pkce', 'state', 'nonce'],
]

for (const [way, sides] of waysBack) {
  describe(`a pending sign-in ${way}`, () => {
    for (const names of checks) {
      test(`with OpenID Connect is completed, checked by ${names.join(', ')}`, async () => {
        const move = new Move((setting) => ({ providers: [acme(setting, { checks: names })] }))
        const [from, to] = sides().map((side) => move.on(side)) as [Answer, Answer]
        const visit = new Visit()
        const end = await signIn(move, visit, [from, to])
        expect(end.headers.get('location')).toBe(INBOX)
        expect(await visit.session(to)).toMatchObject(ada)
        expect(await visit.session(from)).toMatchObject(ada)
      })

      if (names.includes('nonce')) continue
      test(`with OAuth is completed, checked by ${names.join(', ')}`, async () => {
        const move = new Move((setting) => ({ providers: [plain(setting, { checks: names })] }))
        const [from, to] = sides().map((side) => move.on(side)) as [Answer, Answer]
        const visit = new Visit()
        const end = await signIn(move, visit, [from, to], 'plain')
        expect(end.headers.get('location')).toBe(INBOX)
        expect(await visit.session(to)).toMatchObject(ada)
      })
    }

    test('leaves no check of Auth.js behind', async () => {
      const move = new Move((setting) => ({
        providers: [acme(setting, { checks: ['pkce', 'state', 'nonce'] })],
      }))
      const [from, to] = sides().map((side) => move.on(side)) as [Answer, Answer]
      const visit = new Visit()
      await signIn(move, visit, [from, to])
      const left = [...visit.cookies.keys()].filter((name) =>
        /authjs\.(pkce|state|nonce)/.test(name),
      )
      expect(left).toEqual([])
    })

    test('is refused with the state of another browser', async () => {
      const move = new Move((setting) => ({ providers: [acme(setting, { checks: ['state'] })] }))
      const [from, to] = sides().map((side) => move.on(side)) as [Answer, Answer]
      const [visit, other] = [new Visit(), new Visit()]
      await post(visit, from, '/auth/signin/acme')
      const begin = await post(other, from, '/auth/signin/acme')
      const state = new URL(begin.headers.get('location') ?? '').searchParams.get('state') ?? ''
      const end = await visit.get(
        to,
        `/auth/callback/acme?${new URLSearchParams({ code: 'the-code', state }).toString()}`,
      )
      expect(end.headers.get('location')).toBe(REFUSED)
      expect(visit.sessionCookies).toEqual([])
    })

    test('T-OIDC-1: is refused at another provider than it began with', async () => {
      const names: OAuthCheck[] = ['pkce']
      const move = new Move((setting) => ({
        providers: [acme(setting, { checks: names }), plain(setting, { checks: names })],
      }))
      const [from, to] = sides().map((side) => move.on(side)) as [Answer, Answer]
      const visit = new Visit()
      await post(visit, from, '/auth/signin/acme')
      const end = await visit.get(to, '/auth/callback/plain?code=the-code')
      expect([REFUSED, EXPIRED]).toContain(end.headers.get('location'))
      expect(visit.sessionCookies).toEqual([])
    })

    test('of a known user keeps their account', async () => {
      const move = new Move((setting) => ({
        providers: [acme(setting)],
        adapter: move.adapter,
        session: { strategy: 'jwt' },
      }))
      const [from, to] = sides().map((side) => move.on(side)) as [Answer, Answer]
      await signIn(move, new Visit(), [from, from])
      const before = await move.adapter.getUserByEmail?.('ada@example.test')
      expect(before).toBeTruthy()
      const visit = new Visit()
      const end = await signIn(move, visit, [from, to])
      expect(end.headers.get('location')).toBe('https://app.example/inbox')
      expect(await visit.session(to)).toMatchObject(ada)
      expect(await move.adapter.getUserByEmail?.('ada@example.test')).toEqual(before)
    })

    test('is refused if the secret is another', async () => {
      const move = new Move((setting) => ({ providers: [acme(setting)] }))
      const [one, other] = sides()
      const end = await signIn(move, new Visit(), [move.on(one), move.on(other, older)])
      expect([REFUSED, EXPIRED]).toContain(end.headers.get('location'))
    })

    for (const [name, before, after] of [
      ['the same list of secrets', [secret, older], [secret, older]],
      ['a new secret in front', [older], [secret, older]],
      ['a list instead of a text', older, [older]],
    ] as const) {
      test(`is completed also with a change meanwhile: ${name}`, async () => {
        const move = new Move((setting) => ({
          providers: [acme(setting, { checks: ['pkce', 'state', 'nonce'] })],
        }))
        const [one, other] = sides()
        const visit = new Visit()
        const end = await signIn(move, visit, [
          move.on(one, typeof before === 'string' ? before : [...before]),
          move.on(other, [...after]),
        ])
        expect(end.headers.get('location')).toBe(INBOX)
      })
    }
  })
}

test('a sign-in that Latchkey began without a way back must begin anew at Auth.js', async () => {
  const move = new Move((setting) => ({ providers: [acme(setting)] }))
  const visit = new Visit()
  const end = await signIn(move, visit, [move.on(ours), move.on(peer)])
  expect(end.headers.get('location')).toBe(REFUSED)
  const again = await signIn(move, visit, [move.on(peer), move.on(peer)])
  expect(again.headers.get('location')).toBe(INBOX)
})

describe('a pending sign-in that links an account', () => {
  /** Signs in at the first, and goes on from there to link a second account at the other. */
  async function link(from: Side, to: Side): Promise<{ location: string | null; linked: unknown }> {
    const move: Move = new Move((setting) => ({
      providers: [acme(setting), plain(setting)],
      adapter: move.adapter,
      session: { strategy: 'jwt' },
    }))
    const answers = [move.on(from), move.on(to)] as const
    const visit = new Visit()
    await signIn(move, visit, [answers[0], answers[0]])
    const end = await signIn(move, visit, answers, 'plain')
    const account = { provider: 'plain', providerAccountId: 'idp-7' }
    return {
      location: end.headers.get('location'),
      linked: await move.adapter.getUserByAccount?.(account),
    }
  }

  test('from Auth.js is refused, since its cookies do not name the user', async () => {
    expect(await link(peer, ours)).toEqual({
      location: 'https://app.example/auth/signin?error=OAuthAccountNotLinked',
      linked: null,
    })
  })

  test('from Auth.js is refused, also with a way back', async () => {
    expect(await link(peer, returning)).toMatchObject({ linked: null })
  })

  test('from Latchkey with a way back is finished by Auth.js', async () => {
    expect(await link(returning, peer)).toMatchObject({
      location: INBOX,
      linked: { email: 'ada@example.test' },
    })
  })
})

describe('a sign-in without checks', () => {
  const move = new Move((setting) => ({ providers: [acme(setting, { checks: ['none'] })] }))

  test('is refused if Auth.js began it: anybody could have begun it', async () => {
    const end = await signIn(move, new Visit(), [move.on(peer), move.on(ours)])
    expect([REFUSED, EXPIRED]).toContain(end.headers.get('location'))
  })

  test('is finished by Auth.js if Latchkey began it', async () => {
    const end = await signIn(move, new Visit(), [move.on(ours), move.on(peer)])
    expect(end.headers.get('location')).toBe(INBOX)
  })
})

describe('a pending mail', () => {
  const mailing = (more: Partial<EmailConfig> = {}): Move => {
    const move: Move = new Move((setting) => ({
      providers: [mail(setting, more)],
      adapter: move.adapter,
      session: { strategy: 'jwt' },
    }))
    return move
  }
  const ask = { email: 'ada@example.test', callbackUrl: '/inbox' }
  const known = { user: { email: 'ada@example.test' } }

  test('from Auth.js to Latchkey shows the button, which signs in', async () => {
    const move = mailing()
    const visit = new Visit()
    await post(visit, move.on(mailPeer), '/auth/signin/mail', ask)
    const link = move.link.replace('https://app.example', '')
    const page = await visit.get(move.on(ours), link)
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('<form method="post">')
    const end = await post(visit, move.on(ours), link)
    expect(end.headers.get('location')).toBe(INBOX)
    expect(await visit.session(move.on(ours))).toMatchObject(known)
    const again = await post(visit, move.on(ours), link)
    expect(again.headers.get('location')).toBe('https://app.example/auth/error?error=Verification')
  })

  test('from Auth.js to Latchkey signs in at once if the confirmation is off', async () => {
    const move = mailing({ confirmation: 'never' })
    const visit = new Visit()
    await post(visit, move.on(mailPeer), '/auth/signin/mail', ask)
    const end = await visit.get(move.on(ours), move.link.replace('https://app.example', ''))
    expect(end.headers.get('location')).toBe(INBOX)
    expect(await visit.session(move.on(ours))).toMatchObject(known)
  })

  test('from Latchkey back to Auth.js signs in', async () => {
    const move = mailing()
    const visit = new Visit()
    await post(visit, move.on(ours), '/auth/signin/mail', ask)
    const end = await visit.get(move.on(mailPeer), move.link.replace('https://app.example', ''))
    expect(end.headers.get('location')).toBe(INBOX)
    expect(await visit.session(move.on(mailPeer))).toMatchObject(known)
  })

  test('works once, in Auth.js or in Latchkey', async () => {
    const move = mailing({ confirmation: 'never' })
    await post(new Visit(), move.on(mailPeer), '/auth/signin/mail', ask)
    const link = move.link.replace('https://app.example', '')
    await new Visit().get(move.on(ours), link)
    for (const side of [mailPeer, ours]) {
      const end = await new Visit().get(move.on(side), link)
      expect(end.headers.get('location')).toBe('https://app.example/auth/error?error=Verification')
    }
  })

  test('from Auth.js with a list of secrets signs in', async () => {
    const move = mailing({ confirmation: 'never' })
    const visit = new Visit()
    await post(visit, move.on(mailPeer, [secret, older]), '/auth/signin/mail', ask)
    const end = await visit.get(
      move.on(ours, [secret, older]),
      move.link.replace('https://app.example', ''),
    )
    expect(end.headers.get('location')).toBe(INBOX)
  })

  for (const [what, side, end] of [
    ['is not found: Auth.js hashes with the joined list', ours, '/auth/error?error=Verification'],
    ['and a way back signs in', returning, '/inbox'],
  ] as const) {
    test(`from Latchkey with a list of secrets ${what}`, async () => {
      const move = mailing()
      const visit = new Visit()
      await post(visit, move.on(side, [secret, older]), '/auth/signin/mail', ask)
      const opened = await visit.get(
        move.on(mailPeer, [secret, older]),
        move.link.replace('https://app.example', ''),
      )
      expect(opened.headers.get('location')).toBe(`https://app.example${end}`)
    })
  }

  test('from Latchkey with a way back signs in at Latchkey, with and without it', async () => {
    for (const side of [returning, ours]) {
      const move = mailing()
      const visit = new Visit()
      await post(visit, move.on(returning, [secret, older]), '/auth/signin/mail', ask)
      const link = move.link.replace('https://app.example', '')
      const end = await visit.get(move.on(side, [secret, older]), link)
      expect(end.headers.get('location')).toBe(INBOX)
    }
  })
})

describe('a passkey', () => {
  const OPTIONS = '/auth/webauthn-options/passkey'

  /** An application with passkeys. As databases do, its store makes the ids that it is not given. */
  function withPasskeys(more: Partial<AuthConfig> = {}): Move {
    const move: Move = new Move(({ side }) => ({
      ...more,
      providers: [side.Passkey()],
      adapter: {
        ...move.adapter,
        createUser: (user) => move.adapter.createUser?.({ ...user, id: user.id ?? 'made' }),
      },
      experimental: { enableWebAuthn: true },
      session: { strategy: 'jwt' },
    }))
    return move
  }

  /** Both sides, the peer being the one that has seen passkeys. */
  const withPeer = (sides: readonly Side[]): Side[] =>
    sides.map((side) => (side === peer ? passkeyPeer : side))

  async function optionsFor(visit: Visit, answer: Answer, query: string): Promise<CeremonyOptions> {
    const body = await (await visit.get(answer, `${OPTIONS}?${query}`)).json()
    return (body as { options: CeremonyOptions }).options
  }

  function give(visit: Visit, answer: Answer, action: string, data: unknown): Promise<Response> {
    const form = { action, data: JSON.stringify(data), callbackUrl: '/inbox' }
    return visit.post(answer, '/auth/callback/passkey', form)
  }

  for (const [way, sides] of ways) {
    const known = { user: { email: 'ada@example.test' } }

    // D-164: the challenge of one side is not in a cookie that the other reads.
    test(`is requested anew if the site moves ${way} meanwhile`, async () => {
      const move = withPasskeys()
      const [from, to] = withPeer(sides()).map((side) => move.on(side)) as [Answer, Answer]
      const device = createAuthenticator('https://app.example')
      const visit = new Visit()
      const query = 'action=register&email=ada%40example.test'
      const made = await give(
        visit,
        to,
        'register',
        device.create(await optionsFor(visit, from, query)),
      )
      expect(made.headers.get('location')).toBe(REFUSED)
      expect(visit.sessionCookies).toEqual([])
      await give(visit, to, 'register', device.create(await optionsFor(visit, to, query)))
      expect(await visit.session(to)).toMatchObject(known)
    })

    test(`is created ${way} if the cookie of the challenge has the name of Auth.js`, async () => {
      const cookies = { webauthnChallenge: { name: '__Secure-authjs.challenge' } }
      const move = withPasskeys({ cookies })
      const [from, to] = withPeer(sides()).map((side) => move.on(side)) as [Answer, Answer]
      const device = createAuthenticator('https://app.example')
      const visit = new Visit()
      const query = 'action=register&email=ada%40example.test'
      const options = await optionsFor(visit, from, query)
      await give(visit, to, 'register', device.create(options))
      expect(await visit.session(to)).toMatchObject(known)
    })

    test(`that exists is used ${way}`, async () => {
      const move = withPasskeys()
      const [from, to] = withPeer(sides()).map((side) => move.on(side)) as [Answer, Answer]
      const device = createAuthenticator('https://app.example')
      const first = new Visit()
      const asked = await optionsFor(first, from, 'action=register&email=ada%40example.test')
      await give(first, from, 'register', device.create(asked))
      const visit = new Visit()
      const options = await optionsFor(visit, to, 'action=authenticate')
      const used = await give(visit, to, 'authenticate', device.get(options))
      expect(used.headers.get('location')).toBe(INBOX)
      expect(await visit.session(to)).toMatchObject(known)
    })
  }
})

describe('an open form', () => {
  const move = new Move((setting) => ({ providers: [password(setting)] }))

  for (const [way, sides] of ways) {
    test(`is accepted ${way}`, async () => {
      const [from, to] = sides().map((side) => move.on(side)) as [Answer, Answer]
      const visit = new Visit()
      const page = await (await visit.get(from, '/auth/signin?callbackUrl=/inbox')).text()
      const token = /name="csrfToken"[^>]*value="?([0-9a-f]{64})/.exec(page)?.[1] ?? ''
      const end = await visit.post(to, '/auth/callback/password', { csrfToken: token })
      expect(end.headers.get('location')).toBe(INBOX)
    })
  }

  test('with a list of secrets is accepted from Auth.js to Latchkey', async () => {
    const visit = new Visit()
    const token = await csrfToken(visit, move.on(peer, [secret, older]))
    const end = await visit.post(move.on(ours, [secret, older]), '/auth/callback/password', {
      csrfToken: token,
    })
    expect(end.headers.get('location')).toBe('https://app.example')
  })

  test('with a list of secrets must be loaded anew from Latchkey back to Auth.js', async () => {
    const visit = new Visit()
    const token = await csrfToken(visit, move.on(ours, [secret, older]))
    const to = move.on(peer, [secret, older])
    const end = await visit.post(to, '/auth/callback/password', { csrfToken: token })
    expect(end.headers.get('location')).toBe('https://app.example/auth/signin?error=MissingCSRF')
    expect((await post(visit, to, '/auth/callback/password')).headers.get('location')).toBe(
      'https://app.example',
    )
  })

  for (const [is, before] of [
    ['the same list', [secret, older]],
    ['the older one', [older]],
    ['the newer one', [secret]],
  ] as const) {
    test(`with a list of secrets and a way back is accepted by Auth.js, when the secret was ${is}`, async () => {
      const visit = new Visit()
      // A cookie of before the list, or the plugin: its token gets the hash that Auth.js knows.
      const early = await csrfToken(visit, move.on(ours, [...before]))
      const token = await csrfToken(visit, move.on(returning, [secret, older]))
      expect(token).toBe(early)
      const to = move.on(peer, [secret, older])
      const end = await visit.post(to, '/auth/callback/password', { csrfToken: token })
      expect(end.headers.get('location')).toBe('https://app.example')
    })
  }

  test('has a cookie that is written once', async () => {
    const answer = move.on(returning, [secret, older])
    const visit = new Visit()
    await visit.get(move.on(ours, [secret, older]), '/auth/csrf')
    const written = async (): Promise<string[]> =>
      (await visit.get(answer, '/auth/csrf')).headers
        .getSetCookie()
        .filter((cookie) => cookie.includes('csrf-token'))
    expect(await written()).toHaveLength(1)
    expect(await written()).toEqual([])
  })
})

describe('a sealed session', () => {
  for (const size of [1, 6000]) {
    const person = { id: 'u1', name: 'Ada', email: `${'a'.repeat(size)}@example.test` }
    const move = new Move((setting) => ({
      providers: [password(setting, person)],
      callbacks: {
        jwt: ({ token, trigger, session }) =>
          trigger === 'update' ? { ...token, name: String(session) } : token,
      },
    }))

    for (const [way, sides] of ways) {
      test(`of ${size === 1 ? 'one cookie' : 'several'} is updated ${way}`, async () => {
        const [from, to] = sides().map((side) => move.on(side)) as [Answer, Answer]
        const visit = new Visit()
        await post(visit, from, '/auth/callback/password')
        const updated = await post(visit, to, '/auth/session', { data: 'Augusta' })
        expect(await updated.json()).toMatchObject({ user: { name: 'Augusta' } })
        expect(await visit.session(from)).toMatchObject({
          user: { name: 'Augusta', email: person.email },
        })
      })

      test(`of ${size === 1 ? 'one cookie' : 'several'} ends ${way}`, async () => {
        const [from, to] = sides().map((side) => move.on(side)) as [Answer, Answer]
        const visit = new Visit()
        await post(visit, from, '/auth/callback/password')
        await post(visit, to, '/auth/signout')
        expect(visit.sessionCookies).toEqual([])
        expect(await visit.session(from)).toBeNull()
      })
    }
  }
})

describe('a stored session', () => {
  const storing = (): Move => {
    const move: Move = new Move((setting) => ({
      providers: [acme(setting)],
      adapter: move.adapter,
    }))
    return move
  }

  test('of Auth.js goes on, and can end', async () => {
    const move = storing()
    const visit = new Visit()
    await signIn(move, visit, [move.on(peer), move.on(peer)])
    expect(await visit.session(move.on(ours))).toMatchObject(ada)
    expect(await visit.session(move.on(ours))).toMatchObject(ada)
    await post(visit, move.on(ours), '/auth/signout')
    expect(visit.sessionCookies).toEqual([])
  })

  test('of Auth.js that Latchkey has read is stored in a form that Auth.js does not find', async () => {
    const move = storing()
    const visit = new Visit()
    await signIn(move, visit, [move.on(peer), move.on(peer)])
    await visit.session(move.on(ours))
    expect(await visit.session(move.on(peer))).toBeNull()
  })

  test('goes on at both with a way back, and the store has the form of Auth.js', async () => {
    for (const [begun, reader] of [
      [peer, returning],
      [returning, peer],
    ] as const) {
      const move = storing()
      const visit = new Visit()
      await signIn(move, visit, [move.on(begun), move.on(begun)])
      for (const side of [reader, begun, reader]) {
        expect(await visit.session(move.on(side))).toMatchObject(ada)
      }
      const [token = ''] = visit.sessionCookies.map((name) => visit.cookies.get(name))
      expect(await move.adapter.getSessionAndUser?.(token)).toMatchObject({ user: ada.user })
      await post(visit, move.on(reader), '/auth/signout')
      expect(await move.adapter.getSessionAndUser?.(token)).toBeNull()
    }
  })

  test('that was hashed is found by Auth.js once Latchkey with a way back has read it', async () => {
    const move = storing()
    const visit = new Visit()
    await signIn(move, visit, [move.on(ours), move.on(ours)])
    expect(await visit.session(move.on(returning))).toMatchObject(ada)
    expect(await visit.session(move.on(peer))).toMatchObject(ada)
  })

  test('is hashed when it is read after the way back was removed', async () => {
    const move = storing()
    const visit = new Visit()
    await signIn(move, visit, [move.on(returning), move.on(returning)])
    expect(await visit.session(move.on(ours))).toMatchObject(ada)
    const [token = ''] = visit.sessionCookies.map((name) => visit.cookies.get(name))
    expect(await move.adapter.getSessionAndUser?.(token)).toBeNull()
    expect(await visit.session(move.on(ours))).toMatchObject(ada)
    expect(await visit.session(move.on(peer))).toBeNull()
  })

  test('of Auth.js that Latchkey has not read goes on at Auth.js', async () => {
    const move = storing()
    const [visit, other] = [new Visit(), new Visit()]
    await signIn(move, visit, [move.on(peer), move.on(peer)])
    await signIn(move, other, [move.on(ours), move.on(ours)])
    expect(await visit.session(move.on(peer))).toMatchObject(ada)
  })

  test('of Latchkey ends when an application goes back, and a new one can begin', async () => {
    const move = storing()
    const visit = new Visit()
    await signIn(move, visit, [move.on(ours), move.on(ours)])
    expect(await visit.session(move.on(ours))).toMatchObject(ada)
    expect(await visit.session(move.on(peer))).toBeNull()
    await signIn(move, visit, [move.on(peer), move.on(peer)])
    expect(await visit.session(move.on(peer))).toMatchObject(ada)
  })

  test('of a sign-in that moved meanwhile is stored by the other library', async () => {
    for (const [from, to] of [
      [peer, ours],
      [peer, returning],
      [returning, peer],
    ] as const) {
      const move = storing()
      const visit = new Visit()
      const end = await signIn(move, visit, [move.on(from), move.on(to)])
      expect(end.headers.get('location')).toBe(INBOX)
      expect(await visit.session(move.on(to))).toMatchObject(ada)
    }
  })
})
