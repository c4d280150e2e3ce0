import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { encode as peerEncode } from '@auth/core/jwt'
import { encode } from 'latchkey/jwt'
import { asCookies, secret, sessionCookie } from './contenders.ts'
import { type Row, spread } from './measure.ts'

/** Import to first answer in a process of its own, above what a bare `Response` costs there. */
export async function coldStart(rounds: number): Promise<Row> {
  const params = { token: { name: 'Ada', sub: 'u1' }, secret, salt: sessionCookie }
  const [ourCookies, theirCookies] = [
    asCookies(await encode(params)),
    asCookies(await peerEncode(params)),
  ]
  const above: { ours: number; peer: number }[] = []
  for (let round = 0; round < rounds; round++) {
    const bare = child('bare')
    const ours = child('latchkey', ourCookies) - bare
    above.push({ ours, peer: child('auth-core', theirCookies) - bare })
  }
  return {
    name: 'cold start, above a bare `Response`',
    ours: spread(above.map(({ ours }) => ours)),
    peer: spread(above.map(({ peer }) => peer)),
    timesAsFast: spread(above.map(({ ours, peer }) => peer / ours)),
    ask: 10,
  }
}

/** Microseconds that the program says it took. */
function child(name: string, cookies = ''): number {
  const file = fileURLToPath(new URL(`cold/${name}.js`, import.meta.url))
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, cookies, secret], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  return Number(stdout) * 1000
}
