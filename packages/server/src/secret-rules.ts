import { randomBytes } from 'node:crypto'
import { type SecretRules, secretWeakness } from 'latchkey'

/** With less the service does not start in production. The library is milder to applications that move to it. */
const RULES: SecretRules = { shortest: 32, different: 10 }

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
  const weakness = secretWeakness(secret, RULES)
  if (weakness !== undefined) return weakness
  const plain = secret.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  if (placeholders.some((placeholder) => plain.includes(placeholder))) return 'is a known example'
  return sequences.some((sequence) => plain.includes(sequence))
    ? 'is a sequence of keys'
    : undefined
}
