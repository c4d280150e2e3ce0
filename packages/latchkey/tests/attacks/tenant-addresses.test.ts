import { describe, expect, test } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { createWorld, type World } from '../../src/entries/testing.ts'
import type { OAuthUserConfig, Provider } from '../../src/options/provider-options.ts'
import azureAd from '../../src/providers/azure-ad.ts'
import microsoft from '../../src/providers/microsoft.ts'
import entra from '../../src/providers/microsoft-entra-id.ts'
import { CLIENT_ID, CLIENT_SECRET, createVendor, type ProviderFacts } from '../support/vendor.ts'
import vectors from '../vectors/providers.json' with { type: 'json' }
import { errorOf } from './support/site.ts'

const HOST = 'https://login.microsoftonline.com'
const ONE = `${HOST}/11111111-1111-4111-8111-111111111111/v2.0`

const modules = {
  'microsoft-entra-id': entra,
  'azure-ad': azureAd,
  microsoft,
} as unknown as Readonly<Record<string, (options: OAuthUserConfig<unknown>) => Provider>>

const mail: Provider = {
  id: 'email',
  name: 'Email',
  type: 'email',
  sendVerificationRequest: () => {},
}

interface Attack {
  readonly module: string
  readonly issuer: string
  /** Of the ID token. */
  readonly claims?: Record<string, unknown>
  readonly options?: OAuthUserConfig<unknown>
  /** Ada has an account already, and has proven the address. */
  readonly isTaken?: boolean
  readonly offersMail?: boolean
}

/** Somebody of an organization signs in with the address of Ada. @returns the error, and who they are */
async function signIn({
  module,
  issuer,
  claims = {},
  options = {},
  isTaken = false,
  offersMail = false,
}: Attack) {
  const known = (vectors as unknown as Record<string, ProviderFacts>)[module] as ProviderFacts
  const facts = { ...known, issuer, answer: { ...known.answer, xms_edov: undefined, ...claims } }
  const vendor = createVendor(facts, () => world.now())
  const adapter = memoryAdapter()
  if (isTaken) {
    const emailVerified = new Date(0)
    await adapter.createUser?.({ id: 'ada', email: 'ada@example.com', emailVerified })
  }
  const provider = modules[module]?.({
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    issuer,
    ...options,
  }) as Provider
  const world: World = createWorld(
    { adapter, providers: [provider, ...(offersMail ? [mail] : [])] },
    { fetch: vendor.fetch },
  )
  const begun = await world.post(`/auth/signin/${module}`)
  const answer = vendor.authorize(new URL(begun.headers.get('location') ?? ''))
  const error = errorOf(await world.get(`/auth/callback/${module}?${answer}`))
  return { error, email: (await world.session())?.user?.['email'] }
}

const shared = ['common', 'organizations', 'consumers'].map((tenant) => `${HOST}/${tenant}/v2.0`)
const DENIED = { error: 'OAuthAccountNotLinked', email: undefined }
const TAKEN = { error: null, email: 'ada@example.com' }
const linking = [true, 'proven'] as const

describe.each(Object.keys(modules))('T-LINK-2: an address of %s', (module) => {
  describe.each(shared)('if any organization may sign in (%s)', (issuer) => {
    test.each([
      ['says nothing', {}],
      ['says that the address is proven in words that it may choose', { email_verified: true }],
      ['denies it', { xms_edov: false }],
      ['denies it as text', { xms_edov: '0' }],
      ['says something else', { xms_edov: 'yes' }],
      ['says null', { xms_edov: null }],
      ['says a list', { xms_edov: [true] }],
    ])('joins nobody, and creates no user beside mail: the token %s', async (_what, claims) => {
      for (const each of linking) {
        const options = { allowDangerousEmailAccountLinking: each }
        expect(await signIn({ module, issuer, claims, options, isTaken: true })).toEqual(DENIED)
      }
      expect(await signIn({ module, issuer, claims, offersMail: true })).toEqual(DENIED)
    })

    test('is passed on if addresses are not used for linking', async () => {
      expect(await signIn({ module, issuer })).toEqual(TAKEN)
    })

    test.each([true, 1, '1', 'true', 'True'])('counts as proven with xms_edov %j', async (edov) => {
      const claims = { xms_edov: edov }
      for (const each of linking) {
        const options = { allowDangerousEmailAccountLinking: each }
        expect(await signIn({ module, issuer, claims, options, isTaken: true })).toEqual(TAKEN)
      }
      expect(await signIn({ module, issuer, claims, offersMail: true })).toEqual(TAKEN)
    })

    test('is denied also if the second request fails', async () => {
      const options = {
        allowDangerousEmailAccountLinking: true,
        supplement: () => {
          throw new Error('no')
        },
      }
      expect(await signIn({ module, issuer, options, isTaken: true })).toEqual(DENIED)
    })
  })

  test('counts as proven if one organization is configured', async () => {
    for (const each of linking) {
      const options = { allowDangerousEmailAccountLinking: each }
      expect(await signIn({ module, issuer: ONE, options, isTaken: true })).toEqual(TAKEN)
    }
    expect(await signIn({ module, issuer: ONE, offersMail: true })).toEqual(TAKEN)
  })

  test.each([{ xms_edov: false }, { email_verified: false }])(
    'is denied if the organization denies it: %j',
    async (claims) => {
      const options = { allowDangerousEmailAccountLinking: true }
      const denied = await signIn({ module, issuer: ONE, claims, options, isTaken: true })
      expect(denied.email).not.toBe('ada@example.com')
    },
  )
})
