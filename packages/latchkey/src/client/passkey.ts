/** The response of `GET webauthn-options`. */
export type Ceremony =
  | { readonly action: 'register'; readonly options: Record<string, unknown> }
  | { readonly action: 'authenticate'; readonly options: Record<string, unknown> }

/**
 * Lets the browser use or create a passkey.
 *
 * @returns the credential for the service, as JSON.
 * @throws {TypeError} if the browser does not support passkeys; {@link DOMException} if the visitor declines.
 */
export async function performCeremony({ action, options }: Ceremony): Promise<string> {
  if (typeof PublicKeyCredential !== 'function') {
    throw new TypeError(
      'the browser does not support passkeys, or the page was not loaded over https',
    )
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

/** The members of the options that are bytes (WebAuthn sections 5.1.8 to 5.1.10). */
const BYTES: ReadonlySet<string> = new Set(['challenge', 'id'])

/** Decodes base64url to bytes. The id of a relying party stays a string. */
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

/** The binary members of the responses of both ceremonies. */
const PARTS = [
  'clientDataJSON',
  'attestationObject',
  'authenticatorData',
  'signature',
  'userHandle',
] as const

/**
 * Returns the JSON form of a credential (WebAuthn section 5.1), with base64url for bytes. Not every browser has
 * `toJSON`.
 */
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
