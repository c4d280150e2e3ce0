import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { encode as peerEncode } from '@auth/core/jwt'
import { build } from 'esbuild'
import { encode } from 'latchkey/jwt'
import { bundleForEdge } from '../tools/size.ts'
import { asCookies, secret, sessionCookie } from './contenders.ts'
import { type Row, spread } from './measure.ts'

/** Import to first answer in a process of its own, above what a bare `Response` costs there. */
export async function coldStart(rounds: number): Promise<Row[]> {
  const params = { token: { name: 'Ada', sub: 'u1' }, secret, salt: sessionCookie }
  const [ourCookies, theirCookies] = [
    asCookies(await encode(params)),
    asCookies(await peerEncode(params)),
  ]
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-bench-'))
  try {
    const [ourFile, theirFile] = [
      await bundled('latchkey', join(folder, 'ours')),
      await bundled('@auth/core', join(folder, 'peer')),
    ]
    const above = Array.from({ length: rounds }, () => {
      const bare = child('bare.js')
      return {
        ours: child('latchkey.js', ourCookies) - bare,
        oursBundled: child('bundled.js', ourCookies, ourFile) - bare,
        hand: child('by-hand.js', ourCookies) - bare,
        peer: child('auth-core.js', theirCookies) - bare,
        peerBundled: child('bundled.js', theirCookies, theirFile) - bare,
      }
    })
    type Who = keyof (typeof above)[number]
    const row = (name: string, who: Who, other: Who): Row => ({
      name,
      ours: spread(above.map((times) => times[who])),
      peer: spread(above.map((times) => times[other])),
      timesAsFast: spread(above.map((times) => times[other] / times[who])),
    })
    return [
      { ...row('cold start, above a bare `Response`', 'ours', 'peer'), ask: 10, atMost: 8000 },
      row('cold start, bundled by the application', 'oursBundled', 'peerBundled'),
      row('by hand: cold start', 'hand', 'peer'),
    ]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Bundles a library for Node.js as an application would, and returns the file to import. */
async function bundled(library: string, folder: string): Promise<string> {
  await build({
    stdin: {
      contents: `export { Auth } from '${library}'\nexport { default as credentials } from '${library}/providers/credentials'`,
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    minify: true,
    // What is imported later stays in files of its own.
    splitting: true,
    platform: 'node',
    format: 'esm',
    outExtension: { '.js': '.mjs' },
    outdir: folder,
    tsconfigRaw: {},
    logLevel: 'silent',
  })
  return join(folder, 'stdin.mjs')
}

/** What three plugins add to the same start without any. */
export async function pluginsColdStart(rounds: number): Promise<Row> {
  const claims = { name: 'Ada', sub: 'u1', sid: 'AAAAAAAAAAAAAAAAAAAAAA' }
  const cookies = asCookies(await encode({ token: claims, secret, salt: sessionCookie }))
  const more: number[] = []
  for (let round = 0; round < rounds; round++) {
    const without = child('plugins.js', cookies)
    more.push(child('plugins.js', cookies, 'plugins') - without)
  }
  return { name: 'cold start: what three plugins add', ours: spread(more), atMost: 1500 }
}

/** The start with all plugins of accounts, beside the same start without any. */
export async function accountsColdStart(rounds: number): Promise<Row> {
  const claims = { name: 'Ada', sub: 'u1', sid: 'AAAAAAAAAAAAAAAAAAAAAA' }
  const cookies = asCookies(await encode({ token: claims, secret, salt: sessionCookie }))
  const times = Array.from({ length: rounds }, () => ({
    limit: child('plugins.js', cookies),
    ours: child('plugins.js', cookies, 'accounts'),
  }))
  return {
    name: 'cold start: all plugins of accounts, limit: the core alone (ACC-20)',
    ours: spread(times.map(({ ours }) => ours)),
    limit: spread(times.map(({ limit }) => limit)),
    overLimit: spread(times.map(({ ours, limit }) => ours / limit)),
    within: 1.3,
  }
}

/** What an edge runtime does with the core before the first request: compile one file, and run its top level. */
export async function edgeStart(rounds: number): Promise<Row> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-bench-'))
  try {
    const file = join(folder, 'bundle.mjs')
    writeFileSync(file, (await bundleForEdge('latchkey')).code)
    const times = Array.from({ length: rounds }, () => child('edge.js', '', file))
    return { name: 'cold start: the edge bundle evaluated', ours: spread(times), atMost: 4000 }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** What the first sign-ins of a process take of the processor, before most of their code is compiled. */
export function firstSignIns(rounds: number): Row[] {
  const times = Array.from({ length: rounds }, () => ({
    ours: child('sign-ins.ts', '', 'ours'),
    hand: child('sign-ins.ts', '', 'hand'),
    peer: child('sign-ins.ts', '', 'peer'),
  }))
  const row = (name: string, who: 'ours' | 'hand'): Row => ({
    name,
    ours: spread(times.map((each) => each[who])),
    peer: spread(times.map(({ peer }) => peer)),
    timesAsFast: spread(times.map((each) => each.peer / each[who])),
  })
  const name = 'OpenID Connect sign-in, the first 100 of a process, processor time'
  return [{ ...row(name, 'ours'), ask: 3 }, row(`by hand: ${name}`, 'hand')]
}

/** Microseconds that the program says it took, in milliseconds. */
function child(name: string, cookies = '', asked = ''): number {
  const file = fileURLToPath(new URL(`cold/${name}`, import.meta.url))
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, cookies, secret, asked], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  return Number(stdout) * 1000
}
