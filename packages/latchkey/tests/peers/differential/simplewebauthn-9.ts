import {
  generateAuthenticationOptions as authenticationOptions,
  generateRegistrationOptions as registrationOptions,
  verifyAuthenticationResponse as verifyAuthentication,
  verifyRegistrationResponse as verifyRegistration,
} from '@simplewebauthn/server'

// What the peer's providers import: version 9 of the library, in the words of a later one.

interface Descriptor9 {
  readonly id: Uint8Array
  readonly type: string
  readonly transports?: unknown
}

type Options<F extends (options: never) => unknown> = Parameters<F>[0]

export async function generateAuthenticationOptions({
  allowCredentials,
  ...options
}: Record<string, unknown> & { allowCredentials?: Descriptor9[] }): Promise<unknown> {
  return authenticationOptions({
    ...options,
    ...(allowCredentials ? { allowCredentials: allowCredentials.map(descriptorOf) } : {}),
  } as unknown as Options<typeof authenticationOptions>)
}

/** The id of the user was sent as it is given, there were no hints, and other defaults. */
export async function generateRegistrationOptions({
  userID,
  excludeCredentials = [],
  ...options
}: Record<string, unknown> & {
  userID: string
  excludeCredentials?: Descriptor9[]
}): Promise<unknown> {
  const { hints: _, ...made } = await registrationOptions({
    userDisplayName: options['userName'],
    supportedAlgorithmIDs: [-8, -7, -257],
    ...withoutUndefined(options),
    excludeCredentials: excludeCredentials.map(descriptorOf),
  } as unknown as Options<typeof registrationOptions>)
  return { ...made, user: { ...made.user, id: userID } }
}

export async function verifyAuthenticationResponse({
  authenticator,
  ...options
}: Record<string, unknown> & {
  authenticator: { credentialID: Uint8Array; credentialPublicKey: Uint8Array; counter: number }
}): Promise<unknown> {
  const { credentialID, credentialPublicKey, counter } = authenticator
  return verifyAuthentication({
    ...options,
    credential: { id: base64url(credentialID), publicKey: credentialPublicKey, counter },
  } as unknown as Options<typeof verifyAuthentication>)
}

export async function verifyRegistrationResponse(
  options: Options<typeof verifyRegistration>,
): Promise<unknown> {
  const { verified, registrationInfo: info } = await verifyRegistration(options)
  if (!info) return { verified }
  const { credential, ...rest } = info
  return {
    verified,
    registrationInfo: {
      ...rest,
      credentialID: Buffer.from(credential.id, 'base64url'),
      credentialPublicKey: credential.publicKey,
      counter: credential.counter,
    },
  }
}

function withoutUndefined(options: object): object {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}

function descriptorOf({ id, transports }: Descriptor9): object {
  return { id: base64url(id), ...(transports ? { transports } : {}) }
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url')
}
