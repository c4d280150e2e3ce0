import { vi } from 'vitest'
import { sessionName } from '../../../src/session/facts.ts'
import { Edge, type Exchange, type Fate, givePlatformTo } from './edge.ts'
import { BOUND, DAY, MAX_AGE, Machine, type Process, type Token } from './machine.ts'
import { type Access, BreakingStore } from './store.ts'

const MINUTE = 60_000
/** Where true time begins. */
const BEGIN = 20_000 * DAY
/** Waits of reads, and what a read may take before it is given up. */
const PATIENCE = 2000
const LONGEST_READ = 60_000
/** More than a record gets in a history. */
const VERSIONS_APART = 1000

/** What a schedule says beside its steps. */
export interface Setting {
  readonly profile: keyof typeof profiles
  /** By how much the wall clock of each machine is ahead, milliseconds. */
  readonly offsets: readonly number[]
  /** Bits: does the wall clock of the machine jump? Else its monotonic clock may stop while it is paused. */
  readonly kinds: number
  readonly stale: 'read' | 'refuse'
  /** The same, of the verifier. */
  readonly edgeStale: 'read' | 'refuse'
  readonly maxEntries: number
  /** What happens: an action, and numbers that it draws from. */
  readonly plan: readonly (readonly [action: number, draws: number])[]
}

/** What the schedules showed, over all histories. */
export interface Seen {
  histories: number
  accepted: number
  ended: number
  unreadable: number
  extended: number
  signedIn: number
  /** Of those that were accepted and ended, how many by the verifier. */
  acceptedAtEdge: number
  endedAtEdge: number
}

class Violation extends Error {
  override readonly name = 'Violation'
}

/** Something was ended: what, and when it was asked for and answered; true time. */
interface Revocation {
  readonly what: string
  readonly process: Process
  readonly sid?: string
  readonly userId?: string
  readonly except?: string | undefined
  readonly asked: number
  /** From this version on the password is another one. */
  password?: number
  done: number | undefined
  /** Until when it may still have effects. */
  until: number
  isVoid: boolean
  /** A backup was restored during the call: the record of the session that it keeps, or its new epoch, may be lost. */
  isTorn: boolean
}

const actions = [
  'step', 'drain', 'drainOne', 'time', 'read', 'end', 'endAll', 'password', 'signIn', 'other',
  'compact', 'clean', 'fail', 'kill', 'pause', 'jump', 'restore', 'edge', 'net', 'edgeFault',
] as const // biome-ignore format: a table

type Action = (typeof actions)[number]

/** Which actions are drawn, the more often the more often they are listed. */
export const profiles = {
  all: [...actions, 'step', 'step', 'step', 'drain', 'drain', 'read', 'read', 'time', 'time'],
  compaction: [
    'step', 'step', 'step', 'drain', 'drainOne', 'time', 'read', 'end', 'other', 'compact',
    'compact', 'kill', 'other',
  ],
  alive: ['step', 'step', 'step', 'drain', 'drainOne', 'time', 'read', 'read', 'end', 'endAll'],
  // Short ones, of few actions: what takes many steps to meet by chance.
  ends: ['step', 'step', 'drainOne', 'read', 'end', 'end', 'kill', 'fail', 'drain', 'time'],
  spare: ['step', 'step', 'drain', 'drainOne', 'time', 'endAll', 'endAll', 'read'],
  skew: [
    'drain', 'drain', 'time', 'time', 'read', 'endAll', 'end', 'other', 'compact', 'kill',
    'clean', 'signIn', 'password', 'jump', 'pause',
  ],
  race: [
    'step', 'step', 'step', 'step', 'drain', 'drainOne', 'signIn', 'password', 'endAll', 'read',
    'time',
  ],
  edge: [
    'edge', 'edge', 'edge', 'edge', 'net', 'net', 'net', 'drain', 'drain', 'step', 'step', 'time',
    'time', 'end', 'endAll', 'read', 'other', 'edgeFault', 'compact', 'kill', 'restore',
  ],
  restore: ['step', 'drain', 'drain', 'time', 'other', 'end', 'kill', 'restore', 'read', 'fail'],
} as const satisfies Record<string, readonly Action[]> // biome-ignore format: a table

const TIMES = [
  1, 50, 300, 501, 999, 1001, 1001, 2500, 11_000, 5 * MINUTE + 1, 11 * MINUTE, 61 * MINUTE,
  DAY / 2, DAY + MINUTE, MAX_AGE - DAY, 2 * DAY,
] // biome-ignore format: a table

/**
 * Runs a schedule against the real code, then lets all faults stop, and looks at every cookie once more.
 *
 * @throws {Violation} when somebody is let in later than the bound after their session was ended, or is told that they
 *   are signed out though nothing ended it, or cannot be read for good.
 */
export async function runHistory(setting: Setting, seen: Seen, trace?: string[]): Promise<void> {
  const history = new History(setting, seen, trace)
  try {
    await history.run()
  } finally {
    vi.clearAllTimers()
    // Spies keep all calls, which would fill the memory in a long run.
    vi.clearAllMocks()
  }
}

class History {
  readonly #time = { now: BEGIN }
  readonly #store = new BreakingStore()
  readonly #machines: readonly Machine[]
  readonly #edge: Edge
  readonly #revocations: Revocation[] = []
  #tokens: Token[] = []
  #backup: { readonly at: number; readonly records: BreakingStore['records'] } | undefined
  #restoredAt = Number.NEGATIVE_INFINITY
  #fault: Error | undefined

  readonly setting: Setting
  readonly seen: Seen
  readonly trace: string[] | undefined

  constructor(setting: Setting, seen: Seen, trace: string[] | undefined) {
    this.setting = setting
    this.seen = seen
    this.trace = trace
    this.#machines = ['A', 'B', 'C'].map((name, index) => {
      const machine = new Machine(name, this.#time, this.#store, setting)
      machine.offset = setting.offsets[index] ?? 0
      machine.start()
      return machine
    })
    this.#edge = new Edge(this.#time, setting.edgeStale)
    this.#edge.offset = setting.offsets[3] ?? 0
    givePlatformTo(this.#edge)
    this.#store.put({ kind: 'password', key: 'u', data: { version: 1 } }, BEGIN)
    for (const [sid, userId] of [
      ['u1', 'u'],
      ['u2', 'u'],
      ['v1', 'v'],
    ] as const)
      this.#begun(sid, userId)
    // One from before the plugin.
    this.#tokens.push(token('h', 'u', {}, BEGIN))
  }

  #begun(name: string, userId: string): void {
    const made = token(name, userId, { epo: 0 }, BEGIN)
    const data = { begun: BEGIN, seen: BEGIN, until: made.exp, epo: 0 }
    const expires = new Date(made.exp + DAY)
    this.#store.put({ kind: 'session', key: made.sid, userId, data, expires }, BEGIN)
    this.#tokens.push({ ...made, claims: { sid: made.sid, epo: 0 } })
  }

  #say(text: string): void {
    this.trace?.push(`${((this.#time.now - BEGIN) / 1000).toFixed(3)} s  ${text}`)
  }

  async run(): Promise<void> {
    const drawn = profiles[this.setting.profile]
    for (const [action, draws] of this.setting.plan) {
      const dice = diceOf(draws)
      await this.#act(drawn[action % drawn.length] as Action, dice)
      if (this.#fault) throw this.#fault
    }
    await this.#settle()
    this.seen.histories++
  }

  #up(): Process[] {
    return this.#machines.flatMap(({ process, paused }) => (process && !paused ? [process] : []))
  }

  async #act(action: Action, pick: (many: number) => number): Promise<void> {
    const up = this.#up()
    const process = up[pick(Math.max(1, up.length))]
    const cookie = this.#tokens[pick(this.#tokens.length)]
    switch (action) {
      case 'step': {
        const movable = this.#store.pending.filter((access) => this.#store.canMove(access))
        const access = movable[pick(Math.max(1, movable.length))]
        if (access) await this.#step(access, pick(1000))
        return
      }
      case 'drain':
        return this.#drain()
      case 'drainOne':
        return this.#drain(process)
      case 'time':
        return this.#pass(TIMES[pick(2) ? pick(8) : pick(TIMES.length)] ?? 0)
      case 'read':
        if (process && cookie) this.#read(process, cookie, pick(2) === 1)
        break
      case 'end':
        if (process && cookie) {
          this.#revoke(process, { what: `end ${cookie.sid}`, sid: cookie.sid }, () =>
            process.end(cookie),
          )
        }
        break
      case 'endAll':
      case 'password': {
        const own = this.#tokens.filter(({ userId, claims }) => userId === 'u' && claims['sid'])
        const except = pick(2) ? own[pick(Math.max(1, own.length))]?.sid : undefined
        const what = `${action} u${except === undefined ? '' : ` but ${except}`}`
        if (!process) break
        this.#revoke(process, { what, userId: 'u', except }, async (revocation) => {
          if (action === 'password') revocation.password = await process.changePassword('u')
          await process.endAll('u', except)
        })
        break
      }
      case 'signIn':
        if (process) this.#signIn(process)
        break
      case 'other': {
        if (!process) break
        for (let many = 0; many < 3; many++) {
          this.#begin('another end', process.endOther())
          await this.#drain(process)
        }
        break
      }
      case 'compact':
        if (pick(2)) await this.#pass(11 * MINUTE)
        if (process) this.#begin(`${process.name} compacts`, process.compact())
        if (pick(2)) await this.#drain(process)
        break
      case 'clean':
        if (process) this.#store.clean(process.now())
        break
      case 'fail': {
        const failing = this.#store.pending.filter(
          ({ isOrphan, caller }) => !isOrphan && caller.listens,
        )
        const access = failing[pick(Math.max(1, failing.length))]
        if (access) this.#fail(access, pick(2) === 1)
        break
      }
      case 'kill': {
        const machine = this.#machines[pick(3)]
        if (machine?.process) this.#kill(machine, pick)
        else machine?.start()
        break
      }
      case 'pause': {
        const index = pick(3)
        const machine = this.#machines[index]
        if (!machine?.process) break
        if (machine.paused) machine.resume()
        else {
          const jumps = (this.setting.kinds >> index) & 1
          machine.paused = { at: this.#time.now, stopsClock: !jumps && pick(2) === 1 }
        }
        this.#say(`${machine.name} is ${machine.paused ? 'paused' : 'there again'}`)
        break
      }
      case 'jump': {
        const index = pick(3)
        const machine = this.#machines[index]
        if (machine && (this.setting.kinds >> index) & 1) {
          machine.offset = [0, DAY, DAY / 2, 1000, 20 * MINUTE][pick(5)] ?? 0
          this.#say(`the wall clock of ${machine.name} is ${machine.offset / 1000} s ahead`)
        }
        break
      }
      case 'restore':
        this.#restore()
        break
      case 'edge':
        if (cookie && !this.#edge.paused) this.#readAtEdge(cookie)
        break
      case 'net': {
        const movable = this.#edge.pending.filter((each) => this.#edge.canMove(each))
        const exchange = movable[pick(Math.max(1, movable.length))]
        const fates: readonly Fate[] = [
          'deliver',
          'deliver',
          'deliver',
          'deliver',
          'lose',
          'replay',
        ]
        if (exchange) this.#move(exchange, fates[pick(fates.length)] ?? 'deliver', process)
        break
      }
      case 'edgeFault':
        this.#faultAtEdge(pick)
        break
    }
    await quiet()
  }

  async #step(access: Access, bits: number): Promise<void> {
    const { name } = access.operation
    this.#store.step(access, bits)
    if (access.state === 'done' && this.trace && this.#store.pending.includes(access)) {
      const { operation, caller, result } = access
      const at =
        'key' in operation
          ? operation.key
          : 'record' in operation
            ? operation.record
            : operation.query
      this.#say(
        `${caller.name} ${name} ${at.kind}/${'key' in at ? at.key : ''} ${'record' in operation ? JSON.stringify(operation.record.data) : ''} -> ${JSON.stringify((result as { data?: unknown } | null)?.data ?? result)}`,
      )
    }
    await quiet()
  }

  /** Moves the calls of one process, or of all and of the verifier, until none is left. */
  async #drain(only?: Process, most = 600): Promise<void> {
    for (let steps = 0; steps < most; steps++) {
      const access = this.#store.pending.find(
        (each) => this.#store.canMove(each) && (!only || each.caller === only),
      )
      const exchange = only
        ? undefined
        : this.#edge.pending.find((each) => this.#edge.canMove(each))
      if (access) await this.#step(access, steps * 7919)
      else if (exchange) {
        const up = this.#up()
        this.#move(exchange, 'deliver', up[steps % Math.max(1, up.length)])
        await quiet()
      } else return
    }
  }

  #move(exchange: Exchange, fate: Fate, process: Process | undefined): void {
    const { url, state } = exchange
    this.#say(`E ${url.slice(30, 60)} (${state}) ${fate} ${process?.name ?? 'to nobody'}`)
    this.#edge.step(exchange, process, fate)
  }

  #faultAtEdge(pick: (many: number) => number): void {
    const edge = this.#edge
    const jumps = (this.setting.kinds >> 3) & 1
    const fault = pick(3)
    if (edge.paused) edge.resume()
    else if (fault === 0) edge.start()
    else if (fault === 1) edge.paused = { at: this.#time.now, stopsClock: !jumps && pick(2) === 1 }
    else if (jumps) edge.offset = [0, DAY, DAY / 2, 1000, 20 * MINUTE][pick(5)] ?? 0
    this.#say(`E fault ${fault}: ${edge.paused ? 'paused' : `${edge.offset / 1000} s ahead`}`)
  }

  async #pass(milliseconds: number): Promise<void> {
    this.#time.now += milliseconds
    this.#say(`… ${milliseconds} ms pass`)
    vi.advanceTimersByTime(milliseconds)
    await quiet()
  }

  #begin(what: string, work: Promise<unknown>): void {
    this.#say(what)
    work.catch((error: unknown) => {
      if (error instanceof Violation) this.#fault = error
      else this.#say(`${what}: fails (${error instanceof Error ? error.message : String(error)})`)
    })
  }

  #fail(access: Access, isDoneLater: boolean): void {
    this.#say(`${access.caller.name}: ${access.operation.name} fails`)
    if (isDoneLater && access.state === 'sent' && access.operation.name !== 'list') {
      this.#store.pending.push({ ...access, isOrphan: true })
      for (const revocation of this.#revocations) {
        if (revocation.process === access.caller && revocation.done === undefined)
          revocation.until = Infinity
      }
    }
    this.#store.fail(access)
  }

  #kill(machine: Machine, pick: (many: number) => number): void {
    const { process } = machine
    this.#say(`${machine.name} is killed`)
    for (const access of this.#store.pending.slice()) {
      if (access.caller !== process || access.isOrphan) continue
      const fate = pick(3)
      if (fate === 0) this.#store.drop(access)
      else this.#store.orphan(access)
      if (fate === 1 && access.isOrphan) this.#store.step(access, 0)
    }
    machine.kill()
    if (process) this.#edge.lose(process)
  }

  #restore(): void {
    if (!this.#backup) {
      this.#say('BACKUP')
      this.#backup = { at: this.#time.now, records: new Map(this.#store.records) }
      return
    }
    this.#say('RESTORE')
    const { at, records } = this.#backup
    this.#backup = undefined
    // A replacement compares versions. A process that read a record before the restore could overwrite another record
    // with the same version; the documentation says to stop all processes first.
    this.#store.records = new Map(
      [...records].map(([name, record]) => [
        name,
        { ...record, version: record.version + VERSIONS_APART },
      ]),
    )
    // What the backup does not know is not promised anything.
    this.#tokens = this.#tokens.filter(({ issued, sid, exp, claims }) => {
      const record = this.#store.peek('session', sid)
      const { until = 0, epo = 0 } = record?.data ?? {}
      const isKnown = record
        ? Number(until) >= exp && Number(epo) >= Number(claims['epo'] ?? 0)
        : claims['epo'] === undefined
      return issued <= at && isKnown
    })
    for (const revocation of this.#revocations) {
      revocation.isVoid = true
      revocation.isTorn ||= revocation.done === undefined
    }
    this.#restoredAt = this.#time.now
    if (this.#tokens.length === 0) this.#tokens.push(token('g', 'v', {}, this.#time.now))
  }

  #revoke(
    process: Process,
    what: Pick<Revocation, 'what' | 'sid' | 'userId' | 'except'>,
    work: (revocation: Revocation) => Promise<void>,
  ): void {
    const revocation: Revocation = {
      ...what,
      process,
      asked: this.#time.now,
      done: undefined,
      until: Infinity,
      isVoid: false,
      isTorn: false,
    }
    this.#revocations.push(revocation)
    const done = work(revocation).then(() => {
      revocation.done = this.#time.now
      this.#say(`${process.name} ANSWERED ${what.what}`)
    })
    this.#begin(`${process.name} ${what.what}`, done)
  }

  #signIn(process: Process): void {
    const password = Number(this.#store.peek('password', 'u')?.data['version'])
    const asked = this.#time.now
    const signedIn = process.signIn('u', password).then((made) => {
      if (!made || asked <= this.#restoredAt) return
      this.seen.signedIn++
      this.#tokens.push(made)
      this.#say(`${process.name} signs ${made.sid} in`)
    })
    this.#begin(`${process.name} sign-in`, signedIn)
  }

  #read(process: Process, cookie: Token, extends_: boolean): void {
    const began = this.#time.now
    if (process.now() > cookie.exp) return
    const read = process.judge(cookie).then(
      async (verdict) => {
        this.#decided(process, cookie, { verdict, began })
        if (verdict !== 'good' || !extends_) return
        const written = await process.extend(cookie)
        if (!written || began <= this.#restoredAt) return
        this.seen.extended++
        this.#tokens.push(written)
      },
      (error: Error) => {
        this.seen.unreadable++
        this.#say(`${process.name} READ ${cookie.sid}: unreadable (${error.message})`)
      },
    )
    this.#begin(`${process.name} reads ${cookie.sid}`, read)
  }

  #readAtEdge(cookie: Token): void {
    const began = this.#time.now
    if (this.#edge.now() > cookie.exp) return
    const read = this.#edge.judge(cookie).then(
      (verdict) => {
        this.#decided(this.#edge, cookie, { verdict, began })
        if (verdict === 'good') this.seen.acceptedAtEdge++
        else this.seen.endedAtEdge++
      },
      (error: Error) => {
        this.seen.unreadable++
        this.#say(`E READ ${cookie.sid}: unreadable (${error.message})`)
      },
    )
    this.#begin(`E reads ${cookie.sid}`, read)
  }

  #decided(
    process: Pick<Process, 'name' | 'now'>,
    { sid, userId, exp, issued, asked, password }: Token,
    { verdict, began }: { readonly verdict: string; readonly began: number },
  ): void {
    const now = this.#time.now
    this.#say(`${process.name} READ ${sid}: ${verdict}`)
    const isCovered = (each: Revocation): boolean =>
      each.sid === sid || (each.userId === userId && each.except !== sid)
    if (verdict !== 'good') {
      this.seen.ended++
      const could = this.#revocations.some(
        (each) =>
          (isCovered(each) || (each.isTorn && each.userId === userId)) && each.until >= asked,
      )
      if (!could && began > this.#restoredAt) {
        throw new Violation(`REV-1: ${process.name} tells ${sid} that it is over; nothing ended it`)
      }
      return
    }
    this.seen.accepted++
    if (process.now() > exp && process.now() <= exp + LONGEST_READ + PATIENCE) return
    for (const each of this.#revocations) {
      if (each.done === undefined || each.isVoid || now <= each.done + BOUND || !isCovered(each))
        continue
      const late = `${now - each.done} ms after ${each.what} was answered`
      if (each.sid === sid || issued < each.asked) {
        throw new Violation(`REV-1: ${process.name} lets ${sid} in ${late}`)
      }
      if (each.password !== undefined && password < each.password) {
        throw new Violation(
          `T-ST-3: ${process.name} lets ${sid}, with the old password, in ${late}`,
        )
      }
    }
  }

  /** Faults stop: everybody gets a fresh snapshot, and judges every cookie rightly. */
  async #settle(): Promise<void> {
    this.#say('--- faults stop')
    for (const machine of this.#machines) {
      machine.resume()
      if (!machine.process) machine.start()
    }
    this.#edge.resume()
    await this.#drain(undefined, 5000)
    if (this.#store.pending.some((access) => this.#store.canMove(access))) {
      throw new Violation('the calls of the store never end')
    }
    for (let round = 0; round < 2; round++) {
      await this.#pass(BOUND + 1)
      await this.#drain(undefined, 5000)
      for (const cookie of this.#tokens.slice()) {
        for (const { process } of this.#machines) {
          if (process) {
            await this.#readsAtLast(process, cookie, () => this.#read(process, cookie, false))
          }
        }
        await this.#readsAtLast(this.#edge, cookie, () => this.#readAtEdge(cookie))
      }
    }
  }

  async #readsAtLast(
    process: Pick<Process, 'name' | 'now'>,
    cookie: Token,
    read: () => void,
  ): Promise<void> {
    if (process.now() > cookie.exp) return
    for (let tries = 0; tries < 3; tries++) {
      const { unreadable } = this.seen
      const decided = this.seen.accepted + this.seen.ended
      read()
      await quiet()
      await this.#drain(undefined, 5000)
      if (this.#fault) throw this.#fault
      if (this.seen.accepted + this.seen.ended > decided) return
      if (this.seen.unreadable === unreadable) throw new Violation(`${process.name} reads for ever`)
      // Who refuses what is stale reads again after the log was.
    }
    throw new Violation(`${process.name} cannot read ${cookie.sid} for good`)
  }
}

function token(name: string, userId: string, claims: Token['claims'], now: number): Token {
  const isNamed = Object.keys(claims).length > 0
  const sid = isNamed ? `${name}${'A'.repeat(22 - name.length)}` : String(sessionName(name))
  const exp = now + MAX_AGE
  return { sid, userId, claims, text: name, exp, password: 1, asked: now, issued: now }
}

/** Draws small numbers from a large one. */
function diceOf(draws: number): (many: number) => number {
  let left = draws
  return (many) => {
    const drawn = left % many
    left = Math.floor(left / many)
    return drawn
  }
}

/** Lets the code run until it waits for the store or for time. */
async function quiet(): Promise<void> {
  await new Promise(setImmediate)
}
