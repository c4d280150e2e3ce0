/**
 * How many sessions a server reads in a second, what it allocates for each, and how long one takes. See README.md.
 *
 *     npm run bench:http [-- --quick] [-- --only text] [-- --layers]
 *
 * Each contender is a server in a process of its own, all on one processor; the driver is this process, on another one.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { spread } from './measure.ts'

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    layers: { type: 'boolean', default: false },
  },
})

const CONNECTIONS = 64
const PEOPLE = 256
/** Milliseconds that one contender is asked in a round. */
const SLICE = values.quick ? 1000 : 5000
const ROUNDS = values.quick ? 3 : 9
const WARM_UP = values.quick ? 1000 : 5000

/** A row: its name, the two contenders that are compared, and what is asked of the ratio. */
type Compared = readonly [name: string, ours: string, other: string, asked?: number]

/** What the parts of the service cost that can be off. */
const LAYERS: readonly Compared[] = [
  ['service, beside itself without its log', 'service', 'service without log'],
  ['service, beside itself without the list of sessions', 'service', 'service without sessions'],
  ['service, beside itself without plugins', 'service', 'service without plugins'],
]

/** Answers in a second, at least. */
const RATES: readonly Compared[] = [
  ['library, beside `@auth/core`', 'direct', 'peer', 8],
  ['library, beside bare `node:http`', 'direct', 'bare', 0.4],
  ['library, beside `direct: false`', 'direct', 'web', 1.4],
  ['service, beside bare `node:http`', 'service', 'bare', 0.35],
  ['service, beside the library', 'service', 'direct'],
]

/** Bytes of the heap for each answer, at most. */
const ALLOCATIONS: readonly Compared[] = [['library, beside `direct: false`', 'direct', 'web', 0.6]]

/** The 99th percentile at the same number of requests, at most. */
const LATENCIES: readonly Compared[] = [
  ['library, beside `@auth/core`', 'direct', 'peer', 1],
  ['service, beside `@auth/core`', 'service', 'peer', 1],
]

const TASKSET = '/usr/bin/taskset'

/** The number of the processor that the servers run on. Set in the driver only. */
const SERVERS = process.env['BENCH_SERVERS']

if (SERVERS !== undefined) await main()
else process.exitCode = pinned()

/** Runs this file again on one processor; the servers are on another. */
function pinned(): number {
  const build = fileURLToPath(new URL('../tools/build.ts', import.meta.url))
  if (spawnSync(process.execPath, [build], { stdio: 'inherit' }).status !== 0) return 1
  // Asked for here: once it is pinned, the driver sees one processor.
  const last = availableParallelism() - 1
  if (last === 0) console.log('The driver and the servers share the only processor.')
  const [command = '', ...args] = [
    ...onProcessor(0),
    process.execPath,
    fileURLToPath(import.meta.url),
    ...process.argv.slice(2),
  ]
  const env = { ...process.env, BENCH_SERVERS: String(last), NODE_ENV: 'production' }
  return spawnSync(command, args, { stdio: 'inherit', env }).status ?? 1
}

function onProcessor(index: number): string[] {
  return existsSync(TASKSET) ? [TASKSET, '--cpu-list', String(index)] : []
}

/** A server that is running, and what it is asked. */
interface Contender {
  readonly name: string
  readonly process: ChildProcess
  readonly port: number
  /** Requests as they go over the wire, each of another person. */
  readonly requests: Buffer[]
  readonly isRight: (answer: string, person: number) => boolean
}

async function main(): Promise<void> {
  const tables = values.layers ? [LAYERS, [], []] : [RATES, ALLOCATIONS, LATENCIES]
  const [rates, allocations, latencies] = tables.map((rows) =>
    rows.filter(([name]) => name.includes(values.only)),
  ) as [Compared[], Compared[], Compared[]]
  const named = [...rates, ...allocations, ...latencies].flatMap(([, ours, other]) => [ours, other])
  const contenders = await Promise.all([...new Set(named)].map(start))
  try {
    for (const contender of contenders) await verify(contender)
    for (const contender of contenders) await ask(contender, WARM_UP)
    const answered = await inTurns(contenders, askAndCount)
    const rateOf = (name: string): number[] => answered(name).map(({ rate }) => rate)
    print('requests a second', rates, rateOf, '≥')
    const timeOf = (name: string): number[] => answered(name).map((each) => each.microseconds)
    const times = rates.map(([name, ours, other]): Compared => [name, ours, other])
    print('microseconds of the processor for each', times, timeOf, '≤')
    const bytesOf = (name: string): number[] => answered(name).map(({ bytes }) => bytes)
    print('bytes allocated for each', allocations, bytesOf, '≤')
    const slowest = Math.min(...contenders.map(({ name }) => spread(rateOf(name)).median))
    const rate = Math.round(slowest / 2)
    const asked = contenders.filter(({ name }) => latencies.some((row) => row.includes(name)))
    const latenciesOf = await inTurns(asked, (each) => latency(each, rate, SLICE))
    print(`99th percentile in ms, at ${rate} requests a second`, latencies, latenciesOf, '≤')
  } finally {
    for (const contender of contenders) contender.process.kill()
  }
}

/** Measures each contender once in each round. @returns the results of a contender. */
async function inTurns<Result>(
  contenders: readonly Contender[],
  measure: (contender: Contender) => Promise<Result>,
): Promise<(name: string) => Result[]> {
  const results = new Map<string, Result[]>(contenders.map(({ name }) => [name, []]))
  for (let round = 0; round < ROUNDS; round++) {
    // Each round begins with another contender.
    for (let turn = 0; turn < contenders.length; turn++) {
      const contender = contenders[(round + turn) % contenders.length] as Contender
      results.get(contender.name)?.push(await measure(contender))
    }
  }
  return (name) => results.get(name) ?? []
}

/** @param relation of the ratio to what is asked of it. */
function print(
  what: string,
  rows: readonly Compared[],
  resultsOf: (name: string) => number[],
  relation: '≥' | '≤',
): void {
  if (rows.length === 0) return
  console.log(`\n| case | ours, ${what} | other | ratio | asked |`)
  console.log('| --- | ---: | ---: | ---: | ---: |')
  for (const [name, ours, other, asked] of rows) {
    const [a, b] = [resultsOf(ours), resultsOf(other)]
    const { median, low, high } = spread(a.map((each, round) => each / (b[round] ?? Number.NaN)))
    const ratio = `**${median.toPrecision(3)}** (${low.toPrecision(3)} to ${high.toPrecision(3)})`
    const [result, otherResult] = [a, b].map((each) => rounded(spread(each).median))
    const isMet = relation === '≥' ? median >= Number(asked) : median <= Number(asked)
    const verdict =
      asked === undefined ? '–' : `${relation} ${asked}, ${isMet ? 'met' : '**missed**'}`
    console.log(`| ${name} | ${result} | ${otherResult} | ${ratio} | ${verdict} |`)
  }
}

function rounded(value: number): string {
  return value < 100 ? value.toPrecision(3) : String(Math.round(value))
}

/** What a server says when it listens: its port, the cookie of each person, and the path of the session. */
interface Listening {
  readonly port: number
  readonly cookies: readonly string[]
}

async function start(name: string): Promise<Contender> {
  const server = fileURLToPath(new URL('http-server.ts', import.meta.url))
  const [command, ...args] = [
    ...onProcessor(Number(SERVERS)),
    process.execPath,
    server,
    name,
    String(PEOPLE),
  ]
  const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const failed = once(child, 'exit').then(() => {
    throw new Error(`${name} did not start`)
  })
  const [listening] = (await Promise.race([once(child, 'message'), failed])) as [Listening]
  failed.catch(() => {})
  const { port, cookies } = listening
  const head = `GET /auth/session HTTP/1.1\r\nHost: localhost:${port}\r\nAccept: application/json\r\nUser-Agent: bench\r\n`
  return {
    name,
    process: child,
    port,
    requests: cookies.map((cookie) => Buffer.from(`${head}Cookie: ${cookie}\r\n\r\n`)),
    isRight: (answer, person) =>
      answer.startsWith('HTTP/1.1 200 ') &&
      answer.includes(`"email":"person${person}@example.com"`),
  }
}

/**
 * Asks for each person, and looks whose session comes back. A cookie that comes with it takes the place of the one that
 * was sent, as in a browser: the service writes sessions anew that it did not begin itself.
 */
async function verify({ name, port, requests, isRight }: Contender): Promise<void> {
  const [socket] = await connections(port, 1)
  const answerTo = async (request: Buffer, person: number): Promise<string> => {
    socket?.write(request)
    const [piece] = (await once(socket as Socket, 'data')) as [Buffer]
    const answer = piece.toString()
    if (!isRight(answer, person)) throw new Error(`the answer of ${name} is wrong: ${answer}`)
    return answer
  }
  for (const [person, request] of requests.entries()) {
    const answer = await answerTo(request, person)
    const cookie = /^set-cookie: (authjs\.session-token=[^;]+)/im.exec(answer)?.[1]
    if (cookie === undefined || name === 'peer') continue
    const head = request.toString().replace(/^Cookie: .*\r$/m, `Cookie: ${cookie}\r`)
    requests[person] = Buffer.from(head)
    const again = await answerTo(requests[person], person)
    if (/^set-cookie:/im.test(again)) throw new Error(`${name} writes the session at each read`)
  }
  socket?.destroy()
}

function connections(port: number, count: number): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, async () => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    await once(socket, 'connect')
    return socket
  })
  return Promise.all(sockets)
}

/** What a server has used since it started. */
interface Used {
  /** Bytes that it has allocated on its heap. */
  readonly bytes: number
  /** Of the processor, in its own code and in that of the system. */
  readonly microseconds: number
}

/** What a contender did in one slice: answers in a second, and what it used for each. */
async function askAndCount(contender: Contender): Promise<Used & { readonly rate: number }> {
  const before = await used(contender)
  const { rate, answers } = await ask(contender, SLICE)
  const after = await used(contender)
  return {
    rate,
    bytes: (after.bytes - before.bytes) / answers,
    microseconds: (after.microseconds - before.microseconds) / answers,
  }
}

async function used({ process: child }: Contender): Promise<Used> {
  const answer = once(child, 'message') as Promise<[Used]>
  child.send('used')
  return (await answer)[0]
}

/** Asks on all connections for so many milliseconds. */
async function ask(
  { port, requests }: Contender,
  time: number,
): Promise<{ readonly rate: number; readonly answers: number }> {
  // New ones for each slice: the service ends a connection after 10,000 requests.
  const sockets = await connections(port, CONNECTIONS)
  let next = 0
  let answers = 0
  let goesOn = true
  const send = (socket: Socket): void => {
    socket.write(requests[next++ % requests.length] as Buffer)
  }
  const begun = performance.now()
  for (const socket of sockets) {
    socket.on('data', (piece: Buffer) => {
      // An answer in pieces ends with the piece in which the end of the JSON, or of its last chunk, is.
      if (!isEnd(piece)) return
      answers += 1
      if (goesOn) send(socket)
    })
    send(socket)
  }
  await pause(time)
  const rate = (answers * 1000) / (performance.now() - begun)
  goesOn = false
  await pause(100)
  for (const socket of sockets) socket.destroy()
  return { rate, answers }
}

/**
 * Asks so many times a second, at random moments, for `time` milliseconds.
 *
 * @returns the 99th percentile of the times from the moment at which a request was due to its answer, in milliseconds.
 */
async function latency({ port, requests }: Contender, rate: number, time: number): Promise<number> {
  const idle = await connections(port, CONNECTIONS)
  const sockets = [...idle]
  const due = new Map<Socket, number>()
  const times: number[] = []
  for (const socket of sockets) {
    socket.on('data', (piece: Buffer) => {
      if (!isEnd(piece)) return
      times.push(performance.now() - (due.get(socket) ?? Number.NaN))
      idle.push(socket)
    })
  }
  const begun = performance.now()
  const end = begun + time
  let at = begun
  let count = 0
  while (at < end || times.length < count) {
    const now = performance.now()
    if (now > end + 5000) throw new Error(`${count - times.length} requests were not answered`)
    while (at <= now && at < end) {
      const socket = idle.pop()
      if (!socket) break
      due.set(socket, at)
      socket.write(requests[count++ % requests.length] as Buffer)
      at -= Math.log(1 - Math.random()) * (1000 / rate)
    }
    // Not a timer, whose milliseconds would be part of the result: the driver has a processor to itself.
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
  }
  for (const socket of sockets) socket.destroy()
  return times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN
}

/** Does an answer end here: with the brace of its JSON, or with the last of its chunks? */
function isEnd(piece: Buffer): boolean {
  return piece.at(-1) === 0x7d || piece.subarray(-5).toString('latin1') === '0\r\n\r\n'
}
