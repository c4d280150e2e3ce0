import { createHash } from 'node:crypto'
import { hashSync } from 'bcryptjs'
import { describe, expect, test } from 'vitest'
import { bare, CHEAP, hasherOf, PASSWORD } from '../../../../../tests/support/hashers.ts'
import type { ForeignHash } from '../foreign-hash.ts'
import {
  argon2,
  aspNetIdentity,
  bcrypt,
  betterAuth,
  digest,
  django,
  firebaseScrypt,
  keycloak,
  scrypt,
  superTokens,
} from '../index.ts'

const FIREBASE = {
  signerKey: Buffer.alloc(64, 7).toString('base64'),
  saltSeparator: 'Bw==',
  rounds: 8,
  memCost: 14,
}
const TAG = 'c2FsdCBvZiBub2JvZHksIHRhZyBvZiBub2JvZHkuLi4'
const LONG_TAG = Buffer.alloc(64, 7).toString('base64')
const SALT = 'AAECAwQFBgcICQoLDA0ODw'
const all = [
  argon2(),
  aspNetIdentity(),
  bcrypt(),
  betterAuth(),
  django(),
  firebaseScrypt(FIREBASE),
  keycloak(),
  scrypt(),
]

/** ASP.NET Identity v3 with this many iterations. */
function aspNetWith(iterations: number): string {
  const bytes = Buffer.alloc(61, 9)
  bytes.set([1, 0, 0, 0, 2], 0)
  bytes.writeUInt32BE(iterations, 5)
  bytes.writeUInt32BE(16, 9)
  return bytes.toString('base64')
}

function keycloakWith(data: object): string {
  const secretData = { value: `${TAG}=`, salt: `${SALT}==` }
  return JSON.stringify({ credentialData: data, secretData })
}

const ofArgon2 = (memory: string, hashIterations = 5): string =>
  keycloakWith({
    hashIterations,
    algorithm: 'argon2',
    additionalParameters: {
      hashLength: '32',
      memory,
      type: 'id',
      version: '1.3',
      parallelism: '1',
    },
  })

describe('hostile hashes are refused before anything is hashed (T-ACC-12)', () => {
  test.each([
    ['argon2 with 2^40 KiB', `$argon2id$v=19$m=1099511627776,t=1,p=1$${SALT}$${TAG}`],
    ['argon2 with 1 GiB and 1 KiB', `$argon2id$v=19$m=1048577,t=1,p=1$${SALT}$${TAG}`],
    ['argon2 with 21 passes', `$argon2i$v=19$m=65536,t=21,p=1$${SALT}$${TAG}`],
    ['argon2 with 17 lanes', `$argon2id$v=16$m=65536,t=1,p=17$${SALT}$${TAG}`],
    ['argon2 of Django', `argon2$argon2id$v=19$m=1099511627776,t=1,p=1$${SALT}$${TAG}`],
    ['argon2 of Keycloak', ofArgon2('1099511627776')],
    ['many passes of Keycloak', ofArgon2('7168', 21)],
    ['scrypt with 1 GiB', `$scrypt$ln=20,r=8,p=1$${SALT}$${TAG}`],
    ['scrypt with N = 2^62', `$scrypt$ln=62,r=8,p=1$${SALT}$${TAG}`],
    ['scrypt with 17 lanes', `$scrypt$ln=14,r=8,p=17$${SALT}$${TAG}`],
    ['scrypt of libscrypt', `$s0$140801$${SALT}$${TAG}`],
    ['scrypt of Django', `scrypt$1073741824$seasalt$8$1$${LONG_TAG}`],
    ['scrypt of Firebase', `$f_scrypt$${TAG}=$${SALT}==$m=18$r=8$s=Bw==`],
    ['long blocks of Firebase', `$f_scrypt$${TAG}=$${SALT}==$m=17$r=99$s=Bw==`],
    ['bcrypt with cost 16', `$2b$16$${'a'.repeat(53)}`],
    ['bcrypt with cost 31', `$2b$31$${'a'.repeat(53)}`],
    ['bcrypt of Django', `bcrypt_sha256$$2b$31$${'a'.repeat(53)}`],
    ['PBKDF2 of Django', `pbkdf2_sha256$5000001$seasalt$${TAG}=`],
    ['PBKDF2 of ASP.NET', aspNetWith(4_000_000_000)],
    ['PBKDF2 of Keycloak', keycloakWith({ hashIterations: 5_000_001, algorithm: 'pbkdf2-sha256' })],
  ])('%s costs too much', async (_, hash) => {
    await expect(hasherOf({ foreign: all }).accept({ hash })).rejects.toMatchObject({
      code: 'hash_too_costly',
    })
  })

  test.each([
    ['argon2d', `$argon2d$v=19$m=65536,t=1,p=1$${SALT}$${TAG}`],
    ['argon2 with a key', `$argon2id$v=19$m=65536,t=1,p=1,keyid=aaaa$${SALT}$${TAG}`],
    ['argon2 with broken base64', `$argon2id$v=19$m=65536,t=1,p=1$${SALT}$${TAG}=!`],
    ['$2x$', `$2x$10$${'a'.repeat(53)}`],
    ['bcrypt with a cost of 3', `$2b$03$${'a'.repeat(53)}`],
    ['the tag of another algorithm', `$2b$10$${TAG}`],
    ['scrypt with N = 1', `$scrypt$ln=0,r=8,p=1$${SALT}$${TAG}`],
    ['scrypt of Django with N = 1000', `scrypt$1000$seasalt$8$1$${LONG_TAG}`],
    ['scrypt of Django with a short tag', `scrypt$1024$seasalt$8$1$${TAG}=`],
    ['scrypt that does not exist', `$scrypt$ln=16,r=1,p=1$${SALT}$${TAG}`],
    ['argon2 with too little memory', `$argon2id$v=19$m=15,t=1,p=2$${SALT}$${TAG}`],
    ['a locked password of Django', '!fGQ9Ux7kXfWQ'],
    ['ASP.NET with an unknown function', aspNetWith(1).replace(/^AQAAAAI/, 'AQAAAAM')],
    ['ASP.NET without iterations', aspNetWith(0)],
    ['Keycloak with an unknown algorithm', keycloakWith({ hashIterations: 1, algorithm: 'md5' })],
    ['Keycloak without parameters', keycloakWith({ hashIterations: 1, algorithm: 'argon2' })],
    ['Keycloak that is no JSON', '{"credentialData": '],
    ['Keycloak that is too long', `{${' '.repeat(5000)}}`],
    ['MD5', '5f4dcc3b5aa765d61d8327deb882cf99'],
    ['a password', PASSWORD],
  ])('%s is unknown', async (_, hash) => {
    await expect(hasherOf({ foreign: all }).accept({ hash })).rejects.toMatchObject({
      code: 'hash_unknown',
      message: expect.not.stringContaining(hash),
    })
  })

  test('Firebase of SuperTokens needs the key', async () => {
    const hash = `$f_scrypt$${TAG}=$${SALT}==$m=14$r=8$s=Bw==`
    const { accept } = hasherOf({ foreign: [superTokens()] })
    await expect(accept({ hash })).rejects.toMatchObject({ code: 'hash_unknown' })
    expect(await hasherOf({ foreign: [superTokens(FIREBASE)] }).accept({ hash })).toBe(hash)
  })

  test('an unknown kind is named with those that there are', async () => {
    const { accept } = hasherOf({ foreign: [bcrypt(), django()] })
    await expect(accept({ hash: 'x', kind: 'crypt' })).rejects.toThrow(
      '(bcrypt, django), got "crypt"',
    )
    await expect(accept({ hash: 'x', kind: 'django' })).rejects.toThrow('not one of django')
  })

  test('hashes of Latchkey are accepted without any foreign system', async () => {
    const { accept, hash } = hasherOf({ hash: CHEAP })
    const own = await hash(PASSWORD)
    expect(await accept({ hash: own })).toBe(own)
    for (const other of [own.replace('argon2id', 'argon2i'), own.replace('v=19', 'v=16')])
      await expect(accept({ hash: other })).rejects.toMatchObject({ code: 'hash_unknown' })
    await expect(accept({ hash: own.replace('m=7168', 'm=1048577') })).rejects.toMatchObject({
      code: 'hash_too_costly',
    })
  })
})

describe('bcrypt', () => {
  const long = 'a'.repeat(72)
  const stored = '$2b$04$..CA.uOD/eaGAOmJB.yMBuIbwKfymVuMfASrmYBUytUgog5Nvtojy'

  test('reads 72 bytes of a password until it is hashed anew, and then all of it (T-ACC-11)', async () => {
    const { verify, hash, isWeaker } = hasherOf({ hash: CHEAP, foreign: [bcrypt()] })
    expect(await verify(long, stored)).toBe(true)
    expect(await verify(`${long}b`, stored)).toBe(true)
    expect(await verify(long.slice(1), stored)).toBe(false)
    expect(await isWeaker(stored)).toBe(true)
    const anew = await hash(long)
    expect(await verify(long, anew)).toBe(true)
    expect(await verify(`${long}b`, anew)).toBe(false)
  })

  test('reads passwords of $2a$ up to U+0000, and those of $2b$ whole', async () => {
    const { verify } = hasherOf({ foreign: [bcrypt()] })
    const ofStart = hashSync('before', 4)
    expect(await verify('before\0after', ofStart.replace('$2b$', '$2a$'))).toBe(true)
    expect(await verify('before\0after', ofStart)).toBe(false)
    expect(await verify('before\0after', hashSync('before\0after', 4))).toBe(true)
  })

  test('without bcryptjs is busy, and the log has the line that installs it', async () => {
    const { verify, errors, lacks } = hasherOf({ foreign: [bcrypt()] }, bare)
    const names = 'npm install bcryptjs'
    expect(await lacks()).toContainEqual(expect.stringContaining(names))
    expect(await hasherOf({ foreign: [bcrypt()] }).lacks()).toEqual([])
    expect(await verify(PASSWORD, hashSync(PASSWORD, 4))).toBe(true)
    expect(errors).toEqual([])
  })
})

describe('candidates for a password', () => {
  const decomposed = 'cafe\u0301 \ufb01ne passphrase'

  test.each([
    ['as typed', decomposed],
    ['NFC', decomposed.normalize('NFC')],
    ['NFKC', decomposed.normalize('NFKC')],
  ])('are tried until one is right: %s (PW-36)', async (_, hashed) => {
    const { verify } = hasherOf({ foreign: [bcrypt()] })
    expect(await verify(decomposed, hashSync(hashed, 4))).toBe(true)
    expect(await verify(`${decomposed}s`, hashSync(hashed, 4))).toBe(false)
  })

  test('are tried in this order, without doubles', async () => {
    const tried: string[] = []
    const system: ForeignHash = {
      id: 'mine',
      matches: (stored) => stored === 'mine',
      normalize: (password) => password.toLowerCase(),
      verify: async (password) => {
        tried.push(password)
        return false
      },
    }
    const { verify } = hasherOf({ foreign: [system] })
    await verify('abc', 'mine')
    expect(tried).toEqual(['abc'])
    tried.length = 0
    await verify('E\u0301\ufb01', 'mine')
    expect(tried).toEqual(['e\u0301\ufb01', 'E\u0301\ufb01', '\u00c9\ufb01', '\u00c9fi'])
  })
})

describe('fast hashes are stored only wrapped (PW-37)', () => {
  test.each(['md5', 'sha1', 'sha256', 'sha512'] as const)('%s', async (algorithm) => {
    const hex = createHash(algorithm).update(PASSWORD).digest('hex')
    const { accept, verify, isWeaker } = hasherOf({ hash: CHEAP, foreign: [digest(algorithm)] })
    for (const hash of [hex, hex.toUpperCase()]) {
      const stored = await accept({ hash })
      expect(stored).toMatch(
        new RegExp(`^\\$latchkey-wrap\\$${algorithm}\\$argon2id\\$v=19\\$m=7168,t=5,p=1\\$`),
      )
      expect(stored.toLowerCase()).not.toContain(hex)
      expect(await verify(PASSWORD, stored)).toBe(true)
      expect(await verify(`${PASSWORD}s`, stored)).toBe(false)
      // The digest itself is no password.
      expect(await verify(hex, stored)).toBe(false)
      expect(await verify(hex, hex)).toBe(false)
      expect(await isWeaker(stored)).toBe(true)
    }
  })

  test('with a salt, which is stored beside them', async () => {
    const ldapSsha: ForeignHash = {
      id: 'ldap-ssha',
      matches: (stored) => /^\{SSHA\}[\w+/]{30,}={0,2}$/.test(stored),
      verify: async () => false,
      wrap: {
        split(stored) {
          const bytes = Buffer.from(stored.slice('{SSHA}'.length), 'base64')
          return {
            digest: bytes.subarray(0, 20).toString('hex'),
            data: bytes.subarray(20).toString('base64url'),
          }
        },
        digest: (password, data = '') =>
          createHash('sha1').update(password).update(Buffer.from(data, 'base64url')).digest('hex'),
      },
    }
    const salt = Buffer.from('seasalt!')
    const sum = createHash('sha1').update(PASSWORD).update(salt).digest()
    const hash = `{SSHA}${Buffer.concat([sum, salt]).toString('base64')}`
    const { accept, verify } = hasherOf({ hash: CHEAP, foreign: [ldapSsha] })
    const stored = await accept({ hash })
    expect(stored).toContain(`$latchkey-wrap$ldap-ssha,${salt.toString('base64url')}$argon2id$`)
    expect(await verify(PASSWORD, stored)).toBe(true)
    expect(await verify('other', stored)).toBe(false)
    // Without the system nobody can sign in, and the answer is the same as for a wrong password.
    expect(await hasherOf({ hash: CHEAP }).verify(PASSWORD, stored)).toBe(false)
  })

  test('an algorithm must be one of those', () => {
    expect(() => digest('md4' as 'md5')).toThrow(
      'must be one of md5, sha1, sha256, sha512, got "md4"',
    )
  })
})
