import { AuthError, toError } from '../errors.ts'
import type { SimpleWebAuthn } from './simple-webauthn.ts'

/** The functions of `@simplewebauthn/server`, which is loaded when the first of them is called. */
export const simpleWebAuthn: SimpleWebAuthn = {
  generateRegistrationOptions: async (options) => {
    const { generateRegistrationOptions } = await load()
    return generateRegistrationOptions(options)
  },
  generateAuthenticationOptions: async (options) => {
    const { generateAuthenticationOptions } = await load()
    return generateAuthenticationOptions(options)
  },
  verifyRegistrationResponse: async (options) => {
    const { verifyRegistrationResponse } = await load()
    return verifyRegistrationResponse(options)
  },
  verifyAuthenticationResponse: async (options) => {
    const { verifyAuthenticationResponse } = await load()
    return verifyAuthenticationResponse(options)
  },
}

/** @throws {AuthError} when the package is not installed. */
async function load(): Promise<SimpleWebAuthn> {
  try {
    return await import('@simplewebauthn/server')
  } catch (error) {
    throw new AuthError(
      'passkeys need the package @simplewebauthn/server, version 14; install it beside latchkey',
      toError(error),
    )
  }
}
