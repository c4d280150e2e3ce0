import { optionError } from '../../../entries/plugin.ts'
import { decodeBase64 } from '../hashing/base64.ts'
import { memoryOf } from '../hashing/hash-costs.ts'
import type { ScryptHash } from '../hashing/phc.ts'
import { bytesOf, isSame, loadEngine } from './engine.ts'
import type { ForeignHash } from './foreign-hash.ts'

/** The parameters of a Firebase project: Authentication, Users, Password hash parameters. */
export interface FirebaseParameters {
  /** `base64_signer_key` */
  readonly signerKey: string
  /** `base64_salt_separator` */
  readonly saltSeparator: string
  readonly rounds: number
  /** `mem_cost` */
  readonly memCost: number
}

const BASE64 = '([A-Za-z\\d+/]+={0,2})'
const FORM = new RegExp(
  `^\\$f_scrypt\\$${BASE64}\\$${BASE64}\\$m=([1-9]\\d?)\\$r=([1-9]\\d?)\\$s=${BASE64}$`,
)
const MOST_MEM_COST = 17
/** KiB */
const MOST_MEMORY = 524_288

interface Parsed {
  readonly scrypt: ScryptHash
  /** The signer key, encrypted with a key that is made of the password. */
  readonly encrypted: Uint8Array<ArrayBuffer>
}

function parse(stored: string): Parsed | undefined {
  const [, hashText = '', saltText = '', memCost, rounds, separatorText = ''] =
    FORM.exec(stored) ?? []
  const encrypted = decodeBase64(hashText)
  const salt = decodeBase64(saltText)
  const separator = decodeBase64(separatorText)
  if (!encrypted || !salt || !separator || encrypted.length < 16) return undefined
  return {
    encrypted,
    scrypt: {
      type: 'scrypt',
      ln: Number(memCost),
      r: Number(rounds),
      p: 1,
      salt: new Uint8Array([...salt, ...separator]),
      tag: encrypted,
    },
  }
}

export function isFirebase(stored: string): boolean {
  return parse(stored) !== undefined
}

export function isTooCostlyFirebase(stored: string): boolean {
  const { scrypt } = parse(stored) ?? {}
  return scrypt !== undefined && (scrypt.ln > MOST_MEM_COST || memoryOf(scrypt) > MOST_MEMORY)
}

export async function verifyFirebase(
  password: string,
  stored: string,
  signerKey: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const parsed = parse(stored)
  if (!parsed) return false
  const { scrypt: compute } = await loadEngine()
  const made = await compute(bytesOf(password), parsed.scrypt, 32)
  const key = await crypto.subtle.importKey('raw', made, 'AES-CTR', false, ['encrypt'])
  const algorithm = { name: 'AES-CTR', counter: new Uint8Array(16), length: 64 }
  const encrypted = await crypto.subtle.encrypt(algorithm, key, signerKey)
  return isSame(new Uint8Array(encrypted), parsed.encrypted)
}

/** @throws {TypeError} if it is no key. */
export function signerKeyOf(signerKey: unknown, factory: string): Uint8Array<ArrayBuffer> {
  const key = typeof signerKey === 'string' ? decodeBase64(signerKey) : undefined
  if (key && key.length >= 16) return key
  throw optionError(
    `${factory}(): \`signerKey\` must be base64, as \`base64_signer_key\` in the Firebase console; what was passed is not`,
    'passwords',
  )
}

/**
 * Hashes of Firebase Authentication, and of SuperTokens for users who came from there.
 *
 * Imported users have a hash and a salt, in base64: pass them as `hash` and `params.salt`.
 *
 * @throws TypeError for invalid parameters.
 */
export function firebaseScrypt(parameters: FirebaseParameters): ForeignHash {
  const { signerKey, saltSeparator, rounds, memCost } = parameters
  const key = signerKeyOf(signerKey, 'firebaseScrypt')
  const isCount = (value: unknown, most: number): boolean =>
    Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= most
  if (typeof saltSeparator !== 'string' || !decodeBase64(saltSeparator)?.length)
    throw refused('`saltSeparator` must be base64', saltSeparator)
  if (!isCount(rounds, 99)) throw refused('`rounds` must be a whole number from 1 to 99', rounds)
  if (!isCount(memCost, MOST_MEM_COST))
    throw refused(`\`memCost\` must be a whole number from 1 to ${MOST_MEM_COST}`, memCost)
  const end = `$m=${memCost}$r=${rounds}$s=${saltSeparator}`
  return {
    id: 'firebase-scrypt',
    matches: isFirebase,
    verify: (password, stored) => verifyFirebase(password, stored, key),
    store: (hash, { salt }) =>
      typeof salt === 'string' && decodeBase64(salt)
        ? `$f_scrypt$${hash}$${salt}${end}`
        : undefined,
    isTooCostly: isTooCostlyFirebase,
    memory(stored) {
      const { scrypt } = parse(stored) ?? {}
      return scrypt ? memoryOf(scrypt) : 0
    },
    dummy: `$f_scrypt$c2FsdCBvZiBub2JvZHksIHRhZyBvZiBub2JvZHkuLi4=$AAECAwQFBgcICQoLDA0ODw==${end}`,
  }
}

function refused(message: string, value: unknown): TypeError {
  return optionError(
    `firebaseScrypt(): ${message}, got ${JSON.stringify(value) ?? 'undefined'}`,
    'passwords',
  )
}
