import { createHash, pbkdf2Sync, randomBytes, scryptSync } from 'node:crypto'
import { hashPassword } from '@better-auth/utils/password'
import { hash as hashOfNodeRs } from '@node-rs/argon2'
import { hashSync } from 'bcryptjs'
import { describe, expect, test } from 'vitest'
import { hasherOf, nodeRs, PASSWORD, scryptOnly } from '../../../../../tests/support/hashers.ts'
import type { ForeignHash } from '../foreign-hash.ts'
import {
  argon2,
  aspNetIdentity,
  bcrypt,
  betterAuth,
  django,
  keycloak,
  scrypt,
  superTokens,
} from '../index.ts'

const passwords = [PASSWORD, 'na\u00efve \ud83d\udc4d caf\u0065\u0301', ' ', 'p'.repeat(200)]

async function expectRight(system: ForeignHash, password: string, hash: string): Promise<void> {
  const { accept, verify } = hasherOf({ foreign: [system] })
  const stored = await accept({ hash })
  expect(await verify(password, stored)).toBe(true)
  expect(await verify(`x${password}`, stored)).toBe(false)
}

/** A hash as ASP.NET Core Identity v3 makes it. */
function aspNet(password: string, prf: number, digest: string, iterations: number): string {
  const salt = randomBytes(16)
  const header = Buffer.alloc(13)
  header[0] = 1
  header.writeUInt32BE(prf, 1)
  header.writeUInt32BE(iterations, 5)
  header.writeUInt32BE(salt.length, 9)
  const key = pbkdf2Sync(password, salt, iterations, 32, digest)
  return Buffer.concat([header, salt, key]).toString('base64')
}

function ofKeycloak(password: string, algorithm: string, digest: string, length: number): string {
  const salt = randomBytes(16)
  const value = pbkdf2Sync(password, salt, 27_500, length, digest).toString('base64')
  return JSON.stringify({
    credentialData: JSON.stringify({ hashIterations: 27_500, algorithm }),
    secretData: JSON.stringify({ value, salt: salt.toString('base64') }),
  })
}

describe.each(passwords)(
  'hashes made by the packages of other systems, of %j (PW-36)',
  (password) => {
    test('Better Auth', async () => {
      await expectRight(betterAuth(), password, await hashPassword(password))
    })

    test('bcryptjs, and its spellings $2a$ and $2y$', async () => {
      const hash = hashSync(password, 4)
      await expectRight(bcrypt(), password, hash)
      await expectRight(bcrypt(), password, hash.replace('$2b$', '$2a$'))
      await expectRight(bcrypt(), password, hash.replace('$2b$', '$2y$'))
    })

    test.each([0, 1] as const)(
      'argon2 of @node-rs/argon2, version 1.0 or 1.3: %s',
      async (version) => {
        for (const algorithm of [1, 2] as const) {
          const options = { memoryCost: 1024, timeCost: 2, parallelism: 2, algorithm, version }
          const hash = await hashOfNodeRs(password, options)
          await expectRight(argon2(), password, hash)
          await expectRight(superTokens(), password, hash)
          await expectRight(django(), password, `argon2${hash}`)
        }
      },
    )

    test('scrypt of libscrypt', async () => {
      const salt = randomBytes(16)
      const tag = scryptSync(password, salt, 64, { N: 2 ** 10, r: 8, p: 2 })
      const hash = `$s0$a0802$${salt.toString('base64')}$${tag.toString('base64')}`
      await expectRight(scrypt(), password, hash)
    })

    test('Django', async () => {
      for (const [name, digest, length] of [
        ['pbkdf2_sha256', 'sha256', 32],
        ['pbkdf2_sha1', 'sha1', 20],
      ] as const) {
        const tag = pbkdf2Sync(password, 'aGrainOfSalt', 1000, length, digest).toString('base64')
        await expectRight(django(), password, `${name}$1000$aGrainOfSalt$${tag}`)
      }
      const inner = createHash('sha256').update(password).digest('hex')
      await expectRight(django(), password, `bcrypt_sha256$${hashSync(inner, 4)}`)
      await expectRight(django(), password, `bcrypt$${hashSync(password, 4)}`)
    })

    test('ASP.NET Core Identity with each function', async () => {
      for (const [prf, digest] of ['sha1', 'sha256', 'sha512'].entries())
        await expectRight(aspNetIdentity(), password, aspNet(password, prf, digest, 10_000))
    })

    test('Keycloak with each function', async () => {
      await expectRight(keycloak(), password, ofKeycloak(password, 'pbkdf2', 'sha1', 64))
      await expectRight(keycloak(), password, ofKeycloak(password, 'pbkdf2-sha256', 'sha256', 64))
      await expectRight(keycloak(), password, ofKeycloak(password, 'pbkdf2-sha512', 'sha512', 512))
    })
  },
)

describe('argon2 of another system', () => {
  test.each([
    ['@node-rs/argon2', nodeRs],
    ['@noble/hashes', scryptOnly],
  ])('is verified by %s where Node.js has none (PW-13)', async (_, platform) => {
    const options = { memoryCost: 256, timeCost: 1, parallelism: 1, version: 0 as const }
    const hash = await hashOfNodeRs(PASSWORD, options)
    const { verify } = hasherOf({ foreign: [argon2()] }, platform)
    expect(await verify(PASSWORD, hash)).toBe(true)
    expect(await verify('other', hash)).toBe(false)
  })
})
