import type { Adapter } from '../../../../packages/latchkey/src/model/adapter.ts'

/** What comes of a flow that does not simply work. */
export interface Departure {
  readonly outcome: string
  /** Why, in a sentence. */
  readonly because: string
}

const REFUSED = 'refused at start'

const withoutPasskeys: Readonly<Record<string, Departure>> = Object.fromEntries(
  [
    'a passkey is registered, and signs in',
    'a copied passkey, whose counter is behind, is refused',
  ].map((flow) => [
    flow,
    { outcome: REFUSED, because: 'The adapter has no methods for passkeys.' },
  ]),
)

const DELETION = 'the application deletes a user who is signed in twice, with two accounts'

/** By package, then by flow, with or without the strategy in front. What is not here works. */
export const departures: Readonly<Record<string, Readonly<Record<string, Departure>>>> = {
  '@auth/pg-adapter': withoutPasskeys,
  '@auth/kysely-adapter': withoutPasskeys,
  '@auth/typeorm-adapter': withoutPasskeys,
  '@auth/sequelize-adapter': {
    ...withoutPasskeys,
    'a mailed link, after somebody tried another one for the address': {
      outcome: 'nobody is signed in',
      because: 'Ask for another link.',
    },
  },
  '@auth/mikro-orm-adapter': withoutPasskeys,
  '@auth/unstorage-adapter': {
    [`database: ${DELETION}`]: {
      outcome: 'records of the user stay',
      because: 'The store knows the last account and the last session of a user only.',
    },
    [`jwt: ${DELETION}`]: {
      outcome: '[unstorage] Invalid key: null',
      because: '`deleteUser` throws when there is no stored session.',
    },
  },
  '@auth/upstash-redis-adapter': {
    ...withoutPasskeys,
    [DELETION]: {
      outcome: 'records of the user stay',
      because: 'The store knows the last account and the last session of a user only.',
    },
  },
  '@auth/pouchdb-adapter': {
    ...withoutPasskeys,
    [DELETION]: { outcome: 'records of the user stay', because: '`deleteUser` does nothing.' },
  },
}

/** A fault of an adapter that does not come through. */
export interface Harmless {
  readonly packageName: string
  readonly fault: string
  /** The flow that works all the same. */
  readonly flow: string
  /** Whether the adapter, on an empty store, still has the fault. */
  readonly isThere: (adapter: Adapter) => Promise<boolean>
}

const USER = {
  id: 'd5a1f6d2-8a39-4c6c-9d5b-6d3d29e2b1aa',
  email: 'ada@example.com',
  emailVerified: null,
}

const expires = new Date('2030-01-01T00:00:00Z')

async function fails(call: () => unknown): Promise<boolean> {
  try {
    await call()
    return false
  } catch {
    return true
  }
}

const updatesSilently: Omit<Harmless, 'packageName'> = {
  fault: '`updateSession` returns nothing.',
  flow: 'a session is extended, and ends',
  async isThere(adapter) {
    const user = await adapter.createUser?.(USER)
    const session = { sessionToken: 't', userId: user?.id ?? '', expires }
    await adapter.createSession?.(session)
    return !(await adapter.updateSession?.({ sessionToken: 't', expires }))
  },
}

const deletesOnce: Omit<Harmless, 'packageName'> = {
  fault: 'Deleting a session that is gone is an error.',
  flow: 'sign-out, twice at the same moment',
  isThere: (adapter) => fails(() => adapter.deleteSession?.('gone')),
}

export const harmless: readonly Harmless[] = [
  {
    packageName: '@auth/pg-adapter',
    fault: 'Ids of users are numbers.',
    flow: 'another provider is linked while signed in',
    isThere: async (adapter) => typeof (await adapter.createUser?.(USER))?.id === 'number',
  },
  { packageName: '@auth/pg-adapter', ...updatesSilently },
  { packageName: '@auth/prisma-adapter', ...deletesOnce },
  { packageName: '@auth/typeorm-adapter', ...updatesSilently },
  {
    packageName: '@auth/sequelize-adapter',
    fault: '`createUser` returns an instance of a model instead of a plain user.',
    flow: 'first sign-in with OAuth',
    async isThere(adapter) {
      const user = await adapter.createUser?.(USER)
      return Object.getPrototypeOf(user) !== Object.prototype
    },
  },
  { packageName: '@auth/pouchdb-adapter', ...deletesOnce },
]
