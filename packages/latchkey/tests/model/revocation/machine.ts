import { primitives } from '#crypto'
import { KEY_SALT } from '../../../src/base/crypto/keyed-hash.ts'
import type { Call, Host, PluginParts } from '../../../src/entries/plugin.ts'
import type { Plugin } from '../../../src/plugin/plugin.ts'
import { sessions } from '../../../src/plugins/sessions/index.ts'
import type { Own } from '../../../src/plugins/sessions/own.ts'
import { compact } from '../../../src/plugins/sessions/revocations/compaction.ts'
import { check, snapshot } from '../../../src/plugins/sessions/routes/revocations.ts'
import type { SessionFacts } from '../../../src/session/facts.ts'
import { sessionRequest } from '../../../src/session/session-request.ts'
import type { Proof } from '../../../src/session/strategy.ts'
import type { Verdict } from '../../../src/session/watch.ts'
import { createRecords } from '../../../src/store/records.ts'
import type { BreakingStore, Caller } from './store.ts'

/** What both sides of a proof know. */
export const SECRET = 'the secret of the modelled site, 0123456789'

const NO_REQUEST = sessionRequest(new Headers(), undefined)

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
  /** The value of the cookie, as far as anybody looks at it. */
  readonly text: string
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

/** The two clocks of a machine, which may be paused. */
export class Clockwork {
  /** Milliseconds by which its wall clock is ahead. */
  offset = 0
  /** Milliseconds for which its monotonic clock stood. */
  stopped = 0
  paused: { readonly at: number; readonly stopsClock: boolean } | undefined

  readonly time: TrueTime

  constructor(time: TrueTime) {
    this.time = time
  }

  wall(): number {
    return this.time.now + this.offset
  }

  monotonic(): number {
    const now = this.paused?.stopsClock ? this.paused.at : this.time.now
    return now - this.stopped
  }

  resume(): void {
    if (this.paused?.stopsClock) this.stopped += this.time.now - this.paused.at
    this.paused = undefined
  }
}

/** A machine, on which processes of the real code are started and killed. */
export class Machine extends Clockwork {
  process: Process | undefined

  readonly name: string
  readonly store: BreakingStore
  readonly settings: MachineSettings

  constructor(name: string, time: TrueTime, store: BreakingStore, settings: MachineSettings) {
    super(time)
    this.name = name
    this.store = store
    this.settings = settings
  }

  start(): void {
    this.process = new Process(this)
  }

  kill(): void {
    this.process = undefined
    this.paused = undefined
  }
}

/** Loads what the plugin loads when it is needed, so that no history waits for a file. */
export async function loadPlugin(): Promise<void> {
  await Promise.all([
    import('../../../src/plugins/sessions/records/epoch.ts'),
    import('../../../src/plugins/sessions/records/keeper.ts'),
    import('../../../src/plugins/sessions/lister.ts'),
    import('../../../src/plugins/sessions/revocations/revocations.ts'),
    import('../../../src/plugins/sessions/revocations/truth.ts'),
  ])
}

/** What a route for verifiers answers with. */
interface Answered {
  readonly bytes?: Uint8Array<ArrayBuffer>
  readonly json?: unknown
  readonly status?: number
  readonly headers: Record<string, string>
}

let draws = 0

/** One run of the plugin on a machine: the real code, from the hooks that a session strategy calls down to the records. */
export class Process implements Caller {
  readonly #parts: PluginParts<object, Own>
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
      sessions: { strategy: () => 'jwt', longest: () => MAX_AGE / 1000 },
      attempts: { areLimited: false },
      plugins: { factors: () => undefined },
      work: { background },
      tell: async () => {},
      keys: {
        derive: async (purpose: string) => [await primitives.hkdf(SECRET, KEY_SALT, purpose, 32)],
      },
      shared: (make: () => object) => {
        const made = shared.get('') ?? make()
        shared.set('', made)
        return made
      },
    } as unknown as Host
    const { stale, maxEntries } = settings
    const options = {
      revocations: { bound: BOUND, endpoint: true, stale, maxEntries },
      absoluteMaxAge: false,
      touch: 0,
      device: false,
    } as const
    this.#parts = (sessions(options) as Plugin<string, object, Own>).setUp(this.#host)
  }

  get name(): string {
    return this.machine.name
  }

  get listens(): boolean {
    return this.machine.process === this && !this.machine.paused
  }

  get #own(): Own {
    if (!this.#parts.own) throw new Error('the plugin has nothing of its own')
    return this.#parts.own
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
    const how = { now: this.now(), readOnly: true, request: NO_REQUEST }
    const verdict = await this.#hooks.onRead(facts, how)
    return verdict === 'unsure' ? this.#hooks.confirm(facts, how) : verdict
  }

  /** Answers a verifier, as the routes do. */
  async answer(original: Request): Promise<Response> {
    const url = new URL(original.url)
    const call = { request: { original, query: url.searchParams } } as unknown as Call
    const run = url.pathname.endsWith('/check') ? check : snapshot
    try {
      const { bytes, json, status = 200, headers } = (await run(call, this.#own)) as Answered
      return new Response(bytes ?? (json === undefined ? null : JSON.stringify(json)), {
        status,
        headers,
      })
    } catch {
      return new Response(null, { status: 503 })
    }
  }

  /** @returns the cookie that is written, if one is. */
  async extend(token: Token): Promise<Token | undefined> {
    const exp = this.now() + MAX_AGE
    const verdict = await this.#hooks.onExtend(this.factsOf(token), exp, NO_REQUEST)
    if (verdict === 'later' || verdict === 'ended') return undefined
    const more = verdict === 'extend' ? {} : verdict
    return { ...token, claims: { ...token.claims, sid: token.sid, ...more }, exp }
  }

  async end(token: Token): Promise<void> {
    await this.#hooks.onEnd(this.factsOf(token), 'application')
  }

  async endAll(userId: string, except: string | undefined): Promise<void> {
    const how = { reason: 'application', ...(except !== undefined && { except }) } as const
    await this.#parts.provides?.sessions?.endAll(userId, how)
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
    const claims = { sid }
    const token: Token = { sid, userId, claims, text: sid, exp, password, asked, issued: asked }
    const facts = this.factsOf(token)
    const proof = {
      user: { id: userId },
      account: { provider: 'credentials' },
      authTime: Math.floor(this.now() / 1000),
      amr: ['pwd'],
      kept: {},
      request: NO_REQUEST,
      before,
      since: asked,
    } as unknown as Proof
    try {
      const more = await this.#hooks.beforeIssue(facts, proof)
      await this.#hooks.afterIssue(facts, proof)
      return { ...token, claims: { sid, ...more }, issued: this.machine.time.now }
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
    await this.end({ sid, userId: 'w', claims, text: sid, exp, password: 1, asked: 0, issued: 0 })
  }

  compact(): Promise<void> {
    return compact(this.#host, { isOver: () => false }, { least: 2, part: 2 })
  }
}
