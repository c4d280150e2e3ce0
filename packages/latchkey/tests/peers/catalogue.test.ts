import { Auth, type AuthConfig } from '@auth/core'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { CLIENT_ID, CLIENT_SECRET, createVendor, type ProviderFacts } from '../support/vendor.ts'
import vectors from '../vectors/providers.json' with { type: 'json' }
import { Visit } from './auth-core-visit.ts'

/** What the contract of the catalogue holds us to, here held against the peer. */
const facts = vectors as unknown as Readonly<Record<string, ProviderFacts>>

/** What differs on purpose, and why. */
const departures: Readonly<Record<string, { query?: string; user?: string }>> = {
  'azure-ad': { user: 'the picture is a valid data URL, without a space' },
  'azure-devops': {
    user: 'the code is redeemed as the vendor wants it; the peer asks for no tokens',
  },
  bungie: {
    query: 'no scope, which Bungie refuses',
    user: 'is asked with the API key, where no identifier is needed',
  },
  dribbble: { query: 'no scope, instead of the word undefined' },
  eveonline: { user: 'pictures have moved to another host' },
  figma: { query: 'the scope that is left: Figma is removing `files:read`' },
  'microsoft-entra-id': { user: 'the picture is a valid data URL, without a space' },
  netsuite: {
    query: 'can be configured: the peer refuses its `userinfo`',
    user: 'can be configured: the peer refuses its `userinfo`',
  },
  patreon: { user: 'is asked by version 2 of the API; the first is given up' },
  threads: { user: 'the answer is not wrapped, other than the peer expects' },
  todoist: {
    query: 'can be configured: the peer refuses its own endpoint',
    user: 'can be configured: the peer refuses its own endpoint',
  },
  twitch: { query: 'asks whether the address is proven' },
}

/** Of these the peer has none. */
const beyond = [
  'gumroad',
  'kick',
  'linear',
  'microsoft',
  'paybin',
  'paypal',
  'polar',
  'railway',
  'vercel',
]

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('as in Auth.js', () => {
  const modules = Object.keys(facts).filter((module) => !beyond.includes(module))

  test.for(modules)('%s: sends the authorization request and returns the user', async (module) => {
    const known = factsOf(module)
    const { query, user } = await signIn(module, known)
    const { state: _, ...ours } = known.query
    const { query: otherQuery, user: otherUser } = departures[module] ?? {}
    if (otherQuery === undefined) expect(query).toEqual(ours)
    else expect(query, otherQuery).not.toEqual(ours)
    if (otherUser === undefined) expect(user).toEqual(present(known.user))
    else expect(user, otherUser).not.toEqual(present(known.user))
  })
})

function factsOf(module: string): ProviderFacts {
  const known = facts[module]
  if (!known) throw new Error(`nothing is known of ${module}`)
  return known
}

interface Seen {
  query: Record<string, string> | undefined
  user: Record<string, unknown> | undefined
}

/** Signs Ada in at the peer. */
async function signIn(module: string, known: ProviderFacts): Promise<Seen> {
  const { id } = known
  const seen: Seen = { query: undefined, user: undefined }
  // The peer wants a userinfo endpoint even where it asks none.
  const vendor = createVendor({ ...known, readsUserinfo: known.type === 'oidc' }, Date.now)
  vi.stubGlobal('fetch', vendor.fetch)
  const answer = await peer(module, known, seen)
  const visit = new Visit()
  const { csrfToken } = (await (await visit.get(answer, '/auth/csrf')).json()) as {
    csrfToken: string
  }
  const begun = await visit.post(answer, `/auth/signin/${id}`, { csrfToken })
  const url = new URL(begun.headers.get('location') ?? '', 'https://app.example')
  if (!url.searchParams.has('client_id')) return seen
  seen.query = withoutRandom(url.searchParams)
  const params = vendor.authorize(url)
  if (!url.searchParams.has('state')) params.delete('state')
  if (known.query['response_mode'] === 'form_post') {
    await visit.post(answer, `/auth/callback/${id}`, Object.fromEntries(params))
  } else {
    await visit.get(answer, `/auth/callback/${id}?${params}`)
  }
  return seen
}

async function peer(
  module: string,
  known: ProviderFacts,
  seen: Seen,
): Promise<(request: Request) => Promise<Response>> {
  const { default: factory } = (await import(`@auth/core/providers/${module}`)) as {
    default: (options: object) => AuthConfig['providers'][number]
  }
  const options = {
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    // What the peer cannot know by itself.
    redirectUri: `https://app.example/auth/callback/${known.id}`,
    ...known.options,
  }
  const config: AuthConfig = {
    providers: [factory(options)],
    secret: 'latchkey-test-secret-0123456789abcdef',
    trustHost: true,
    basePath: '/auth',
    logger: { error: () => {}, warn: () => {}, debug: () => {} },
    callbacks: {
      signIn({ user, account }) {
        seen.user = present({ ...user, id: String(account?.providerAccountId) })
        return true
      },
    },
  }
  return (request) => Auth(request, config)
}

function withoutRandom(params: URLSearchParams): Record<string, string> {
  const drawn = ['nonce', 'code_challenge']
  return Object.fromEntries(
    [...params]
      .filter(([name]) => name !== 'state')
      .map(([name, value]) => [name, drawn.includes(name) ? '<random>' : value]),
  )
}

/** Without what is not there: nobody tells it from null. */
function present(user: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(user).filter(([, value]) => (value ?? null) !== null))
}
