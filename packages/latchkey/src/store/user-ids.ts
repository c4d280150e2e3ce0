import { type Adapter, type AdapterMethod, atomic } from '../model/adapter.ts'
import { isNumeric } from '../model/user-id.ts'

/**
 * The ids of users between the core and the adapter. In the core each is text. An adapter that returns numbers receives
 * numbers, because a typed client refuses text.
 */
export interface UserIds {
  /** Returns the arguments of a method as the adapter expects them. */
  toAdapter(
    name: AdapterMethod,
    args: readonly unknown[],
  ): readonly unknown[] | Promise<readonly unknown[]>
  /** Returns the result of a method with ids as text. */
  fromAdapter(name: AdapterMethod, answer: unknown): unknown
}

/** The methods that receive the id of a user: alone, or as a member of an object. */
const receivers: Readonly<Partial<Record<AdapterMethod, 'alone' | 'id' | 'userId'>>> = {
  getUser: 'alone',
  updateUser: 'id',
  deleteUser: 'alone',
  linkAccount: 'userId',
  createSession: 'userId',
  updateSession: 'userId',
  createAuthenticator: 'userId',
  listAuthenticatorsByUserId: 'alone',
}

type Row = Readonly<Record<string, unknown>>

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null

/** The forms in which an adapter may return ids. */
const forms = {
  string: (id: string): unknown => id,
  number: (id: string): unknown => (Number.isSafeInteger(Number(id)) ? Number(id) : id),
  bigint: (id: string): unknown => BigInt(id),
} as const

type Form = keyof typeof forms

/** Learns from the users that an adapter returns in which form it has ids. */
export function userIdsOf(adapter: Adapter): UserIds {
  // Adapters of Latchkey have ids as text.
  let form: Form | undefined = adapter[atomic] ? 'string' : undefined

  const learn = (id: unknown): void => {
    if (typeof id === 'string' || isNumeric(id)) form = typeof id as Form
  }

  /** Returns whether the form matters for this id: only a text of digits may stand for a number. */
  const isOpen = (id: unknown): id is string =>
    form !== 'string' && typeof id === 'string' && /^(?:0|-?[1-9]\d{0,18})$/.test(id)

  /** Finds out the form with a user, if no method has returned one yet. */
  async function probe(id: string): Promise<void> {
    for (const as of ['string', 'number', 'bigint'] as const) {
      try {
        const user = await adapter.getUser?.(forms[as](id) as string)
        if (user) return learn(user.id)
      } catch {
        // A typed client refuses ids in another form.
      }
    }
  }

  /** Returns a row with its ids as text. */
  function texts(row: unknown, isUser: boolean): unknown {
    if (!isRow(row)) return row
    const { id, userId } = row
    if (isUser) learn(id)
    if (!isNumeric(id) && !isNumeric(userId)) return row
    return {
      ...row,
      ...(isNumeric(id) && { id: String(id) }),
      ...(isNumeric(userId) && { userId: String(userId) }),
    }
  }

  return {
    toAdapter(name, args) {
      const place = receivers[name]
      if (place === undefined) return args
      const [first, ...others] = args
      const id = place === 'alone' ? first : (first as Row)[place]
      if (!isOpen(id)) return args
      const replaced = (): unknown[] => {
        const known = forms[form ?? 'string'](id)
        return [place === 'alone' ? known : { ...(first as Row), [place]: known }, ...others]
      }
      return form === undefined ? probe(id).then(replaced) : replaced()
    },
    fromAdapter(name, answer) {
      if (!isRow(answer)) return answer
      if (name === 'getSessionAndUser') {
        const { session, user } = answer
        const [ours, theirs] = [texts(session, false), texts(user, true)]
        return ours === session && theirs === user
          ? answer
          : { ...answer, session: ours, user: theirs }
      }
      if (Array.isArray(answer)) return answer.map((row) => texts(row, false))
      return texts(answer, USERS.has(name))
    },
  }
}

const USERS: ReadonlySet<AdapterMethod> = new Set([
  'createUser',
  'getUser',
  'getUserByEmail',
  'getUserByAccount',
  'updateUser',
] as const)
