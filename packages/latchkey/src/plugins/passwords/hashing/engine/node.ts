import * as crypto from 'node:crypto'
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Argon2Hash } from '../phc.ts'
import {
  BCRYPT,
  type Bytes,
  type HashPackage,
  type HashPlatform,
  MissingPackage,
  type NativeArgon2,
  PORTABLE_ARGON2,
} from './platform.ts'
import { createThreads, NoThreads } from './threads.ts'

/** Threads of libuv, if `UV_THREADPOOL_SIZE` does not set another number. */
const DEFAULT_POOL = 4

/** The entry of each package, and of its functions those that block a thread. */
const ENTRIES: Readonly<Record<HashPackage, string>> = {
  '@node-rs/argon2': '@node-rs/argon2',
  '@noble/hashes': '@noble/hashes/argon2.js',
  bcryptjs: 'bcryptjs',
}

/** Where packages of the application are searched for: beside the library, and in a bundle beside the application. */
const PLACES: readonly (() => string)[] = [
  () => import.meta.url,
  () => join(process.cwd(), 'package.json'),
]

const threads = createThreads()

/** Node.js, and the runtimes that have its modules: Bun and Deno. */
export const platform: HashPlatform = createPlatform()

/** @param without native code that is ignored, as on a runtime that does not have it. */
export function createPlatform(
  without: readonly NativeArgon2['name'][] = [],
  places: readonly (() => string)[] = PLACES,
): HashPlatform {
  const natives = new Map<Argon2Hash['version'], NativeArgon2 | undefined>()
  const inThread = async (
    { name, what }: { readonly name: HashPackage; readonly what: string },
    { blocking, yielding }: { readonly blocking: string; readonly yielding: string },
    args: readonly unknown[],
  ): Promise<unknown> => {
    const found = locate(name, places)
    if (!found) throw new MissingPackage(name, what)
    try {
      return await threads.run({ url: pathToFileURL(found.file).href, name: blocking, args })
    } catch (error) {
      if (!(error instanceof NoThreads)) throw error
      const functions = found.require(ENTRIES[name]) as Readonly<
        Record<string, (...args: readonly unknown[]) => unknown>
      >
      return functions[yielding]?.(...args)
    }
  }
  return {
    async argon2(version) {
      if (!natives.has(version)) natives.set(version, findNative(version, without, places))
      return natives.get(version)
    },
    async portableArgon2(password, { type, version, memory, passes, parallelism, salt }, dkLen) {
      const options = { t: passes, m: memory, p: parallelism, version, dkLen, maxmem: 2 ** 31 }
      const bytes = await inThread(
        { name: '@noble/hashes', what: PORTABLE_ARGON2 },
        { blocking: type, yielding: `${type}Async` },
        [password, salt, options],
      )
      return new Uint8Array(bytes as Uint8Array)
    },
    scrypt: (password, { ln, r, p, salt }, length) => {
      const options = { N: 2 ** ln, r, p, maxmem: 128 * r * (2 ** ln + p + 2) + 65_536 }
      return called((done) => crypto.scrypt(password, salt, length, options, done))
    },
    pbkdf2: (password, { digest, salt, iterations }, length) =>
      called((done) => crypto.pbkdf2(password, salt, iterations, length, digest, done)),
    async bcrypt(password, hash) {
      const names = { blocking: 'compareSync', yielding: 'compare' }
      return (await inThread({ name: 'bcryptjs', what: BCRYPT }, names, [password, hash])) === true
    },
    digest: (algorithm, bytes) =>
      new Uint8Array(crypto.createHash(algorithm).update(bytes).digest()),
    has: (name) => locate(name, places) !== undefined,
    newScrypt: { ln: 17, r: 8, p: 1 },
    get parallel() {
      const pool = Number(process.env['UV_THREADPOOL_SIZE']) || DEFAULT_POOL
      // One thread stays for files and names of hosts.
      return Math.max(1, Math.min(availableParallelism(), pool - 1))
    },
  }
}

function findNative(
  version: Argon2Hash['version'],
  without: readonly NativeArgon2['name'][],
  places: readonly (() => string)[],
): NativeArgon2 | undefined {
  const ofNode = without.includes('node') || version !== 19 ? undefined : nativeOfNode()
  return ofNode ?? (without.includes('node-rs') ? undefined : nativeOfPackage(places))
}

/** Node.js 24.7 and later, and Bun. */
function nativeOfNode(): NativeArgon2 | undefined {
  const { argon2 } = crypto
  if (typeof argon2 !== 'function') return undefined
  return {
    name: 'node',
    hash(password, { type, memory, passes, parallelism, salt }, tagLength) {
      const parameters = { message: password, nonce: salt, memory, passes, parallelism, tagLength }
      return called((done) => argon2(type, parameters, done))
    },
  }
}

/** The used part of `@node-rs/argon2`. */
interface NodeRs {
  hashRaw(
    password: Uint8Array,
    options: {
      readonly memoryCost: number
      readonly timeCost: number
      readonly parallelism: number
      readonly outputLen: number
      readonly algorithm: 1 | 2
      readonly version: 0 | 1
      readonly salt: Uint8Array
    },
  ): Promise<Uint8Array>
}

function nativeOfPackage(places: readonly (() => string)[]): NativeArgon2 | undefined {
  const found = locate('@node-rs/argon2', places)
  if (!found) return undefined
  let library: NodeRs
  try {
    library = found.require(ENTRIES['@node-rs/argon2']) as NodeRs
  } catch {
    // The package is installed, but not its binary for this system.
    return undefined
  }
  return {
    name: 'node-rs',
    async hash(password, { type, version, memory, passes, parallelism, salt }, outputLen) {
      const bytes = await library.hashRaw(password, {
        memoryCost: memory,
        timeCost: passes,
        parallelism,
        outputLen,
        algorithm: type === 'argon2id' ? 2 : 1,
        version: version === 19 ? 1 : 0,
        salt,
      })
      return new Uint8Array(bytes)
    },
  }
}

interface Located {
  readonly file: string
  require(name: string): unknown
}

/** Packages are found at run time, so that no bundler asks for those that an application does not need. */
function locate(name: HashPackage, places: readonly (() => string)[]): Located | undefined {
  for (const place of places) {
    try {
      const requireThere = createRequire(place())
      return { file: requireThere.resolve(ENTRIES[name]), require: requireThere }
    } catch {
      // Not there.
    }
  }
  return undefined
}

function called(
  start: (done: (error: Error | null, bytes: Buffer) => void) => void,
): Promise<Bytes> {
  return new Promise((resolve, reject) => {
    start((error, bytes) => (error ? reject(error) : resolve(new Uint8Array(bytes))))
  })
}
