import { AuthError, toError } from '../../base/errors.ts'
import { installedVersion } from '../../base/installed-version.ts'
import { needs, type Requirement, unmet } from '../../base/needs.ts'
import type { SimpleWebAuthn } from './simple-webauthn.ts'

/** The functions of `@simplewebauthn/server`. The package is loaded with the first call. */
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
  // The library checks the certificates up to those in `SettingsService` for the format. It checks none if there are
  // none for the format, or for self attestation.
  isAnchored: async ({ fmt, attestationObject }) => {
    const { SettingsService } = await import('@simplewebauthn/server')
    const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
    const certificates = decodeAttestationObject(attestationObject).get('attStmt').get('x5c')
    const anchors = SettingsService.getRootCertificates({ identifier: fmt as 'packed' })
    return Array.isArray(certificates) && certificates.length > 0 && anchors.length > 0
  },
  // A dynamic import: it is large, and most pages do not need it.
  pageScript: async () => {
    const { passkeyScript, passkeyScriptHash } = await import('./passkey-script.generated.ts')
    return { text: passkeyScript, source: passkeyScriptHash }
  },
}

const library: Requirement = {
  what: 'a passkey provider',
  name: '@simplewebauthn/server',
  from: '11',
}

/** @throws {AuthError} if the package is missing or too old. */
async function load(): Promise<SimpleWebAuthn> {
  try {
    needs(library, installedVersion(library.name))
  } catch (error) {
    throw new AuthError(toError(error).message)
  }
  try {
    return await import('@simplewebauthn/server')
  } catch (error) {
    throw new AuthError(unmet(library, 'none'), toError(error))
  }
}
