import { encodeBase64url } from '../base/encoding/base64url.ts'
import { encodeUtf8 } from '../base/encoding/utf8.ts'
import type { World } from './world.ts'

/** A passkey in software, with the browser that uses it. */
export interface SoftPasskey {
  /** Creates a passkey for a new user with this address, or for the signed-in user. @returns the last response. */
  register(world: World, email?: string): Promise<Response>
  /** Signs in with the passkey. @returns the last response. */
  signIn(world: World): Promise<Response>
}

/** The options of a ceremony that are used. */
interface CeremonyOptions {
  readonly challenge: string
  readonly rp?: { readonly id: string }
  readonly rpId?: string
  readonly user?: { readonly id: string }
}

interface Made {
  readonly id: string
  readonly keys: CryptoKeyPair
  readonly userHandle: string
}

const USER_PRESENT_AND_VERIFIED = 0x05
const HAS_CREDENTIAL = 0x40

/** COSE (RFC 9053 section 7.2) of an Ed25519 key, without its 32 bytes, which follow. */
const COSE_ED25519 = [0xa4, 0x01, 0x01, 0x03, 0x27, 0x20, 0x06, 0x21, 0x58, 0x20]

/** @param id the id of the provider. */
export function createSoftPasskey(id = 'passkey'): SoftPasskey {
  let made: Made | undefined

  const ceremony = async (
    { core, config, get, postWithoutCsrf }: World,
    action: 'register' | 'authenticate',
    params: Record<string, string>,
    answer: (options: CeremonyOptions) => Promise<object>,
  ): Promise<Response> => {
    const { basePath } = core.plan(config)
    const query = new URLSearchParams({ action, ...params })
    const asked = await get(`${basePath}/webauthn-options/${id}?${query}`)
    const body = (await asked.json()) as { options?: CeremonyOptions }
    if (!body.options)
      throw new Error(`the application returned no options for a passkey: ${JSON.stringify(body)}`)
    const data = JSON.stringify(await answer(body.options))
    return postWithoutCsrf(`${basePath}/callback/${id}`, { action, data })
  }

  return {
    register: (world, email) =>
      ceremony(world, 'register', email === undefined ? {} : { email }, async (options) => {
        const keys = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])
        const rawId = crypto.getRandomValues(new Uint8Array(32))
        made = { id: encodeBase64url(rawId), keys, userHandle: options.user?.id ?? '' }
        const publicKey = new Uint8Array(await crypto.subtle.exportKey('raw', keys.publicKey))
        const authenticatorData = await authenticatorDataFor(
          options.rp?.id,
          USER_PRESENT_AND_VERIFIED | HAS_CREDENTIAL,
          [...new Uint8Array(16), 0, rawId.length, ...rawId, ...COSE_ED25519, ...publicKey],
        )
        return credential(made.id, {
          clientDataJSON: encodeBase64url(clientData('create', options, world)),
          attestationObject: encodeBase64url(attestationOf(authenticatorData)),
          transports: ['internal'],
        })
      }),

    signIn: (world) =>
      ceremony(world, 'authenticate', {}, async (options) => {
        if (!made) throw new Error('there is no passkey yet: register one')
        const client = clientData('get', options, world)
        const authenticatorData = await authenticatorDataFor(
          options.rpId,
          USER_PRESENT_AND_VERIFIED,
        )
        const signed = new Uint8Array([...authenticatorData, ...(await sha256(client))])
        const signature = await crypto.subtle.sign('Ed25519', made.keys.privateKey, signed)
        return credential(made.id, {
          clientDataJSON: encodeBase64url(client),
          authenticatorData: encodeBase64url(authenticatorData),
          signature: encodeBase64url(new Uint8Array(signature)),
          userHandle: made.userHandle,
        })
      }),
  }
}

function credential(id: string, response: object): object {
  return { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} }
}

function clientData(
  ceremony: 'create' | 'get',
  { challenge }: CeremonyOptions,
  { origin }: World,
): Uint8Array<ArrayBuffer> {
  const type = `webauthn.${ceremony}`
  return encodeUtf8(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
}

/** WebAuthn section 6.1, without a signature counter. */
async function authenticatorDataFor(
  rpId: string = '',
  flags: number,
  rest: readonly number[] = [],
): Promise<Uint8Array> {
  return new Uint8Array([...(await sha256(encodeUtf8(rpId))), flags, 0, 0, 0, 0, ...rest])
}

/** CBOR (RFC 8949) of `{ fmt: 'none', attStmt: {}, authData }`. */
function attestationOf(authenticatorData: Uint8Array): Uint8Array {
  const text = (value: string): number[] => [0x60 | value.length, ...encodeUtf8(value)]
  return new Uint8Array([
    0xa3,
    ...text('fmt'),
    ...text('none'),
    ...text('attStmt'),
    0xa0,
    ...text('authData'),
    0x58,
    authenticatorData.length,
    ...authenticatorData,
  ])
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
}
