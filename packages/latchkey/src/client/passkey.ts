/** What `GET webauthn-options` answers. */
export type Ceremony =
  | { readonly action: 'register'; readonly options: Record<string, unknown> }
  | { readonly action: 'authenticate'; readonly options: Record<string, unknown> }

/**
 * Asks the browser for a passkey, or to make one.
 *
 * @returns what is sent to the service, as JSON text.
 * @throws {TypeError} where the browser has no passkeys; {@link DOMException} when the visitor declines.
 */
export async function performCeremony({ action, options }: Ceremony): Promise<string> {
  if (typeof PublicKeyCredential !== 'function') {
    throw new TypeError('this browser has no passkeys, or the page did not come over https')
  }
  const publicKey = decoded(options)
  const credential =
    action === 'register'
      ? await navigator.credentials.create({
          publicKey: publicKey as PublicKeyCredentialCreationOptions,
        })
      : await navigator.credentials.get({
          publicKey: publicKey as PublicKeyCredentialRequestOptions,
        })
  return JSON.stringify(encoded(credential as PublicKeyCredential))
}

/** The members that are bytes, wherever they are in the options: WebAuthn, 5.1.8 to 5.1.10. */
const BYTES: ReadonlySet<string> = new Set(['challenge', 'id'])

/** Options with bytes in place of base64url. The id of a relying party is a name. */
function decoded(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => decoded(each))
  if (typeof value === 'string') return BYTES.has(name) ? toBytes(value) : value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) =>
      key === 'rp' ? [key, each] : [key, decoded(each, key)],
    ),
  )
}

/** What an answer of either ceremony may hold. */
const PARTS = [
  'clientDataJSON',
  'attestationObject',
  'authenticatorData',
  'signature',
  'userHandle',
] as const

/** The JSON form of WebAuthn, 5.1, with base64url in place of bytes. Not every browser has `toJSON`. */
function encoded(credential: PublicKeyCredential): Record<string, unknown> {
  const response = credential.response as unknown as Partial<
    Record<(typeof PARTS)[number], ArrayBuffer | null>
  > & { getTransports?(): string[] }
  const parts = PARTS.map((name) => [name, response[name]] as const)
  const id = toText(credential.rawId)
  return {
    id,
    rawId: id,
    type: credential.type,
    authenticatorAttachment: credential.authenticatorAttachment,
    clientExtensionResults: credential.getClientExtensionResults(),
    response: {
      ...Object.fromEntries(
        parts.filter(([, bytes]) => bytes).map(([name, bytes]) => [name, toText(bytes)]),
      ),
      transports: response.getTransports?.(),
    },
  }
}

function toText(bytes: ArrayBuffer | null | undefined): string {
  const plain = btoa(String.fromCharCode(...new Uint8Array(bytes ?? [])))
  return plain.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

function toBytes(text: string): Uint8Array {
  const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0))
}
