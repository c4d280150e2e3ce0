import type { Plugin } from '../../../src/plugin.ts'
import type { Host, PluginParts } from '../../../src/plugin-kit.ts'
import { sessions } from '../../../src/plugins/sessions/index.ts'
import { compact } from '../../../src/plugins/sessions/revocations/compaction.ts'
import type { SessionFacts } from '../../../src/session/facts.ts'
import type { Proof } from '../../../src/session/strategy.ts'
import type { Verdict } from '../../../src/session/watch.ts'
import { createRecords } from '../../../src/store/records.ts'
import type { BreakingStore, Caller } from './store.ts'

export const BOUND = 1000
export const DAY = 24 * 60 * 60 * 1000
/** For how long a cookie is good, milliseconds. */
export const MAX_AGE = 3 * DAY

/** A session cookie that somebody has. */
export interface Token {
  readonly sid: string
  readonly userId: string
  readonly claims: Readonly<Record<string, unknown>>
  /** Milliseconds since the epoch. */
  readonly exp: number
  /** Which password it was begun with. */
  readonly password: number
  /** When the sign-in began, and when it was answered; true time. */
  readonly asked: number
  readonly issued: number
}

/** The time that nobody knows, and what the clocks of machines make of it. */
export interface TrueTime {
  now: number
}

export interface MachineSettings {
  readonly stale: 'read' | 'refuse'
  readonly maxEntries: number
}

/** A machine, on which processes of the real code are started and killed. */
export class Machine {
  /** Milliseconds by which its wall clock is ahead. */
  offset = 0
  /** Milliseconds for which its monotonic clock stood. */
  stopped = 0
  paused: { readonly at: number; readonly stopsClock: boolean } | undefined
  process: Process | undefined

  readonly name: string
  readonly time: TrueTime
  readonly store: BreakingStore
  readonly settings: MachineSettings

  constructor(name: string, time: TrueTime, store: BreakingStore, settings: MachineSettings) {
    this.name = name
    this.time = time
    this.store = store
    this.settings = settings
  }

  wall(): number {
    return this.time.now + this.offset
  }

  monotonic(): number {
    const now = this.paused?.stopsClock ? this.paused.at : this.time.now
    return now - this.stopped
  }

  start(): void {
    this.process = new Process(this)
  }

  kill(): void {
    this.process = undefined
    this.paused = undefined
  }

  resume(): void {
    if (this.paused?.stopsClock) this.stopped += this.time.now - this.paused.at
    this.paused = undefined
  }
}

let draws = 0

/** One run of the plugin on a machine: the real code, from the hooks that a session strategy calls down to the records. */
export class Process implements Caller {
  readonly #parts: PluginParts
  readonly #host: Host

  readonly machine: Machine

  constructor(machine: Machine) {
    this.machine = machine
    const { store, settings } = machine
    const ports = {
      fetch,
      console,
      now: () => this.now(),
      monotonic: () => machine.monotonic(),
      random: (length: number) => {
        const bytes = new Uint8Array(length)
        new DataView(bytes.buffer).setUint32(0, Math.imul(++draws, 0x9e3779b1))
        new DataView(bytes.buffer).setUint32(length - 4, draws)
        return bytes
      },
    }
    const shared = new Map<string, object>()
    const background = async (_: string, work: () => Promise<unknown>): Promise<void> => {
      await work().catch(() => undefined)
    }
    this.#host = {
      ports,
      logger: { error: () => {}, warn: () => {}, debug: () => {} },
      records: createRecords(store.abilitiesOf(this), ports),
      store: undefined,
      strategy: () => 'jwt',
      longestSession: () => MAX_AGE / 1000,
      background,
      tell: async () => {},
      shared: (make: () => object) => {
        const made = shared.get('') ?? make()
        shared.set('', made)
        return made
      },
    } as unknown as Host
    const options = {
      revocations: { bound: BOUND, ...settings },
      absoluteMaxAge: false,
      touch: 0,
      device: false,
    } as const
    this.#parts = (sessions(options) as Plugin).setUp(this.#host)
  }

  get name(): string {
    return this.machine.name
  }

  get listens(): boolean {
    return this.machine.process === this && !this.machine.paused
  }

  get #hooks(): Required<NonNullable<PluginParts['session']>> {
    return this.#parts.session as Required<NonNullable<PluginParts['session']>>
  }

  now(): number {
    return this.machine.wall()
  }

  factsOf({ sid, userId, claims, exp }: Token): SessionFacts {
    return {
      key: sid,
      sid: () => sid,
      strategy: 'jwt',
      userId,
      expires: exp,
      known: () => claims,
    }
  }

  /** As a strategy reads a session. @throws when it cannot be read. */
  async judge(token: Token): Promise<Verdict> {
    const facts = this.factsOf(token)
    const how = { now: this.now(), readOnly: true }
    const verdict = await this.#hooks.onRead(facts, how)
    return verdict === 'unsure' ? this.#hooks.confirm(facts, how) : verdict
  }

  /** @returns the cookie that is written, if one is. */
  async extend(token: Token): Promise<Token | undefined> {
    const exp = this.now() + MAX_AGE
    const verdict = await this.#hooks.onExtend(this.factsOf(token), exp)
    if (verdict === 'later' || verdict === 'ended') return undefined
    const more = verdict === 'extend' ? {} : verdict
    return { ...token, claims: { ...token.claims, sid: token.sid, ...more }, exp }
  }

  async end(token: Token): Promise<void> {
    await this.#hooks.onEnd(this.factsOf(token), 'application')
  }

  async endAll(userId: string, except: string | undefined): Promise<void> {
    const how = { reason: 'application', ...(except !== undefined && { except }) } as const
    await this.#parts.sessionControl?.endAll(userId, how)
  }

  async changePassword(userId: string): Promise<number> {
    const { records } = this.#host
    for (;;) {
      const record = await records.get('password', userId)
      if (!record) throw new Error('nobody has this password')
      const version = Number(record.data['version']) + 1
      if (await records.replace(record, { data: { version } })) return version
    }
  }

  /** @param password the version that somebody typed. @returns the cookie; `undefined` where it is refused. */
  async signIn(userId: string, password: number): Promise<Token | undefined> {
    const asked = this.machine.time.now
    const before = { sessions: await this.#hooks.beforeProof(userId) }
    const record = await this.#host.records.get('password', userId)
    if (record?.data['version'] !== password) return undefined
    const [sid, exp] = [`s${String(++draws).padStart(21, 'A')}`, this.now() + MAX_AGE]
    const token: Token = { sid, userId, claims: { sid }, exp, password, asked, issued: asked }
    const facts = this.factsOf(token)
    const proof = {
      user: { id: userId },
      account: { provider: 'credentials' },
      authTime: Math.floor(this.now() / 1000),
      amr: ['pwd'],
      kept: {},
      before,
      since: asked,
    } as unknown as Proof
    try {
      const claims = await this.#hooks.beforeIssue(facts, proof)
      await this.#hooks.afterIssue(facts, proof)
      return { ...token, claims: { sid, ...claims }, issued: this.machine.time.now }
    } catch {
      // As the strategy does, whatever comes of it.
      await Promise.allSettled([this.#hooks.onEnd(facts, 'failed')])
      return undefined
    }
  }

  /** Ends a session of somebody else, so that there is something in the log. */
  async endOther(): Promise<void> {
    const sid = `o${String(++draws).padStart(21, 'A')}`
    const claims = { sid, epo: 0 }
    const exp = this.now() + MAX_AGE
    await this.end({ sid, userId: 'w', claims, exp, password: 1, asked: 0, issued: 0 })
  }

  compact(): Promise<void> {
    return compact(this.#host, { isOver: () => false }, { least: 2, part: 2 })
  }
}
