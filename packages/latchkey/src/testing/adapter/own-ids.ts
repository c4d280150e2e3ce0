import { type Adapter, atomic } from '../../model/adapter.ts'
import type { CompleteAdapter, OpenedAdapter } from './cases.ts'

/** The members of a resource that hold the id of a user. */
const ID_MEMBERS = ['id', 'userId'] as const

/** The methods whose texts are ids of users. Other texts are other keys. */
const METHODS_WITH_USER_ID: readonly string[] = [
  'getUser',
  'deleteUser',
  'listAuthenticatorsByUserId',
  'listSessionsByUserId',
  'listAccountsByUserId',
  'deleteSessionsByUserId',
]

/**
 * Translates ids for adapters that give users their own ids: the cases use the ids that they requested. Arguments get
 * the ids of the store, and results the requested ids.
 */
export function withRequestedIds(opened: OpenedAdapter): CompleteAdapter {
  const stored = new Map<string, string>()
  const asked = new Map<string, string>()
  const ids: Ids = {
    learn(wanted, given) {
      stored.set(wanted, given)
      asked.set(given, wanted)
    },
    toStored: (id) => stored.get(id) ?? id,
    toAsked: (id) => asked.get(id) ?? id,
  }
  const adapter = translated(opened, ids) as CompleteAdapter
  adapter.again = async () => translated((await opened.again?.()) ?? opened, ids) as CompleteAdapter
  return adapter
}

interface Ids {
  learn(wanted: string, given: string): void
  toStored(id: string): string
  toAsked(id: string): string
}

type Method = (...args: unknown[]) => unknown

function translated(adapter: Adapter, ids: Ids): Adapter {
  const wrapped: Record<string | symbol, unknown> = {}
  for (const name of methodsOf(adapter)) {
    wrapped[name] = method(adapter, name, ids)
  }
  const abilities = adapter[atomic]
  if (!abilities) return wrapped
  const own: Record<string, unknown> = {}
  for (const name of methodsOf(abilities)) own[name] = method(abilities, name, ids)
  if (abilities.transaction) {
    own['transaction'] = (work: (inside: Adapter) => Promise<unknown>) =>
      abilities.transaction?.((inside) => work(translated(inside, ids)))
  }
  return { ...wrapped, [atomic]: own }
}

function method(owner: object, name: string, ids: Ids): Method {
  const call = (owner as Record<string, Method>)[name] as Method
  return async (first, ...rest) => {
    const takesId = METHODS_WITH_USER_ID.includes(name)
    const argument = takesId ? ids.toStored(first as string) : changeIds(first, ids.toStored)
    const result = await call.call(owner, argument, ...rest)
    if (name === 'createUser') {
      ids.learn((first as { id: string }).id, (result as { id: string }).id)
    }
    return changeIds(result, ids.toAsked)
  }
}

/** Includes the methods of prototypes, because an adapter may be an instance of a class. */
function methodsOf(owner: object): string[] {
  const names = new Set<string>()
  for (
    let from: object = owner;
    from !== Object.prototype && from;
    from = Object.getPrototypeOf(from)
  ) {
    for (const name of Object.getOwnPropertyNames(from)) names.add(name)
  }
  names.delete('constructor')
  return [...names].filter((name) => typeof (owner as Record<string, unknown>)[name] === 'function')
}

/** Returns the same value with other ids. It does not change its argument. */
function changeIds(value: unknown, change: (id: string) => string): unknown {
  if (Array.isArray(value)) return value.map((each) => changeIds(each, change))
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  const inner = ['session', 'user', 'users', 'records'].filter((name) => name in value)
  const resource = value as Record<string, unknown>
  const texts = ID_MEMBERS.filter((name) => typeof resource[name] === 'string')
  const other = texts.filter((name) => change(resource[name] as string) !== resource[name])
  if (inner.length === 0 && other.length === 0) return value
  const changed = { ...resource }
  for (const name of other) changed[name] = change(resource[name] as string)
  for (const name of inner) changed[name] = changeIds(resource[name], change)
  return changed
}
