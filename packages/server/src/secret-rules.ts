import { randomBytes } from 'node:crypto'
import { type SecretRules, secretWeakness } from 'latchkey'

/**
 * A secret that breaks these rules stops the service in production. The library accepts weaker secrets, for
 * applications that move to it.
 */
const RULES: SecretRules = { shortest: 32, different: 10 }

/** Returns 256 random bits as 43 characters. */
export function freshSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Words that identify a placeholder, compared after removing everything but letters and digits. */
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

/** Rows of keys and sequences of digits or letters. */
const sequences = ['0123456789', 'abcdefghijkl', 'qwertyuiop', 'asdfghjkl', '987654321']

/**
 * Says what is wrong with a secret, as the end of a sentence that begins with the name of the option.
 *
 * @returns `undefined` if the secret may be used in production. The text never contains the secret.
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
