import { KeyObject, webcrypto } from 'node:crypto'
import { createRequire } from 'node:module'
import { SettingsService } from '@simplewebauthn/server'
import Passkey from '../../src/providers/passkey.ts'
import { type AttestationParts, type Cbor, signWith } from './authenticator.ts'
import { type PasskeySite, passkeySite } from './passkeys.ts'

// The library's own package for certificates, to make some.
const { X509CertificateGenerator, BasicConstraintsExtension } = createRequire(
  import.meta.resolve('@simplewebauthn/server'),
)('@peculiar/x509') as X509

/** A site that asks for an attestation. */
export function attestingSite(): PasskeySite {
  const { registrationOptions } = Passkey()
  return passkeySite({
    providers: [
      Passkey({ registrationOptions: { ...registrationOptions, attestationType: 'direct' } }),
    ],
  })
}

/** The roots that every site trusts from now on. */
export function trust(...certificates: string[]): void {
  SettingsService.setRootCertificates({ identifier: 'packed', certificates })
}

/** A root of one's own, and an authenticator's certificate below it. */
export async function makeChain(): Promise<{
  root: string
  attest(sent: 'leaf' | 'both'): Attest
}> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const makeKeys = (): Promise<CryptoKeyPair> =>
    webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']) as Promise<CryptoKeyPair>
  const [rootKeys, keys] = [await makeKeys(), await makeKeys()]
  const validity = { notBefore: new Date(0), notAfter: new Date('2100-01-01') }
  const root = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=Maker',
    keys: rootKeys,
    signingAlgorithm: algorithm,
    extensions: [new BasicConstraintsExtension(true, undefined, true)],
    ...validity,
  })
  const leaf = await X509CertificateGenerator.create({
    subject: 'C=AU, O=Maker, OU=Authenticator Attestation, CN=Authenticator',
    issuer: root.subject,
    publicKey: keys.publicKey,
    signingKey: rootKeys.privateKey,
    signingAlgorithm: algorithm,
    extensions: [new BasicConstraintsExtension(false)],
    ...validity,
  })
  const privateKey = KeyObject.from(keys.privateKey)
  return {
    root: root.toString('pem'),
    attest:
      (sent) =>
      ({ authenticatorData, clientDataHash }) => [
        'packed',
        new Map<Cbor, Cbor>([
          ['alg', -7],
          ['sig', signWith(-7, privateKey, Buffer.concat([authenticatorData, clientDataHash]))],
          [
            'x5c',
            (sent === 'leaf' ? [leaf] : [leaf, root]).map(({ rawData }) => Buffer.from(rawData)),
          ],
        ]),
      ],
  }
}

export type Attest = (parts: AttestationParts) => readonly [string, Cbor]

/** The part of `@peculiar/x509` that is used here. */
interface X509 {
  readonly X509CertificateGenerator: {
    createSelfSigned(params: object): Promise<Certificate>
    create(params: object): Promise<Certificate>
  }
  readonly BasicConstraintsExtension: new (
    ca: boolean,
    length?: number,
    critical?: boolean,
  ) => object
}

interface Certificate {
  readonly subject: string
  readonly rawData: ArrayBuffer
  toString(format: 'pem'): string
}
