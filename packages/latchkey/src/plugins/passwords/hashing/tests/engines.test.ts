import { argon2Sync } from 'node:crypto'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import {
  ARGON2,
  bare,
  CHEAP,
  hasherOf,
  nodeRs,
  PASSWORD,
  SALT,
  SCRYPT,
  scryptOnly,
  withSaltOfVectors,
} from '../../../../../tests/support/hashers.ts'
import { createPlatform } from '../engine/node.ts'
import { createThreads } from '../engine/threads.ts'

const node = createPlatform()

describe('the engine of a process (PW-12)', () => {
  test.each([
    ['node:crypto', undefined, { name: 'node', algorithm: 'argon2id' }],
    ['@node-rs/argon2', nodeRs, { name: 'node-rs', algorithm: 'argon2id' }],
    ['scrypt', scryptOnly, { name: 'scrypt', algorithm: 'scrypt' }],
  ])('is %s', async (_, platform, engine) => {
    expect(await hasherOf({}, platform).engine()).toEqual(engine)
  })

  test.each([
    ['node:crypto', undefined, ARGON2],
    ['@node-rs/argon2', nodeRs, ARGON2],
    ['scrypt', scryptOnly, SCRYPT],
  ])('%s makes the known hash', async (_, platform, vector) => {
    expect(await withSaltOfVectors(platform).hash(PASSWORD)).toBe(vector)
  })

  test('of scrypt is named with the package that brings argon2', async () => {
    expect(await hasherOf().lacks()).toEqual([])
    expect(await hasherOf({}, scryptOnly).lacks()).toEqual([
      expect.stringContaining('npm install @node-rs/argon2'),
    ])
    expect(await hasherOf({}, bare).lacks()).toEqual([
      expect.stringContaining('npm install @node-rs/argon2'),
      expect.stringContaining('npm install @noble/hashes'),
    ])
  })
})

describe('each process verifies what the others made (PW-13)', () => {
  const platforms = { node: undefined, 'node-rs': nodeRs, scrypt: scryptOnly }
  const names = Object.keys(platforms) as (keyof typeof platforms)[]

  test.each(names.flatMap((maker) => names.map((reader) => [maker, reader] as const)))(
    'hashes of %s on %s',
    async (maker, reader) => {
      const stored = await hasherOf({ hash: CHEAP }, platforms[maker]).hash(PASSWORD)
      const { verify } = hasherOf({ hash: CHEAP }, platforms[reader])
      expect(await verify(PASSWORD, stored)).toBe(true)
      expect(await verify(`${PASSWORD}.`, stored)).toBe(false)
    },
  )

  test('a process without native code and without @noble/hashes is busy, and names the package', async () => {
    const { verify, errors } = hasherOf({}, bare)
    await expect(verify(PASSWORD, ARGON2)).rejects.toMatchObject({ code: 'busy' })
    await expect(verify(PASSWORD, ARGON2)).rejects.toMatchObject({ code: 'busy' })
    expect(errors).toEqual([expect.stringContaining('run npm install @noble/hashes@')])
  })

  test('a process without native code hashes nothing downwards (PW-14)', async () => {
    const { isWeaker } = hasherOf({}, scryptOnly)
    expect(await isWeaker(ARGON2)).toBe(false)
    expect(await isWeaker(SCRYPT)).toBe(false)
    expect(await isWeaker(SCRYPT.replace('ln=17', 'ln=16'))).toBe(true)
    // The parameters of Cloudflare Workers.
    expect(await isWeaker(SCRYPT.replace('ln=17,r=8,p=1', 'ln=14,r=8,p=5'))).toBe(true)
  })
})

describe('argon2 of the packages', () => {
  const bytes = (value: number, length: number): Uint8Array<ArrayBuffer> =>
    new Uint8Array(length).fill(value)

  test('is that of RFC 9106 section 5.3, which has a secret and data', () => {
    const tag = argon2Sync('argon2id', {
      message: bytes(1, 32),
      nonce: bytes(2, 16),
      secret: bytes(3, 8),
      associatedData: bytes(4, 12),
      memory: 32,
      passes: 3,
      parallelism: 4,
      tagLength: 32,
    })
    expect(tag.toString('hex')).toBe(
      '0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659',
    )
  })

  test.each([
    [{ type: 'argon2id', version: 19 }],
    [{ type: 'argon2i', version: 19 }],
    [{ type: 'argon2id', version: 16 }],
    [{ type: 'argon2i', version: 16 }],
  ] as const)('is the same with native code and in JavaScript: %o', async (kind) => {
    const parameters = { ...kind, memory: 64, passes: 3, parallelism: 2, salt: SALT }
    const password = new TextEncoder().encode(PASSWORD)
    const inJavaScript = await node.portableArgon2(password, parameters, 32)
    const byPackage = await (await nodeRs.argon2(kind.version))?.hash(password, parameters, 32)
    expect(inJavaScript).toEqual(byPackage)
    if (kind.version !== 19) return
    expect(await (await node.argon2(19))?.hash(password, parameters, 32)).toEqual(byPackage)
  })

  test('of version 16 is not asked of node:crypto, which has version 19 alone', async () => {
    expect((await node.argon2(16))?.name).toBe('node-rs')
    expect((await node.argon2(19))?.name).toBe('node')
  })
})

describe('threads for what would block all other requests (ACC-17)', () => {
  const url = pathToFileURL(createRequire(import.meta.url).resolve('bcryptjs')).href
  const call = (password: string) => ({
    url,
    name: 'compareSync',
    args: [password, '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'],
  })

  test('are at most two', async () => {
    const threads = createThreads()
    expect(threads.count).toBe(0)
    const calls = ['U*U', 'U*V', 'U*U', 'U', 'U*U'].map((each) => threads.run(call(each)))
    expect(threads.count).toBe(2)
    expect(await Promise.all(calls)).toEqual([true, false, true, false, true])
    expect(threads.count).toBe(2)
  })

  test('end when they have had nothing to do for a time', async () => {
    const threads = createThreads(10)
    expect(await threads.run(call('U*U'))).toBe(true)
    await expect.poll(() => threads.count).toBe(0)
    expect(await threads.run(call('U*U'))).toBe(true)
  })

  test('a call that throws rejects alone', async () => {
    const threads = createThreads()
    await expect(threads.run({ url, name: 'compareSync', args: [] })).rejects.toThrow('Illegal')
    expect(await threads.run(call('U*U'))).toBe(true)
    await expect(threads.run({ ...call('U*U'), url: 'file:///nowhere.js' })).rejects.toThrow(
      'nowhere',
    )
    expect(await threads.run(call('U*U'))).toBe(true)
  })
})
