import { randomBytes } from 'node:crypto'

/** Shortest secret with which the service starts in production, in characters. */
const SHORTEST_SECRET = 32

/** 256 random bits, as 43 characters. */
export function freshSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** What gives a placeholder away, once everything but letters and digits is gone. */
const placeholders = [
  'changeme',
  'changethis',
  'replaceme',
  'replacethis',
  'yoursecret',
  'mysecret',
  'supersecret',
  'topsecret',
  'verysecret',
  'secretkey',
  'authsecret',
  'nextauthsecret',
  'developmentsecret',
  'devsecret',
  'testsecret',
  'examplesecret',
  'placeholder',
  'insertsecret',
  'generatea',
  'donotuse',
  'notsecret',
  'insecure',
  'password',
  'correcthorsebatterystaple',
]

/** Rows of keys and counting, at least as long as anybody repeats them. */
const sequences = ['0123456789', 'abcdefghijkl', 'qwertyuiop', 'asdfghjkl', '987654321']

/**
 * What is wrong with a secret, as the end of a sentence that begins with its name.
 *
 * @returns `undefined` when it may be used in production. The answer never contains the secret.
 */
export function weaknessOf(secret: string): string | undefined {
  const plain = secret.toLowerCase().replace(/[^a-z0-9]/g, '')
  if (isRepetition(plain)) return 'repeats a few characters'
  if (/^(?:secret|test|dev|example|demo|key|auth|local)+\d*$/.test(plain))
    return 'is a known example'
  if (placeholders.some((placeholder) => plain.includes(placeholder))) return 'is a known example'
  if (secret.length < SHORTEST_SECRET)
    return `is too short: ${secret.length} characters, and ${SHORTEST_SECRET} are needed`
  if (new Set(secret).size < 10) return 'repeats a few characters'
  if (sequences.some((sequence) => plain.includes(sequence))) return 'is a sequence of keys'
  return undefined
}

/** True for `aaaa`, `abababab` and `onetwoonetwo`. */
function isRepetition(text: string): boolean {
  return text.length > 1 && (text + text).indexOf(text, 1) < text.length
}
