import { type Adapter, atomic } from '../../model/adapter.ts'
import type { CompleteAdapter, OpenedAdapter } from './cases.ts'

/** The members of a resource that hold the id of a user. */
const ID_MEMBERS = ['id', 'userId'] as const

/** Those whose texts are ids of users; the texts of all others are keys of something else. */
const TAKE_AN_ID: readonly string[] = [
  'getUser',
  'deleteUser',
  'listAuthenticatorsByUserId',
  'listSessionsByUserId',
  'listAccountsByUserId',
  'deleteSessionsByUserId',
]

/**
 * An adapter may give users ids of its own. The cases know users by the ids that they asked for, so
 * this translates: what goes in becomes the store's id, what comes out becomes the asked one.
 */
export function withAskedIds(opened: OpenedAdapter): CompleteAdapter {
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
    const takesId = TAKE_AN_ID.includes(name)
    const argument = takesId ? ids.toStored(first as string) : changeIds(first, ids.toStored)
    const result = await call.call(owner, argument, ...rest)
    if (name === 'createUser') {
      ids.learn((first as { id: string }).id, (result as { id: string }).id)
    }
    return changeIds(result, ids.toAsked)
  }
}

/** Also those of a prototype: an adapter may be an instance of a class. */
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

/** The same value with other ids, wherever a resource holds one. Leaves what it is given alone. */
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
