import { describe, expect, test } from 'vitest'
import { hasherOf, PASSWORD } from '../../../../../tests/support/hashers.ts'
import type { ForeignHash } from '../foreign-hash.ts'
import {
  argon2,
  aspNetIdentity,
  bcrypt,
  betterAuth,
  django,
  firebaseScrypt,
  keycloak,
  scrypt,
  superTokens,
} from '../index.ts'

const FIREBASE = {
  signerKey:
    'jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==',
  saltSeparator: 'Bw==',
  rounds: 8,
  memCost: 14,
}
const FIREBASE_HASH =
  'lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ=='
const OF_FIREBASE = `$f_scrypt$${FIREBASE_HASH}$42xEC+ixf3L2lw==$m=14$r=8$s=Bw==`

const KEYCLOAK_SALT = 'AAECAwQFBgcICQoLDA0ODw=='
/** Exports have these parts as JSON in JSON. */
const keycloakOf = (data: object, value: string, stringify = JSON.stringify): string =>
  JSON.stringify({
    type: 'password',
    credentialData: stringify(data),
    secretData: stringify({ value, salt: KEYCLOAK_SALT, additionalParameters: {} }),
  })
const OF_KEYCLOAK = { hashIterations: 210_000, algorithm: 'pbkdf2-sha512' }
const KEYCLOAK_VALUE =
  'tfP6dFnMFLm84erFFC/hWDzb6fAjAPCAs0RvJLiu5xYHfelPBTAEADgLVRgJzZ8bKvvUpW2nUExEbADbiezuPg=='

/** Computed here, and what the projects publish. */
const vectors: readonly (readonly [string, ForeignHash, string, string])[] = [
  [
    'Better Auth',
    betterAuth(),
    PASSWORD,
    '000102030405060708090a0b0c0d0e0f:7034425e783148ac6ce2c4521177f6fc8ba611950b64145053bf3c4fbf26457865bbf1ea8164754187636d431114bca7374e96cf91409d23fbc0b086580d2442',
  ],
  ['Firebase, its published example', firebaseScrypt(FIREBASE), 'user1password', OF_FIREBASE],
  ['SuperTokens of Firebase', superTokens(FIREBASE), 'user1password', OF_FIREBASE],
  [
    'Django, PBKDF2',
    django(),
    PASSWORD,
    'pbkdf2_sha256$1000000$seasalt$5YGFAWS1Cu+xASixJYSbolqCUgtwAdKNxflr6PT+Mys=',
  ],
  [
    'Django, scrypt, of its own tests',
    django(),
    'l\u00e8tmein',
    'scrypt$16384$seasalt$8$1$Qj3+9PPyRjSJIebHnG81TMjsqtaIGxNQG/aEB/NYafTJ7tibgfYz71m0ldQESkXFRkdVCBhhY8mx7rQwite/Pw==',
  ],
  [
    'ASP.NET Identity v3',
    aspNetIdentity(),
    PASSWORD,
    'AQAAAAIAAYagAAAAEAABAgMEBQYHCAkKCwwNDg+HNphercic/uMU10oVOJcFooxzoeSLoVHx/CnyVEI1LA==',
  ],
  [
    'ASP.NET Identity v2',
    aspNetIdentity(),
    PASSWORD,
    'AAABAgMEBQYHCAkKCwwNDg8A6b+Q5v/5gBndnBKiBiA27187WD3zrXpRRPbHcnNx7A==',
  ],
  ['Keycloak, pbkdf2-sha512', keycloak(), PASSWORD, keycloakOf(OF_KEYCLOAK, KEYCLOAK_VALUE)],
  [
    'Keycloak, with objects',
    keycloak(),
    PASSWORD,
    keycloakOf(OF_KEYCLOAK, KEYCLOAK_VALUE, (each) => each as never),
  ],
  [
    'Keycloak, argon2',
    keycloak(),
    PASSWORD,
    keycloakOf(
      {
        hashIterations: 5,
        algorithm: 'argon2',
        additionalParameters: {
          hashLength: ['32'],
          memory: ['7168'],
          type: ['id'],
          version: ['1.3'],
          parallelism: ['1'],
        },
      },
      '8cZyfmGLYgTYc8avb2ZXWqFShr92bklhQdS/tplOl9k=',
    ),
  ],
  [
    'bcrypt, cost 10',
    bcrypt(),
    PASSWORD,
    '$2b$10$..CA.uOD/eaGAOmJB.yMBubRoslBHnMTNf7r5vXwx5UX9sWYt/FHi',
  ],
  ['bcrypt, U*U', bcrypt(), 'U*U', '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'],
  [
    'bcrypt of SuperTokens',
    superTokens(),
    'U*U',
    '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW',
  ],
  [
    'scrypt of PHC',
    scrypt(),
    PASSWORD,
    '$scrypt$ln=17,r=8,p=1$AAECAwQFBgcICQoLDA0ODw$GylG2nH0EXnoO5ncM4QtFXQbh8QSHIx/N4HB34ZPtYs',
  ],
  [
    'scrypt of passlib, its published example',
    scrypt(),
    'password',
    '$scrypt$ln=16,r=8,p=1$aM15713r3Xsvxbi31lqr1Q$nFNh2CVHVjNldFVKDHDlm4CbdRSCdEBsjjJxD+iCs5E',
  ],
  [
    'argon2id',
    argon2(),
    PASSWORD,
    '$argon2id$v=19$m=19456,t=2,p=1$AAECAwQFBgcICQoLDA0ODw$gYJZtjEAJqjg26xdLmknq8/bB7MiWPrE9hsYuA+SkIU',
  ],
]

describe('hashes of other systems (PW-36)', () => {
  test.each(vectors)('%s', async (_, system, password, stored) => {
    const hasher = hasherOf({ foreign: [system] })
    expect(await hasher.accept({ hash: stored })).toBe(stored)
    expect(await hasher.accept({ hash: stored, kind: system.id })).toBe(stored)
    expect(await hasher.verify(password, stored)).toBe(true)
    expect(await hasher.verify(`${password} `, stored)).toBe(false)
    expect(await hasher.verify(`x${password}`, stored)).toBe(false)
    expect(await hasher.verify('', stored)).toBe(false)
  })

  test.each(vectors)('%s: only its own texts are accepted', async (_, system, __, stored) => {
    const { accept } = hasherOf({ foreign: [system] })
    const texts = ['', 'x', `${stored}!`, ` ${stored}`, stored.slice(2)]
    for (const hash of texts)
      await expect(accept({ hash })).rejects.toMatchObject({ code: 'hash_unknown' })
  })

  test('hash and salt of an export of Firebase are stored as one text', async () => {
    const { accept } = hasherOf({ foreign: [firebaseScrypt(FIREBASE)] })
    const params = { salt: '42xEC+ixf3L2lw==' }
    expect(await accept({ hash: FIREBASE_HASH, kind: 'firebase-scrypt', params })).toBe(OF_FIREBASE)
    for (const other of [{}, { salt: 7 }, { salt: 'not base64' }])
      await expect(
        accept({ hash: FIREBASE_HASH, kind: 'firebase-scrypt', params: other }),
      ).rejects.toMatchObject({ code: 'hash_unknown' })
  })

  test('are hashed anew (PW-14)', async () => {
    for (const [name, system, , stored] of vectors.slice(0, 13))
      expect(await hasherOf({ foreign: [system] }).isWeaker(stored), name).toBe(true)
  })
})

describe('the dummy of a system', () => {
  const systems = [
    argon2(),
    aspNetIdentity(),
    bcrypt(),
    betterAuth(),
    django(),
    firebaseScrypt(FIREBASE),
    keycloak(),
    scrypt(),
    superTokens(),
  ]

  test.each(systems.map((system) => [system.id, system] as const))(
    'is a hash that nobody has the password of: %s (PW-18)',
    async (_, system) => {
      const { verify } = hasherOf({ foreign: [system], dummy: 'foreign' })
      expect(system.matches(system.dummy ?? '')).toBe(true)
      expect(system.isTooCostly?.(system.dummy ?? '') ?? false).toBe(false)
      expect(await system.verify(PASSWORD, system.dummy ?? '')).toBe(false)
      expect(await verify(PASSWORD, undefined)).toBe(false)
    },
  )
})

describe('parameters of the factories', () => {
  test.each([
    ['no key', { ...FIREBASE, signerKey: undefined }, '`signerKey` must be base64'],
    [
      'a key that is no base64',
      { ...FIREBASE, signerKey: 'secret!' },
      '`signerKey` must be base64',
    ],
    ['no separator', { ...FIREBASE, saltSeparator: '' }, '`saltSeparator` must be base64, got ""'],
    ['rounds as a text', { ...FIREBASE, rounds: '8' }, '`rounds` must be a whole number'],
    [
      'memory of 2^18',
      { ...FIREBASE, memCost: 18 },
      '`memCost` must be a whole number from 1 to 17',
    ],
  ])('of Firebase are checked: %s', (_, parameters, message) => {
    expect(() => firebaseScrypt(parameters as typeof FIREBASE)).toThrow(message)
  })

  test('of Firebase do not show the key in an error', () => {
    const signerKey = `${FIREBASE.signerKey}!`
    expect(() => firebaseScrypt({ ...FIREBASE, signerKey })).toThrow(/^(?!.*jxspr8)/)
    expect(() => superTokens({ signerKey })).toThrow('superTokens(): `signerKey` must be base64')
  })
})
