import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { describe, expect, test } from 'vitest'
import { createWorld, type World } from '../../src/entries/testing.ts'
import type { OAuth2Config, Provider } from '../../src/options/provider-options.ts'
import {
  ACCESS_TOKEN,
  CLIENT_ID,
  CLIENT_SECRET,
  createVendor,
  type ProviderFacts,
  type Vendor,
} from '../support/vendor.ts'
import vectors from '../vectors/providers.json' with { type: 'json' }

const folder = new URL('../../src/providers/', import.meta.url)
const facts = vectors as unknown as Readonly<Record<string, ProviderFacts>>

type Factory = (options: Record<string, unknown>) => OAuth2Config<unknown>

/** Every file of the folder that describes an OAuth or OpenID Connect provider. */
const catalogue = await readCatalogue()

describe.each(catalogue)('$module', ({ module, factory, source }) => {
  const known = factsOf(module)
  const key = known.id.toUpperCase().replaceAll('-', '_')

  test('names what to register, and which variables to set', () => {
    const [, doc = ''] = /^\/\*\*\n([^]*?)\n \*\//.exec(source) ?? []
    const text = doc.replaceAll(/\n \* ?/g, ' ')
    expect(text).toMatch(/^ \* Sign in with /)
    expect(text).toContain(`/auth/callback/${known.id}\``)
    expect(text).toContain(`AUTH_${key}_ID`)
    expect(text).toContain(`AUTH_${key}_SECRET`)
    expect(text.includes(`AUTH_${key}_ISSUER`)).toBe(
      known.options?.['issuer'] !== undefined || /^(?:azure-ad|microsoft-entra-id)$/.test(module),
    )
    expect(text).toMatch(/ @see https:\/\/\S+ @module$/)
    expect(text.includes('@deprecated')).toBe(known.deprecated === true)
  })

  test('has the id and the name of its facts', () => {
    const { id, name, type } = factory({})
    expect({ id, name, type }).toEqual({ id: known.id, name: known.name, type: known.type })
    expect(known.id).toBe(module === 'ory-hydra' ? 'hydra' : module)
  })

  test('signs in with the expected requests and the expected user', async () => {
    const { world, vendor, signedIn } = setUp(known, factory(optionsOf(known)))
    const url = await begin(world, known)
    const expected = new URL(known.authorize ?? 'https://endpoints.vendor.example/authorize')
    expect(url.origin + url.pathname + url.hash).toBe(
      expected.origin + expected.pathname + expected.hash,
    )
    expect(withoutRandom(url.searchParams)).toEqual(known.query)

    await end(world, known, vendor.authorize(url))
    expect(world.log.filter(({ level }) => level === 'error')).toEqual([])
    const [token, ...others] = vendor.asks()
    expect(describeTokenRequest(token)).toEqual(tokenRequestOf(known))
    expect(others.map(describeRequest)).toEqual(furtherRequestsOf(known))

    const [{ user, account } = {}] = signedIn
    expect(account?.['providerAccountId']).toBe(known.user['id'])
    expect(present(user)).toEqual(present(known.user))
    expect(account).toMatchObject({ access_token: ACCESS_TOKEN, provider: known.id })
  })

  test('accepts a profile in which any member is missing or null', async () => {
    const { profile } = factory(optionsOf(known))
    if (!profile) return
    for (const sample of lackingSamples(profileIn(known))) {
      await expect(
        Promise.resolve().then(() => profile(sample, {})),
        JSON.stringify(sample),
      ).resolves.toBeDefined()
    }
  })
})

describe('an address that nobody has proven', () => {
  test.for(catalogue.filter(({ module }) => factsOf(module).denied))(
    'is not passed on by $module',
    async ({ module, factory }) => {
      const known = factsOf(module)
      const { profile } = factory(optionsOf(known))
      const [path, value] = known.denied ?? ['', undefined]
      const right = profileIn(known)
      expect(await profile?.(right, {})).toHaveProperty('email', expect.stringContaining('@'))
      expect(await profile?.(changed(right, path, value), {})).toHaveProperty('email', null)
    },
  )
})

test('each entry of the facts has a file', () => {
  expect(catalogue.map(({ module }) => module).sort()).toEqual(Object.keys(facts).sort())
})

test('a provider that has shut down is logged once, when the configuration is compiled', async () => {
  for (const { module, factory } of catalogue) {
    const known = factsOf(module)
    const { world } = setUp(known, factory(optionsOf(known)))
    await world.get('/auth/providers')
    await world.get('/auth/providers')
    const said = world.log.filter(({ message }) => message === 'provider-deprecated')
    expect(said.length, module).toBe(known.deprecated ? 1 : 0)
  }
})

test('the types list the ids of the files, and no other', () => {
  const source = readFileSync(
    new URL('../../src/option-checks/provider-ids.ts', import.meta.url),
    'utf8',
  )
  const [, listed = ''] = /type OAuthProviderId =([^=]*)\n\n/.exec(source) ?? []
  const ids = catalogue.map(({ factory }) => factory({}).id)
  expect([...listed.matchAll(/'([^']+)'/g)].map(([, id = '']) => id).sort()).toEqual(ids.sort())
})

test('each provider compiles in a configuration', () => {
  const source = readFileSync(new URL('../types/catalogue.ts', import.meta.url), 'utf8')
  for (const { module } of catalogue) expect(source).toContain(`/providers/${module}.ts'`)
})

test('an import of a provider loads no other, except the one of which it is an alias', async () => {
  const names = Object.fromEntries(
    catalogue.map(({ module }) => [module, fileURLToPath(new URL(`${module}.ts`, folder))]),
  )
  const { metafile } = await build({
    entryPoints: names,
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    outdir: 'out',
    logLevel: 'silent',
  })
  for (const { entryPoint = '', inputs } of Object.values(metafile.outputs)) {
    const module = basename(entryPoint, '.ts')
    const same = /^(?:azure-ad|microsoft)$/.test(module) ? ['microsoft-entra-id'] : []
    const loaded = Object.keys(inputs).filter((path) => path.includes('/src/'))
    const strangers = loaded.filter((path) =>
      folderOf(path) === 'providers'
        ? ![module, 'define', ...same].includes(basename(path, '.ts'))
        : !['oauth', 'encoding', 'marks'].includes(folderOf(path)),
    )
    expect(strangers, module).toEqual([])
  }
})

describe('a provider that begins to send its issuer in responses (RFC 9207)', () => {
  const plain = catalogue.filter(({ factory }) => factory({}).type === 'oauth')

  test.for(plain)('$module: sign-ins go on', async ({ module, factory }) => {
    const known = factsOf(module)
    const { world, vendor, signedIn } = setUp(known, factory(optionsOf(known)))
    const params = vendor.authorize(await begin(world, known))
    // As GitHub does since April 2026; the others would name what is configured, or the host.
    const issuer = known.options?.['issuer'] ?? new URL(known.authorize ?? '').origin
    params.set('iss', module === 'github' ? 'https://github.com/login/oauth' : String(issuer))
    await end(world, known, params)
    expect(signedIn).toHaveLength(1)
  })

  test('GitHub: the response of another server is refused', async () => {
    const known = factsOf('github')
    const github = catalogue.find(({ module }) => module === 'github')
    const { world, vendor, signedIn } = setUp(
      known,
      (github as { factory: Factory }).factory(optionsOf(known)),
    )
    const params = vendor.authorize(await begin(world, known))
    params.set('iss', 'https://evil.example')
    await end(world, known, params)
    expect(signedIn).toEqual([])
  })
})

function folderOf(path: string): string {
  return basename(dirname(path))
}

function factsOf(module: string): ProviderFacts {
  const known = facts[module]
  if (!known) throw new Error(`tests/vectors/providers.json says nothing of ${module}`)
  return known
}

async function readCatalogue(): Promise<{ module: string; factory: Factory; source: string }[]> {
  const modules = readdirSync(folder)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => file.slice(0, -'.ts'.length))
  const read = await Promise.all(
    modules.map(async (module) => {
      const { default: factory } = (await import(`../../src/providers/${module}.ts`)) as {
        default?: Factory
      }
      const source = readFileSync(new URL(`${module}.ts`, folder), 'utf8')
      return factory && isOAuth(factory) ? [{ module, factory, source }] : []
    }),
  )
  return read.flat()
}

/** Those for mail may need options to be called at all. */
function isOAuth(factory: Factory): boolean {
  try {
    return ['oauth', 'oidc'].includes(factory({}).type)
  } catch {
    return false
  }
}

function optionsOf({ options }: ProviderFacts): Record<string, unknown> {
  return { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET, ...options }
}

interface SignedIn {
  user?: Record<string, unknown>
  account?: Record<string, unknown>
}

function setUp(
  known: ProviderFacts,
  provider: OAuth2Config<unknown>,
): { world: World; vendor: Vendor; signedIn: SignedIn[] } {
  const signedIn: SignedIn[] = []
  const vendor = createVendor(known, () => world.now())
  const world: World = createWorld(
    {
      providers: [provider as Provider],
      events: { signIn: (message) => void signedIn.push(message as unknown as SignedIn) },
    },
    { fetch: vendor.fetch },
  )
  return { world, vendor, signedIn }
}

async function begin(world: World, { id }: ProviderFacts): Promise<URL> {
  const answer = await world.post(`/auth/signin/${id}`)
  return new URL(answer.headers.get('location') ?? '')
}

/** As the provider sends the visitor back; what it says only there comes along. */
async function end(world: World, known: ProviderFacts, params: URLSearchParams): Promise<void> {
  const path = `/auth/callback/${known.id}`
  if (known.query['response_mode'] !== 'form_post') {
    await world.get(`${path}?${params}`)
    return
  }
  await world.request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: known.issuer ?? '' },
    body: params.toString(),
  })
}

function withoutRandom(params: URLSearchParams): Record<string, string> {
  const drawn = ['state', 'nonce', 'code_challenge']
  return Object.fromEntries(
    [...params].map(([name, value]) => [name, drawn.includes(name) ? '<random>' : value]),
  )
}

function describeTokenRequest(request: Vendor['asked'][number] | undefined): object {
  const { url, method, headers, body } = request ?? { headers: new Headers() }
  const { code_verifier: verifier, ...fields } = Object.fromEntries(new URLSearchParams(body))
  return {
    url,
    method,
    authorization: headers.get('authorization'),
    fields,
    verifier: verifier !== undefined,
  }
}

function tokenRequestOf({ id, token }: ProviderFacts): object {
  const byHeader = token.client === 'basic'
  const credentials = { client_id: CLIENT_ID, client_secret: CLIENT_SECRET }
  return {
    url: token.url ?? 'https://endpoints.vendor.example/token',
    method: 'POST',
    authorization: byHeader ? `Basic ${btoa(`client+of+ada:${CLIENT_SECRET}`)}` : null,
    fields: {
      grant_type: token.grant ?? 'authorization_code',
      redirect_uri: `https://app.example/auth/callback/${id}`,
      ...(token.grant ? {} : { code: 'the code' }),
      ...(token.client === 'post' ? credentials : {}),
      ...token.fields,
    },
    verifier: token.verifier === true,
  }
}

/** Without what every request has. */
function describeRequest({ method, url, headers, body }: Vendor['asked'][number]): object {
  const own = Object.fromEntries(
    [...headers].filter(([name]) => !['accept', 'user-agent', 'content-type'].includes(name)),
  )
  const type = headers.get('content-type')
  return { method, url, headers: own, ...(body ? { type, body: JSON.parse(body) } : {}) }
}

function furtherRequestsOf({ asked, photo, readsUserinfo }: ProviderFacts): object[] {
  const headers = { authorization: `Bearer ${ACCESS_TOKEN}` }
  if (photo) return [{ method: 'GET', url: photo, headers }]
  if (readsUserinfo) {
    return [{ method: 'GET', url: 'https://endpoints.vendor.example/userinfo', headers }]
  }
  if (!asked) return []
  const { body, headers: sent, ...rest } = asked
  const others = Object.fromEntries(
    Object.entries(sent).filter(([name]) => name !== 'content-type'),
  )
  return [{ ...rest, headers: others, ...(body ? { type: 'application/json', body } : {}) }]
}

/** Without the id, which is our own, and without what is not there: nobody tells it from null. */
function present(user: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(user).filter(([name, value]) => name !== 'id' && (value ?? null) !== null),
  )
}

/** What `profile` is given of the answer. */
function profileIn({ answer, posted, unwrap }: ProviderFacts): Record<string, unknown> {
  const names = unwrap?.split('.') ?? []
  const profile = names.reduce<unknown>(
    (at, name) => (at as Record<string, unknown>)[name],
    answer,
  ) as Record<string, unknown>
  return { ...profile, ...posted }
}

/** Samples that lack one member each, at any depth, have it as null, or lack all of them. */
function lackingSamples(sample: Record<string, unknown>): Record<string, unknown>[] {
  return [
    {},
    ...pathsIn(sample).flatMap((path) => [
      changed(sample, path, undefined),
      changed(sample, path, null),
    ]),
  ]
}

function pathsIn(value: unknown, before = ''): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => [
    before + name,
    ...pathsIn(member, `${before}${name}.`),
  ])
}

/** A copy with another value at a path of names and indexes. */
function changed(
  sample: Record<string, unknown>,
  path: string,
  value: unknown,
): Record<string, unknown> {
  const copy = structuredClone(sample)
  const names = path.split('.')
  const last = names.pop() ?? ''
  const parent = names.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], copy)
  Object.assign(parent as object, { [last]: value })
  return copy
}
