import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

// An authenticator and its browser in software: what a phone or a security key would answer, and,
// with a mutation, what an attacker would.

/** Options as a browser gets them. */
export interface CeremonyOptions {
  readonly challenge: string
  readonly rpId?: string
  readonly rp?: { readonly id: string }
  readonly user?: { readonly id: string }
  readonly allowCredentials?: readonly {
    readonly id: string
    readonly transports?: readonly string[]
  }[]
  readonly excludeCredentials?: readonly { readonly id: string }[]
}

/** One thing that is not as it should be. */
export interface Mutation {
  readonly type?: string
  readonly challenge?: string
  readonly origin?: string
  readonly crossOrigin?: boolean
  readonly topOrigin?: string
  readonly rpId?: string
  readonly userPresent?: boolean
  readonly userVerified?: boolean
  readonly backupEligible?: boolean
  readonly backedUp?: boolean
  readonly counter?: number
  /** Signs with another key than the credential's. */
  readonly key?: KeyObject
  readonly userHandle?: string | undefined
  /** Names another credential than the one that is attested or signs. */
  readonly id?: string
  readonly rawId?: string
  readonly credentialType?: string
  /** Whether it is part of the device with the browser. */
  readonly attachment?: 'platform' | 'cross-platform' | undefined
  readonly transports?: readonly string[]
  /** The model of the authenticator, as a UUID. */
  readonly aaguid?: string
  /** The attestation's format and statement. */
  readonly attestation?: (parts: AttestationParts) => readonly [format: string, statement: Cbor]
}

export interface AttestationParts {
  readonly authenticatorData: Buffer
  readonly clientDataHash: Buffer
  readonly credential: Credential
}

export interface Credential {
  readonly id: string
  readonly algorithm: Algorithm
  readonly privateKey: KeyObject
  readonly coseKey: Buffer
  readonly rpId: string
  readonly userHandle: string
  counter: number
}

export type Algorithm = -7 | -8 | -257 | -35

/** What the browser posts, as JSON. */
export interface ResponseJSON {
  id: string
  rawId: string
  type: string
  response: Record<string, unknown>
  clientExtensionResults: Record<string, unknown>
}

export interface SoftAuthenticator {
  readonly credentials: Credential[]
  /** `navigator.credentials.create()` */
  create(options: CeremonyOptions, mutation?: Mutation & { algorithm?: Algorithm }): ResponseJSON
  /** `navigator.credentials.get()`, with the credential that fits best or the one given. */
  get(options: CeremonyOptions, mutation?: Mutation, credential?: Credential): ResponseJSON
}

/** @param counts whether signatures are counted, as security keys do and synced passkeys do not. */
export function createAuthenticator(
  origin: string,
  { counts = false }: { counts?: boolean } = {},
): SoftAuthenticator {
  const credentials: Credential[] = []
  return {
    credentials,
    create(options, mutation = {}) {
      const { algorithm = -7 } = mutation
      const { privateKey, coseKey } = makeKey(algorithm)
      const rpId = options.rp?.id ?? ''
      const credential: Credential = {
        id: mutation.id ?? randomBytes(32).toString('base64url'),
        algorithm,
        privateKey,
        coseKey,
        rpId,
        userHandle: options.user?.id ?? '',
        counter: mutation.counter ?? 0,
      }
      credentials.push(credential)
      const clientData = clientDataOf('webauthn.create', origin, options, mutation)
      const id = Buffer.from(credential.id, 'base64url')
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const authenticatorData = Buffer.concat([
        headOf(rpId, 0x40, credential.counter, mutation),
        Buffer.from((mutation.aaguid ?? '0'.repeat(32)).replaceAll('-', ''), 'hex'),
        length,
        id,
        coseKey,
      ])
      const clientDataHash = sha256(clientData)
      const [format, statement] = mutation.attestation?.({
        authenticatorData,
        clientDataHash,
        credential,
      }) ?? ['none', new Map()]
      const attestationObject = encodeCbor(
        new Map<Cbor, Cbor>([
          ['fmt', format],
          ['attStmt', statement],
          ['authData', authenticatorData],
        ]),
      )
      return answer(credential, mutation, {
        clientDataJSON: clientData.toString('base64url'),
        attestationObject: attestationObject.toString('base64url'),
        transports: mutation.transports ?? ['internal', 'hybrid'],
      })
    },
    get(options, mutation = {}, chosen) {
      const allowed = options.allowCredentials?.map(({ id }) => id) ?? []
      const credential =
        chosen ??
        credentials.find(({ id }) => allowed.includes(id)) ??
        credentials.find(({ rpId }) => rpId === options.rpId)
      if (!credential) throw new Error('this authenticator has no such credential')
      if (counts) credential.counter++
      const { rpId, counter, privateKey, algorithm } = credential
      const clientData = clientDataOf('webauthn.get', origin, options, mutation)
      const authenticatorData = headOf(rpId, 0, mutation.counter ?? counter, mutation)
      const signed = Buffer.concat([authenticatorData, sha256(clientData)])
      return answer(credential, mutation, {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authenticatorData.toString('base64url'),
        signature: signWith(algorithm, mutation.key ?? privateKey, signed).toString('base64url'),
        userHandle: 'userHandle' in mutation ? mutation.userHandle : credential.userHandle,
      })
    },
  }
}

function answer(
  credential: Credential,
  { id = credential.id, rawId = id, credentialType = 'public-key', attachment }: Mutation,
  response: Record<string, unknown>,
): ResponseJSON {
  const further = attachment && { authenticatorAttachment: attachment }
  return { id, rawId, type: credentialType, response, clientExtensionResults: {}, ...further }
}

function clientDataOf(
  type: string,
  origin: string,
  { challenge }: CeremonyOptions,
  mutation: Mutation,
): Buffer {
  const { topOrigin } = mutation
  return Buffer.from(
    JSON.stringify({
      type: mutation.type ?? type,
      challenge: mutation.challenge ?? challenge,
      origin: mutation.origin ?? origin,
      crossOrigin: mutation.crossOrigin ?? false,
      ...(topOrigin === undefined ? {} : { topOrigin }),
    }),
  )
}

/** RP id hash, flags and counter (WebAuthn section 6.1). */
function headOf(rpId: string, more: number, counter: number, mutation: Mutation): Buffer {
  const {
    userPresent = true,
    userVerified = true,
    backupEligible = true,
    backedUp = backupEligible,
  } = mutation
  const flags =
    (userPresent ? 0x01 : 0) |
    (userVerified ? 0x04 : 0) |
    (backupEligible ? 0x08 : 0) |
    (backedUp ? 0x10 : 0)
  const count = Buffer.alloc(4)
  count.writeUInt32BE(counter)
  return Buffer.concat([sha256(mutation.rpId ?? rpId), Buffer.of(flags | more), count])
}

function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest()
}

export function signWith(algorithm: Algorithm, key: KeyObject, data: Buffer): Buffer {
  if (algorithm === -8) return sign(null, data, key)
  return sign(algorithm === -35 ? 'sha384' : 'sha256', data, key)
}

/** A key pair, and its public half as COSE has it (RFC 9053 section 7, RFC 8230 section 4). */
export function makeKey(algorithm: Algorithm): { privateKey: KeyObject; coseKey: Buffer } {
  const { privateKey, publicKey } =
    algorithm === -8
      ? generateKeyPairSync('ed25519')
      : algorithm === -257
        ? generateKeyPairSync('rsa', { modulusLength: 2048 })
        : generateKeyPairSync('ec', { namedCurve: algorithm === -35 ? 'P-384' : 'P-256' })
  const jwk = publicKey.export({ format: 'jwk' })
  const part = (text: string | undefined): Buffer => Buffer.from(text ?? '', 'base64url')
  const members: [Cbor, Cbor][] =
    algorithm === -8
      ? [
          [1, 1],
          [3, -8],
          [-1, 6],
          [-2, part(jwk.x)],
        ]
      : algorithm === -257
        ? [
            [1, 3],
            [3, -257],
            [-1, part(jwk.n)],
            [-2, part(jwk.e)],
          ]
        : [
            [1, 2],
            [3, algorithm],
            [-1, algorithm === -35 ? 2 : 1],
            [-2, part(jwk.x)],
            [-3, part(jwk.y)],
          ]
  return { privateKey, coseKey: encodeCbor(new Map(members)) }
}

export type Cbor = number | string | Buffer | readonly Cbor[] | Map<Cbor, Cbor>

/** The part of CBOR (RFC 8949) that authenticators write. */
function encodeCbor(value: Cbor): Buffer {
  if (typeof value === 'number') {
    return value < 0 ? head(1, -1 - value) : head(0, value)
  }
  if (typeof value === 'string') {
    const text = Buffer.from(value)
    return Buffer.concat([head(3, text.length), text])
  }
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  if (value instanceof Map) {
    const entries = [...value].flatMap(([key, item]) => [encodeCbor(key), encodeCbor(item)])
    return Buffer.concat([head(5, value.size), ...entries])
  }
  return Buffer.concat([head(4, value.length), ...value.map(encodeCbor)])
}

function head(major: number, length: number): Buffer {
  const type = major << 5
  if (length < 24) return Buffer.of(type | length)
  if (length < 256) return Buffer.of(type | 24, length)
  return Buffer.of(type | 25, length >> 8, length & 0xff)
}
