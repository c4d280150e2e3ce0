import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ARGON2, hasherOf, PASSWORD, SCRYPT } from '../support/hashers.ts'
import { commandOf, olderNode, startMiniflare } from '../support/runtimes.ts'

const library = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'latchkey-passwords-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** What a runtime did. */
interface Visit {
  readonly engine: { readonly name: string; readonly algorithm: string }
  readonly hash: string
  /** Whether it verified its own hash, a wrong password, and the vectors of argon2id and scrypt. */
  readonly verified: readonly (boolean | string)[]
}

const SOURCE = `
import { createHasher } from './src/plugins/passwords/hashing/hasher.ts'
import { hashSettingsOf } from './src/plugins/passwords/hashing/hash-settings.ts'
import { systemPorts } from './src/base/ports.ts'

const logger = { error() {}, warn() {}, debug() {} }

export async function visit() {
  const settings = hashSettingsOf({ hash: { memory: 7168, passes: 5 } })
  const hasher = createHasher(settings, { ports: systemPorts, logger })
  const password = ${JSON.stringify(PASSWORD)}
  const hash = await hasher.hash(password)
  const verify = async (typed, stored) => {
    try {
      return await hasher.verify(typed, stored)
    } catch (error) {
      return error.code ?? String(error)
    }
  }
  const verified = [
    await verify(password, hash),
    await verify('wrong', hash),
    await verify(password, ${JSON.stringify(ARGON2)}),
    await verify(password, ${JSON.stringify(SCRYPT)}),
  ]
  return { engine: await hasher.engine(), hash, verified }
}
`

/** Bundles the hasher, as applications are bundled. */
async function bundle(
  name: string,
  more: string,
  { engine }: { engine: 'node' | 'workerd' },
): Promise<string> {
  const outfile = join(folder, name)
  const engines = join(library, 'src/plugins/passwords/hashing/engine')
  await build({
    stdin: { contents: SOURCE + more, resolveDir: library, loader: 'ts' },
    bundle: true,
    format: 'esm',
    platform: engine === 'node' ? 'node' : 'neutral',
    alias: {
      '#password-engine': join(engines, `${engine}.ts`),
      '#crypto': join(library, 'src/base/crypto/webcrypto.ts'),
      // As Wrangler has it.
      crypto: 'node:crypto',
    },
    external: ['node:*'],
    outfile,
    logLevel: 'error',
  })
  return outfile
}

let script = ''
beforeAll(async () => {
  script = await bundle('main.mjs', 'console.log(JSON.stringify(await visit()))', {
    engine: 'node',
  })
})

/** @param cwd where the runtime finds the packages of the application. */
function visitOn(command: string, before: readonly string[] = [], cwd: string = library): Visit {
  return JSON.parse(execFileSync(command, [...before, script], { cwd, encoding: 'utf8' })) as Visit
}

const right = [true, false, true, true]

describe('a bundled application hashes passwords and verifies those of other runtimes (PW-12, PW-13)', () => {
  test.each([
    ['Node.js 26', process.execPath, [], 'node'],
    ['Node.js 24.21', olderNode(24), [], 'node'],
    ['Node.js 22.18', olderNode(22), [], 'node-rs'],
    ['Bun', commandOf('bun'), [], 'node'],
    ['Deno', commandOf('deno'), ['run', '--allow-all'], 'node-rs'],
  ] as const)('on %s', async (_, command, before, name) => {
    const { engine, hash, verified } = visitOn(command, before)
    expect(engine).toEqual({ name, algorithm: 'argon2id' })
    expect(verified).toEqual(right)
    expect(await hasherOf().verify(PASSWORD, hash)).toBe(true)
  })

  test('on a Node.js without argon2 and without packages, which is busy for hashes of argon2', async () => {
    const { engine, hash, verified } = visitOn(olderNode(22), [], folder)
    expect(engine).toEqual({ name: 'scrypt', algorithm: 'scrypt' })
    expect(verified).toEqual([true, false, 'busy', true])
    expect(hash).toMatch(/^\$scrypt\$ln=17,r=8,p=1\$/)
    expect(await hasherOf().verify(PASSWORD, hash)).toBe(true)
  })

  test('on workerd, with less memory', async () => {
    const worker = 'export default { fetch: async () => Response.json(await visit()) }'
    const miniflare = startMiniflare({
      modules: true,
      script: readFileSync(await bundle('worker.mjs', worker, { engine: 'workerd' }), 'utf8'),
      compatibilityDate: '2026-01-01',
      compatibilityFlags: ['nodejs_compat'],
    })
    try {
      const response = await miniflare.dispatchFetch('http://localhost/')
      const { engine, hash, verified } = (await response.json()) as Visit
      expect(engine).toEqual({ name: 'scrypt', algorithm: 'scrypt' })
      expect(hash).toMatch(/^\$scrypt\$ln=14,r=8,p=5\$/)
      expect(verified).toEqual(right)
      expect(await hasherOf().verify(PASSWORD, hash)).toBe(true)
    } finally {
      await miniflare.dispose()
    }
  })
})

test('the conditions of the package choose these engines', async () => {
  const { default: manifest } = (await import('../../package.json', {
    with: { type: 'json' },
  })) as { default: { imports: Record<string, Record<string, { default: string } | string>> } }
  const chosen = Object.entries(manifest.imports['#password-engine'] ?? {}).map(
    ([condition, target]) => [condition, typeof target === 'string' ? target : target.default],
  )
  const engines = './dist/plugins/passwords/hashing/engine'
  expect(Object.fromEntries(chosen)).toEqual({
    source: './src/plugins/passwords/hashing/engine/node.ts',
    workerd: `${engines}/workerd.js`,
    'edge-light': `${engines}/workerd.js`,
    browser: `${engines}/workerd.js`,
    node: `${engines}/node.js`,
    default: `${engines}/workerd.js`,
  })
})
