import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { encode as peerEncode } from '@auth/core/jwt'
import { encode } from 'latchkey/jwt'
import { asCookies, secret, sessionCookie } from './contenders.ts'
import { type Row, spread } from './measure.ts'

/** Import to first answer in a process of its own, above what a bare `Response` costs there. */
export async function coldStart(rounds: number): Promise<Row[]> {
  const params = { token: { name: 'Ada', sub: 'u1' }, secret, salt: sessionCookie }
  const [ourCookies, theirCookies] = [
    asCookies(await encode(params)),
    asCookies(await peerEncode(params)),
  ]
  const above: { ours: number; hand: number; peer: number }[] = []
  for (let round = 0; round < rounds; round++) {
    const bare = child('bare')
    above.push({
      ours: child('latchkey', ourCookies) - bare,
      hand: child('by-hand', ourCookies) - bare,
      peer: child('auth-core', theirCookies) - bare,
    })
  }
  const row = (name: string, who: 'ours' | 'hand'): Row => ({
    name,
    ours: spread(above.map((times) => times[who])),
    peer: spread(above.map(({ peer }) => peer)),
    timesAsFast: spread(above.map((times) => times.peer / times[who])),
  })
  return [
    { ...row('cold start, above a bare `Response`', 'ours'), ask: 10 },
    row('by hand: cold start', 'hand'),
  ]
}

/** What three plugins add to the same start without any. */
export async function pluginsColdStart(rounds: number): Promise<Row> {
  const claims = { name: 'Ada', sub: 'u1', sid: 'AAAAAAAAAAAAAAAAAAAAAA' }
  const cookies = asCookies(await encode({ token: claims, secret, salt: sessionCookie }))
  const more: number[] = []
  for (let round = 0; round < rounds; round++) {
    const without = child('plugins', cookies)
    more.push(child('plugins', cookies, 'plugins') - without)
  }
  return { name: 'cold start: what three plugins add', ours: spread(more), atMost: 1500 }
}

/** Microseconds that the program says it took. */
function child(name: string, cookies = '', asked = ''): number {
  const file = fileURLToPath(new URL(`cold/${name}.js`, import.meta.url))
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, cookies, secret, asked], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  return Number(stdout) * 1000
}
