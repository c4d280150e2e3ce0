import {
  BCRYPT,
  type Bytes,
  type HashPlatform,
  MissingPackage,
  PORTABLE_ARGON2,
} from './platform.ts'

/** The used part of `node:crypto`, which workerd has with the flag `nodejs_compat`. */
interface NodeCrypto {
  scrypt(
    password: Bytes,
    salt: Bytes,
    length: number,
    options: {
      readonly N: number
      readonly r: number
      readonly p: number
      readonly maxmem: number
    },
    done: Done,
  ): void
  pbkdf2(
    password: Bytes,
    salt: Bytes,
    iterations: number,
    length: number,
    digest: string,
    done: Done,
  ): void
  createHash(algorithm: string): { update(bytes: Bytes): { digest(): Uint8Array } }
}

type Done = (error: Error | null, bytes: Uint8Array) => void

/** Cloudflare Workers. A worker has 128 MB in all and no native argon2, so new hashes are of scrypt with 16 MiB. */
export const platform: HashPlatform = {
  argon2: async () => undefined,
  async portableArgon2(password, { type, version, memory, passes, parallelism, salt }, dkLen) {
    const options = { t: passes, m: memory, p: parallelism, version, dkLen }
    const { argon2id, argon2i } = await loadNoble()
    const compute = type === 'argon2id' ? argon2id : argon2i
    return new Uint8Array(compute(password, salt, options))
  },
  scrypt: (password, { ln, r, p, salt }, length) => {
    const options = { N: 2 ** ln, r, p, maxmem: 128 * r * (2 ** ln + p + 2) + 65_536 }
    return called((done) => nodeCrypto().scrypt(password, salt, length, options, done))
  },
  pbkdf2: (password, { digest, salt, iterations }, length) =>
    called((done) => nodeCrypto().pbkdf2(password, salt, iterations, length, digest, done)),
  async bcrypt(password, hash) {
    const { compareSync } = await loadBcrypt()
    return compareSync(password, hash)
  },
  digest: (algorithm, bytes) =>
    new Uint8Array(nodeCrypto().createHash(algorithm).update(bytes).digest()),
  has: (name) => (name === '@node-rs/argon2' ? false : undefined),
  newScrypt: { ln: 14, r: 8, p: 5 },
  // One thread computes all requests of an isolate.
  parallel: 1,
}

/** Bundlers leave out a package that is not installed, since the import is tried. */
async function loadNoble() {
  try {
    return await import('@noble/hashes/argon2.js')
  } catch {
    throw new MissingPackage('@noble/hashes', PORTABLE_ARGON2)
  }
}

async function loadBcrypt() {
  try {
    return await import('bcryptjs')
  } catch {
    throw new MissingPackage('bcryptjs', BCRYPT)
  }
}

function nodeCrypto(): NodeCrypto {
  const { process } = globalThis as {
    process?: { getBuiltinModule?(name: 'node:crypto'): NodeCrypto | undefined }
  }
  const found = process?.getBuiltinModule?.('node:crypto')
  if (!found)
    throw new Error(
      'hashing passwords needs node:crypto, which this runtime does not have: on Cloudflare Workers, set the compatibility flag nodejs_compat',
    )
  return found
}

async function called(start: (done: Done) => void): Promise<Bytes> {
  return new Promise((resolve, reject) => {
    start((error, bytes) => (error ? reject(error) : resolve(new Uint8Array(bytes))))
  })
}
