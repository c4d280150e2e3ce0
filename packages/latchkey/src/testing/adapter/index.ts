import { type Adapter, type AtomicAbilities, atomic } from '../../model/adapter.ts'
import { abilityCases } from './abilities.ts'
import { accountCases } from './accounts.ts'
import { authenticatorCases } from './authenticators.ts'
import type { AdapterCase, OpenedAdapter } from './cases.ts'
import { clientCases } from './clients.ts'
import { deletionCases } from './deletion.ts'
import { formerNames } from './former-names.ts'
import { type InterruptibleAdapter, interruptionCases, runInterrupted } from './interruptions.ts'
import { keyCases } from './keys.ts'
import { withAskedIds } from './own-ids.ts'
import { recordCases } from './records.ts'
import { NOW, record, replaced } from './resources.ts'
import { sessionCases } from './sessions.ts'
import { type ReadableAdapter, runStored, storedCases } from './stored.ts'
import { tokenCases } from './tokens.ts'
import { userCases } from './users.ts'

export type { AdapterCase, CompleteAdapter, OpenedAdapter } from './cases.ts'
export {
  type InterruptibleAdapter,
  type Interruption,
  interruptible,
} from './interruptions.ts'
export type { ReadableAdapter, StoredRecords } from './stored.ts'

/** The rules that every adapter keeps. Each begins with an empty store. */
export const adapterCases: readonly AdapterCase[] = [
  ...userCases,
  ...accountCases,
  ...sessionCases,
  ...tokenCases,
  ...authenticatorCases,
  ...keyCases,
  ...deletionCases,
  ...clientCases,
  ...abilityCases,
  ...recordCases,
]

/** Gives an adapter on an empty store; called once for each case. */
export type OpenAdapter = () => Promise<OpenedAdapter>

/** `describe` and `test` (or `it`) of Vitest, node:test, Jest, Bun, or whatever has the two. */
export interface TestRunner {
  describe(name: string, define: () => void): unknown
  test(name: string, run: (...context: unknown[]) => Promise<void>): unknown
}

export interface DescribeAdapterOptions {
  /**
   * Gives an adapter whose store does not answer: closed, gone, or made to fail. A test makes sure that
   * it never takes that for "there is nothing".
   */
  readonly failing?: OpenAdapter | undefined
  /**
   * Gives an adapter on an empty store whose connection the kit may break. What the adapter does in
   * several steps is then broken off after each of them, and has to be whole, or to be repeatable.
   */
  readonly interruptible?: (() => Promise<InterruptibleAdapter>) | undefined
  /**
   * Gives an adapter on an empty store that can be looked into, past the adapter: what lies there is
   * compared with what was written, as the test suite of Auth.js does with its `db`.
   */
  readonly readable?: (() => Promise<ReadableAdapter>) | undefined
  /** What this adapter does not have: the rules about it are left out. */
  readonly without?: readonly Need[] | undefined
  /**
   * Rules that this adapter breaks, by name, each with the reason. A test makes sure that it still
   * does, so that the list stays true. The names that rules had in version 0.2.0 are deprecated and still work.
   */
  readonly except?: Readonly<Record<string, string>> | undefined
}

type Need = AdapterCase['needs'][number]

/**
 * Declares one test for each rule.
 *
 * A rule about something that the adapter lacks without having said so is skipped, with the reason.
 *
 * @throws when `except` names something that is no rule.
 */
export function describeAdapter(
  name: string,
  open: OpenAdapter,
  { describe, test }: TestRunner,
  { failing, interruptible, readable, without = [], except = {} }: DescribeAdapterOptions = {},
): void {
  const exceptions = new Map(
    Object.entries(except).map(([name, reason]) => [ruleNamed(name), { name, reason }]),
  )
  describe(`the ${name} adapter keeps the contract`, () => {
    if (without.length > 0) {
      test(`it has no ${without.join(', no ')}`, async () => {
        const opened = await open()
        const there = without.filter((need) => has(opened, need))
        await opened[Symbol.asyncDispose]?.()
        if (there.length > 0) throw new Error(`without: the adapter does have ${there.join()}`)
      })
    }
    if (failing) test(titleOf(NO_ANSWER), () => answersNothing(failing))
    for (const each of readable ? storedCases : []) {
      if (!readable || each.needs.some((need) => without.includes(need))) continue
      test(titleOf(each), () => quietly(() => runStored(each, readable)))
    }
    for (const each of interruptible ? interruptionCases : []) {
      if (!interruptible || each.needs.some((need) => without.includes(need))) continue
      test(titleOf(each), () => quietly(() => runInterrupted(each, interruptible)))
    }
    for (const each of adapterCases) {
      if (each.needs.some((need) => without.includes(need))) continue
      const exception = exceptions.get(each)
      if (exception) {
        const { name, reason } = exception
        const note = name === each.name ? '' : ` (deprecated in except: "${name}")`
        test(`not kept, ${reason}: ${titleOf(each)}${note}`, () => mustBreak(each, open))
        continue
      }
      // No parameter by name: some runners take one for a callback.
      test(titleOf(each), async (...context: unknown[]) => {
        const missing = await runCase(each, open)
        if (missing !== undefined) skip(context[0], missing)
      })
    }
  })
}

function ruleNamed(name: string): AdapterCase {
  const current = formerNames.get(name) ?? name
  const rule = adapterCases.find((each) => each.name === current)
  if (!rule)
    throw new Error(
      `except: there is no rule "${name}"; docs/reference/adapters.md lists the names of rules`,
    )
  return rule
}

const NO_ANSWER = {
  name: 'a store that does not respond causes an error, never an empty result',
  requirements: ['A-03'],
}

/** The name of a rule's test, by which a report can be sorted by requirement. */
function titleOf({ name, requirements = [] }: Pick<AdapterCase, 'name' | 'requirements'>): string {
  return requirements.length > 0 ? `${name} (${requirements.join(', ')})` : name
}

/** Calls that look for something, each by a method that an adapter may have. */
const LOOKS: readonly (readonly [name: Need, ...args: unknown[]])[] = [
  ['getUser', 'id'],
  ['getUserByEmail', 'ada@x.example'],
  ['getUserByAccount', { provider: 'acme', providerAccountId: 'subject' }],
  ['getAccount', 'subject', 'acme'],
  ['getSessionAndUser', 'token'],
  ['updateSession', { sessionToken: 'token', expires: new Date(0) }],
  ['deleteSession', 'token'],
  ['useVerificationToken', { identifier: 'ada@x.example', token: 'token' }],
  ['getAuthenticator', 'credential'],
  ['listAuthenticatorsByUserId', 'id'],
  ['listSessionsByUserId', 'id'],
  ['listAccountsByUserId', 'id'],
  ['countAttempt', { key: 'key', limit: 1, now: new Date(0), expires: new Date(1) }],
  ['createRecord', record(), NOW],
  ['getRecord', record()],
  ['replaceRecord', replaced(record(), {})],
  ['takeRecord', record()],
  ['listRecords', { kind: 'kind', limit: 1 }],
]

async function answersNothing(failing: OpenAdapter): Promise<void> {
  const opened = await failing()
  try {
    for (const [name, ...args] of LOOKS) {
      if (!has(opened, name)) continue
      const owner = (name in abilities ? opened[atomic] : opened) as Record<string, Look>
      let answer: unknown
      try {
        answer = await owner[name]?.(...args)
      } catch {
        continue
      }
      throw new Error(`${name} gave ${String(answer)} where the store did not answer`)
    }
  } finally {
    await opened[Symbol.asyncDispose]?.()
  }
}

type Look = (...args: readonly unknown[]) => unknown

async function mustBreak(rule: AdapterCase, open: OpenAdapter): Promise<void> {
  try {
    await runCase(rule, open)
  } catch {
    return
  }
  throw new Error('except: the adapter keeps this rule; take it out of the list')
}

function skip(context: unknown, reason: string): void {
  const { skip } = (context ?? {}) as { skip?: unknown }
  if (typeof skip === 'function') (context as { skip(reason: string): void }).skip(reason)
}

/** What became of one rule. */
export type CaseResult = {
  readonly name: string
  /** What it checks, by the ids of docs/reference/adapters.md. */
  readonly requirements: readonly string[]
} & (
  | { readonly outcome: 'kept' }
  | { readonly outcome: 'skipped'; readonly reason: string }
  | { readonly outcome: 'broken'; readonly error: unknown }
)

/** Runs every rule without a test runner. */
export async function checkAdapter(open: OpenAdapter): Promise<CaseResult[]> {
  const results: CaseResult[] = []
  for (const each of adapterCases) {
    const { name, requirements = [] } = each
    const rule = { name, requirements }
    try {
      const reason = await runCase(each, open)
      results.push(
        reason === undefined
          ? { ...rule, outcome: 'kept' }
          : { ...rule, outcome: 'skipped', reason },
      )
    } catch (error) {
      results.push({ ...rule, outcome: 'broken', error })
    }
  }
  return results
}

/** @returns why the rule says nothing about this adapter, if so. @throws when it is broken. */
async function runCase(
  { needs, run }: AdapterCase,
  open: OpenAdapter,
): Promise<string | undefined> {
  const opened = await open()
  try {
    const missing = needs.find((need) => !has(opened, need))
    if (missing !== undefined) return `the adapter has no ${missing}`
    await quietly(() => run(withAskedIds(opened)))
    return undefined
  } finally {
    await opened[Symbol.asyncDispose]?.()
  }
}

/** Which names are abilities; all others are methods. */
const abilities: Readonly<Record<keyof AtomicAbilities, true>> = {
  useRecords: true,
  transaction: true,
  renameSession: true,
  updateAccount: true,
  countAttempt: true,
  acquireLease: true,
  cleanup: true,
  listSessionsByUserId: true,
  listAccountsByUserId: true,
  deleteSessionsByUserId: true,
  listUsers: true,
  createRecord: true,
  getRecord: true,
  replaceRecord: true,
  takeRecord: true,
  listRecords: true,
}

function has(adapter: Adapter, need: Need): boolean {
  const owner = need in abilities ? adapter[atomic] : adapter
  return typeof (owner as Record<string, unknown> | undefined)?.[need] === 'function'
}

const LEVELS = ['log', 'info', 'warn', 'error', 'debug'] as const

/** An adapter prints nothing: what it would print holds addresses and tokens. */
async function quietly(work: () => Promise<void>): Promise<void> {
  const before = LEVELS.map((level) => [level, console[level]] as const)
  const printed: string[] = []
  for (const level of LEVELS) console[level] = () => void printed.push(level)
  try {
    await work()
  } finally {
    for (const [level, print] of before) console[level] = print
  }
  if (printed.length > 0) throw new Error(`the adapter printed with console.${printed[0]}`)
}
