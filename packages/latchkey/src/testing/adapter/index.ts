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
import { withRequestedIds } from './own-ids.ts'
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

/** The rules of the contract. Each starts with an empty store. */
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

/** Opens an adapter on an empty store. It is called once for each case. */
export type OpenAdapter = () => Promise<OpenedAdapter>

/** `describe` and `test` (or `it`) of Vitest, node:test, Jest, Bun, or any other test runner. */
export interface TestRunner {
  describe(name: string, define: () => void): unknown
  test(name: string, run: (...context: unknown[]) => Promise<void>): unknown
}

export interface DescribeAdapterOptions {
  /**
   * Opens an adapter whose store does not respond, for example because it is closed. A test checks that the adapter
   * never returns "not found" for it.
   */
  readonly failing?: OpenAdapter | undefined
  /**
   * Opens an adapter on an empty store whose connection the kit may interrupt. Each operation with several steps is
   * interrupted after each of them, and must then be complete or repeatable.
   */
  readonly interruptible?: (() => Promise<InterruptibleAdapter>) | undefined
  /**
   * Opens an adapter on an empty store that can also be read without the adapter. Tests compare its entries with what
   * was written, as the test suite of Auth.js does with its `db`.
   */
  readonly readable?: (() => Promise<ReadableAdapter>) | undefined
  /** The methods that this adapter does not have. The rules about them are omitted. */
  readonly without?: readonly Need[] | undefined
  /**
   * The rules that this adapter breaks, by name, each with the reason. A test checks that it still breaks them. The
   * names of rules in version 0.2.0 are deprecated and still work.
   */
  readonly except?: Readonly<Record<string, string>> | undefined
}

type Need = AdapterCase['needs'][number]

/**
 * Declares a test for each rule.
 *
 * A rule about a method that the adapter lacks, but that is not in `without`, is skipped with the reason.
 *
 * @throws if `except` has an unknown rule.
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
      // Without a named parameter: some runners take it for a callback.
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

/** Returns the name of a rule's test. Reports can be sorted by its requirements. */
function titleOf({ name, requirements = [] }: Pick<AdapterCase, 'name' | 'requirements'>): string {
  return requirements.length > 0 ? `${name} (${requirements.join(', ')})` : name
}

/** Calls that read, each of a method that an adapter may have. */
const READS: readonly (readonly [name: Need, ...args: unknown[]])[] = [
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
    for (const [name, ...args] of READS) {
      if (!has(opened, name)) continue
      const owner = (name in abilities ? opened[atomic] : opened) as Record<string, Look>
      let answer: unknown
      try {
        answer = await owner[name]?.(...args)
      } catch {
        continue
      }
      throw new Error(`${name} returned ${String(answer)} although the store does not respond`)
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

/** The result of a rule. */
export type CaseResult = {
  readonly name: string
  /** The ids of the requirements that it checks; see docs/reference/adapters.md. */
  readonly requirements: readonly string[]
} & (
  | { readonly outcome: 'kept' }
  | { readonly outcome: 'skipped'; readonly reason: string }
  | { readonly outcome: 'broken'; readonly error: unknown }
)

/** Checks all rules without a test runner. */
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

/** @returns why the rule does not apply to this adapter, if so. @throws if the adapter breaks the rule. */
async function runCase(
  { needs, run }: AdapterCase,
  open: OpenAdapter,
): Promise<string | undefined> {
  const opened = await open()
  try {
    const missing = needs.find((need) => !has(opened, need))
    if (missing !== undefined) return `the adapter has no ${missing}`
    await quietly(() => run(withRequestedIds(opened)))
    return undefined
  } finally {
    await opened[Symbol.asyncDispose]?.()
  }
}

/** The names of abilities. All other names are methods. */
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

/** Checks that an adapter prints nothing: the output could contain addresses and tokens. */
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
