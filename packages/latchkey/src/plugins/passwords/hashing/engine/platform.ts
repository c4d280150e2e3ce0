import type { Argon2Hash, ScryptHash } from '../phc.ts'

export type Bytes = Uint8Array<ArrayBuffer>

/** The parameters of a hash without its tag. */
export type Argon2Parameters = Omit<Argon2Hash, 'tag'>

export type ScryptParameters = Pick<ScryptHash, 'ln' | 'r' | 'p' | 'salt'>

/** Native code for argon2. */
export interface NativeArgon2 {
  readonly name: 'node' | 'node-rs'
  hash(password: Bytes, parameters: Argon2Parameters, length: number): Promise<Bytes>
}

export interface Pbkdf2Parameters {
  readonly digest: 'sha1' | 'sha256' | 'sha512'
  readonly salt: Bytes
  readonly iterations: number
}

/** The packages that an application may install for hashing. */
export type HashPackage = '@node-rs/argon2' | '@noble/hashes' | 'bcryptjs'

/** What a runtime has for hashing passwords. Its functions do not block other requests where the runtime has threads. */
export interface HashPlatform {
  /**
   * Returns native code for argon2 of this version. It is searched for once.
   *
   * @returns `undefined` if the process has none.
   */
  argon2(version: Argon2Hash['version']): Promise<NativeArgon2 | undefined>
  /** Argon2 in JavaScript, for hashes that other processes made. @throws {MissingPackage} */
  portableArgon2(password: Bytes, parameters: Argon2Parameters, length: number): Promise<Bytes>
  scrypt(password: Bytes, parameters: ScryptParameters, length: number): Promise<Bytes>
  pbkdf2(password: Bytes, parameters: Pbkdf2Parameters, length: number): Promise<Bytes>
  /** Returns whether a password has this hash of bcrypt. @throws {MissingPackage} */
  bcrypt(password: string, hash: string): Promise<boolean>
  digest(algorithm: 'md5' | 'sha1' | 'sha256' | 'sha512', bytes: Bytes): Bytes
  /** Returns whether a package can be loaded; `undefined` if that is known only at its first use. */
  has(name: HashPackage): boolean | undefined
  /** Parameters of scrypt for new hashes, where there is no native argon2. */
  readonly newScrypt: Pick<ScryptHash, 'ln' | 'r' | 'p'>
  /** Number of hashes that this process can compute at once without stopping other work. */
  readonly parallel: number
}

/** Versions of the packages that work. */
const VERSIONS: Readonly<Record<HashPackage, string>> = {
  '@node-rs/argon2': '^2.2.1',
  '@noble/hashes': '^2.4.0',
  bcryptjs: '^3.0.3',
}

/** A package is needed that the application has not installed. */
export class MissingPackage extends Error {
  override readonly name = 'MissingPackage'

  constructor(name: HashPackage, what: string) {
    super(`${what} needs ${name}: run npm install ${name}@${VERSIONS[name]}`)
  }
}

export const PORTABLE_ARGON2 = 'verifying argon2 without native code'
export const BCRYPT = 'verifying hashes of bcrypt'
