import { describe, expect, test } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import type { AdapterAccount } from '../../src/model/account.ts'
import { type Adapter, atomic } from '../../src/model/adapter.ts'
import type { AdapterAuthenticator } from '../../src/model/authenticator.ts'
import type { AdapterUser } from '../../src/model/user.ts'
import type { VerificationToken } from '../../src/model/verification-token.ts'
import { formerNames } from '../../src/testing/adapter/former-names.ts'
import {
  adapterCases,
  type CompleteAdapter,
  checkAdapter,
  type DescribeAdapterOptions,
  describeAdapter,
  interruptible,
  type OpenAdapter,
  type OpenedAdapter,
  type StoredRecords,
  type TestRunner,
} from '../../src/testing/adapter/index.ts'

const NOW = new Date('2030-01-01T00:00:00.123Z')

async function failingCases(open: OpenAdapter): Promise<string[]> {
  const results = await checkAdapter(open)
  return results.filter(({ outcome }) => outcome === 'broken').map(({ name }) => name)
}

/** A memory adapter with a fault. */
function faulty(break_: (good: CompleteAdapter) => Partial<CompleteAdapter>) {
  return async (): Promise<OpenedAdapter> => {
    const good = memoryAdapter() as CompleteAdapter
    return { ...good, ...break_(good) }
  }
}

const later = () => new Promise((resolve) => setImmediate(resolve))

type Call = (...args: unknown[]) => Promise<unknown>

/** A memory adapter all of whose methods go through this. */
function through(change: (call: Call, name: string) => Call, good: Adapter = memoryAdapter()) {
  const methods = Object.entries(good).map(([name, method]) => {
    const call: Call = async (...args) => (method as Call)(...args)
    return [name, change(call, name)]
  })
  return { ...good, ...Object.fromEntries(methods) } as OpenedAdapter
}

/** All texts in a value. */
const texts = (value: unknown): string[] => JSON.stringify(value)?.match(/"[^"]*"/g) ?? []

/** The value with other texts in it, as far down as records go. */
function withTexts(value: unknown, change: (text: string) => unknown): unknown {
  if (typeof value === 'string') return change(value)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  if (Array.isArray(value)) return value.map((each) => withTexts(each, change))
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, withTexts(each, change)]),
  )
}

/** The faults, each with the cases that must notice it. */
const faults: Record<string, [() => Promise<OpenedAdapter>, string[]]> = {
  'finds a verification token by its address only': [
    faulty((good) => {
      const open = new Map<string, VerificationToken>()
      return {
        async createVerificationToken(token) {
          open.set(token.identifier, token)
          return good.createVerificationToken(token)
        },
        async useVerificationToken({ identifier }) {
          const found = open.get(identifier)
          return found ? good.useVerificationToken(found) : null
        },
      }
    }),
    [
      'T-DATA-2: a verification token is found by address and token together',
      'an address may have several verification tokens; taking one keeps the others',
    ],
  ],
  'finds a verification token and deletes it afterwards': [
    faulty((good) => {
      const open = new Map<string, VerificationToken>()
      const key = ({ identifier, token }: { identifier: string; token: string }) =>
        JSON.stringify([identifier, token])
      return {
        async createVerificationToken(token) {
          const stored = await good.createVerificationToken(token)
          open.set(key(token), token)
          return stored
        },
        async useVerificationToken(params) {
          const found = open.get(key(params))
          await later()
          open.delete(key(params))
          await good.useVerificationToken(params)
          return found ?? null
        },
      }
    }),
    ['T-OTV-1: of many parallel takes of a verification token exactly one gets it'],
  ],
  'looks for a user before creating one': [
    faulty((good) => ({
      async createUser(user) {
        const taken = await good.getUserByEmail(user.email)
        if (taken) return good.createUser(user)
        await later()
        try {
          return await good.createUser(user)
        } catch {
          return { ...user }
        }
      },
    })),
    ['T-LINK-4: of many parallel creations of users with one address exactly one succeeds'],
  ],
  'writes back what it read before': [
    faulty((good) => ({
      async updateUser({ id, ...changes }) {
        const before = await good.getUser(id)
        await later()
        return good.updateUser({ ...before, ...changes, id })
      },
    })),
    ['T-DATA-3: no parallel update of a user is lost'],
  ],
  'gives fresh tokens to everybody with the same subject': [
    faulty((good) => {
      const linked: AdapterAccount[] = []
      return {
        async linkAccount(account) {
          linked.push(account)
          return good.linkAccount(account)
        },
        [atomic]: {
          ...good[atomic],
          async updateAccount({ provider, providerAccountId, ...tokens }) {
            const all = linked.filter((each) => each.providerAccountId === providerAccountId)
            for (const each of all)
              await good[atomic].updateAccount({
                ...tokens,
                providerAccountId,
                provider: each.provider,
              })
            return good[atomic].updateAccount({ provider, providerAccountId })
          },
        },
      }
    }),
    [
      'T-OIDC-15: an update of an account stores the new tokens and keeps the members that it does not name',
    ],
  ],
  'folds the case of addresses': [
    faulty((good) => ({
      createUser: (user) => good.createUser({ ...user, email: user.email?.toLowerCase() }),
      getUserByEmail: (email) => good.getUserByEmail(email.toLowerCase()),
    })),
    ['T-DATA-2: addresses compare byte for byte'],
  ],
  'drops milliseconds': [
    faulty((good) => ({
      createSession: (session) =>
        good.createSession({ ...session, expires: wholeSeconds(session.expires) }),
    })),
    [
      'a session is returned with its user immediately after its creation',
      'dates of sessions keep their milliseconds, from 1970 to 9999',
      'T-DATA-2: session tokens compare byte for byte',
    ],
  ],
  'keeps dates in the time zone of the process': [
    faulty((good) => {
      /** What a column without a zone makes of a date: the local time, read as one of this zone. */
      const stored = new Map<string, string>()
      const local = (date: Date) =>
        [date.getFullYear(), date.getMonth(), date.getDate(), date.getHours(), date.getMinutes()]
          .concat(date.getSeconds(), date.getMilliseconds())
          .join()
      const read = (text: string) => {
        const [year = 0, month = 0, ...rest] = text.split(',').map(Number)
        return new Date(year, month, ...rest)
      }
      return {
        async createSession(session) {
          stored.set(session.sessionToken, local(session.expires))
          return good.createSession(session)
        },
        async getSessionAndUser(token) {
          const found = await good.getSessionAndUser(token)
          const text = stored.get(token)
          if (found && text !== undefined) found.session.expires = read(text)
          return found
        },
      }
    }),
    ['dates do not depend on the time zone of the process'],
  ],
  'gives a lease to all who ask at once': [
    faulty((good) => ({
      [atomic]: {
        ...good[atomic],
        async acquireLease(lease) {
          await later()
          return (await good[atomic].acquireLease(lease)) ?? 7
        },
      },
    })),
    ['a lease has one holder until it expires; the next holder gets a greater number'],
  ],
  'cleans up what is still open': [
    faulty((good) => ({
      [atomic]: {
        ...good[atomic],
        cleanup: ({ batch }) => good[atomic].cleanup({ now: new Date(8.64e15), batch }),
      },
    })),
    ['cleanup removes only expired entries, in batches'],
  ],
  'ends the sessions of everybody': [
    faulty((good) => ({
      [atomic]: {
        ...good[atomic],
        async deleteSessionsByUserId(userId, except) {
          await good[atomic].deleteSessionsByUserId('other')
          return good[atomic].deleteSessionsByUserId(userId, except)
        },
      },
    })),
    ['T-SESS-5: all sessions of a user, or all but one, are deleted in one step'],
  ],
  'takes a cursor for what it is not': [
    faulty((good) => ({
      [atomic]: {
        ...good[atomic],
        listUsers: ({ limit, after }) =>
          good[atomic].listUsers({ limit, after: typeof after === 'string' ? after : '' }),
      },
    })),
    ['T-DATA-4: users are listed page by page, each once; any cursor returns users or is refused'],
  ],
  'prints what it is asked for': [
    faulty((good) => ({
      getUserByEmail(email) {
        console.log(email)
        return good.getUserByEmail(email)
      },
    })),
    ['a user is returned as it was stored, by id and by address'],
  ],
  'writes an update of a session that is gone': [
    faulty((good) => ({
      async updateSession(session) {
        const updated = await good.updateSession(session)
        if (updated || !session.userId || !session.expires) return updated
        return good.createSession({ ...session, userId: session.userId, expires: session.expires })
      },
    })),
    ['updating a session that does not exist succeeds and creates none'],
  ],
  'leaves the sessions of a deleted user': [
    faulty((good) => {
      const kept = new Map<string, Awaited<ReturnType<typeof good.getSessionAndUser>>>()
      return {
        async createSession(session) {
          const stored = await good.createSession(session)
          kept.set(session.sessionToken, await good.getSessionAndUser(session.sessionToken))
          return stored
        },
        getSessionAndUser: async (token) =>
          (await good.getSessionAndUser(token)) ?? kept.get(token) ?? null,
      }
    }),
    [
      'T-LINK-8, T-SESS-5: deleting a user removes everything that belongs to the user and nothing else',
    ],
  ],
  'cuts keys that are long': [
    async () =>
      through(
        (call) =>
          (...args) =>
            call(...(withTexts(args, (text) => text.slice(0, 255)) as unknown[])),
      ),
    [
      'stores an address of 320 characters and a picture of 300 kB',
      'a verification token of an address of 320 characters can be taken',
      'T-DATA-2: a long user id is stored completely or refused, never truncated',
      'T-DATA-2: a long address is stored completely or refused, never truncated',
      'T-DATA-2: a long account key is stored completely or refused, never truncated',
      'T-DATA-2: a long session token is stored completely or refused, never truncated',
      'T-DATA-2: a long key of a verification token is stored completely or refused, never truncated',
      'T-DATA-2: a long credential id is stored completely or refused, never truncated',
    ],
  ],
  'fails at keys that it could not have given': [
    async () =>
      through((call, name) => (...args) => {
        const isWrite = /^(?:create|link)/.test(name)
        if (!isWrite && texts(args).includes('""')) throw new Error('this is no key')
        return call(...args)
      }),
    [
      'an empty or malformed id changes and deletes no user',
      'an empty or malformed key finds no account; unlinking it succeeds',
      'an empty or malformed token finds no session; deleting it succeeds',
      'an empty or malformed key finds no verification token',
      'an empty or malformed id finds no authenticator',
    ],
  ],
  'takes a text for the number that it looks like': [
    async () =>
      through(
        (call) =>
          async (...args) =>
            withTexts(await call(...args), (text) => (/^\d+$/.test(text) ? Number(text) : text)),
      ),
    [
      'strings are returned character for character',
      'accounts keep strings unchanged, in keys and in other members',
      'session tokens that look like numbers, dates or ids stay unchanged',
      'credential ids that look like numbers, dates or ids stay unchanged',
    ],
  ],
  'gives users numbers for ids': [
    async () => {
      let count = 0
      const change = (call: Call, name: string): Call => {
        if (name !== 'createUser') return call
        return async (user) => ({ ...((await call(user)) as object), id: ++count })
      }
      return through(change)
    },
    ['a user is returned as it was stored, by id and by address'],
  ],
  'hands out what it keeps': [
    faulty((good) => {
      const kept = new Map<string, AdapterAuthenticator | null>()
      return {
        async getAuthenticator(id) {
          const found = kept.get(id) ?? (await good.getAuthenticator(id))
          kept.set(id, found)
          return found
        },
      }
    }),
    ['accounts and authenticators are returned as plain, new objects'],
  ],
  'remembers what it has read': [
    async () => {
      const good = memoryAdapter()
      const remembering = () => {
        const read = new Map<string, unknown>()
        return through(
          (call, name) =>
            async (...args) => {
              if (!name.startsWith('get')) return call(...args)
              const key = JSON.stringify([name, args])
              if (!read.has(key)) read.set(key, await call(...args))
              return structuredClone(read.get(key))
            },
          good,
        )
      }
      return { ...remembering(), again: async () => remembering() }
    },
    [
      'a client does not read what another client changed or removed',
      'a client does not find an account that another client unlinked',
      'T-OTV-1: of two clients that use one counter value exactly one succeeds',
    ],
  ],
  'keeps to itself who is first': [
    async () => ({ ...memoryAdapter(), again: async () => memoryAdapter() }),
    [
      'T-LINK-4: of two clients that create the same user exactly one succeeds',
      'T-LINK-4: of two clients that link one account exactly one succeeds',
      'T-OTV-5: the attempts of two clients are counted together',
      'a lease that one client holds is not given to another client',
    ],
  ],
  'takes any signature counter': [
    faulty((good) => ({
      async updateAuthenticatorCounter(credentialID, counter) {
        const stored = await good.getAuthenticator(credentialID)
        if (!stored) throw new Error('no such authenticator')
        try {
          return await good.updateAuthenticatorCounter(credentialID, counter)
        } catch {
          return { ...stored, counter }
        }
      },
    })),
    [
      'a signature counter can only increase',
      'T-OTV-1: of many parallel uses of one counter value exactly one succeeds',
    ],
  ],
}

describe('the contract of adapters', () => {
  test('has a name for each case', () => {
    const names = adapterCases.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })

  for (const [fault, [open, expected]] of Object.entries(faults)) {
    test(`finds the mistake of an adapter that ${fault}`, async () => {
      expect(await failingCases(open)).toEqual(expect.arrayContaining(expected))
    })
  }

  test('calls nothing of an adapter without methods', async () => {
    const results = await checkAdapter(async () => ({}))
    expect(new Set(results.map(({ outcome }) => outcome))).toEqual(new Set(['skipped']))
    expect(results[0]).toMatchObject({ reason: 'the adapter has no createUser' })
  })

  test('finds users by the ids that the adapter gave them', async () => {
    let count = 0
    const open = async () => {
      const good = memoryAdapter() as CompleteAdapter
      return {
        ...good,
        createUser: (user: AdapterUser) => good.createUser({ ...user, id: String(++count) }),
      }
    }
    // Inside of a transaction the memory adapter keeps the ids.
    expect(await failingCases(open)).toEqual([])
  })

  test('calls methods on the adapter, which may be an instance of a class', async () => {
    class Adapter {
      readonly #good = memoryAdapter() as CompleteAdapter
      createUser(user: AdapterUser) {
        return this.#good.createUser(user)
      }
      getUser(id: string) {
        return this.#good.getUser(id)
      }
      getUserByEmail(email: string) {
        return this.#good.getUserByEmail(email)
      }
      updateUser(user: AdapterUser) {
        return this.#good.updateUser(user)
      }
    }
    const results = await checkAdapter(async () => new Adapter())
    expect(results.filter(({ outcome }) => outcome === 'broken')).toEqual([])
    expect(results.filter(({ outcome }) => outcome === 'kept').length).toBeGreaterThan(10)
  })

  describe('as tests of some runner', () => {
    /** What each declared test came to: its error, the reason why it was skipped, or nothing. */
    async function declared(open: OpenAdapter, options?: DescribeAdapterOptions) {
      const tests = new Map<string, (...context: unknown[]) => Promise<void>>()
      const runner: TestRunner = {
        describe: (_, define) => define(),
        test: (name, run) => tests.set(name, run),
      }
      describeAdapter('faulty', open, runner, options)
      const results = new Map<string, string>()
      for (const [name, run] of tests) {
        expect(run, 'no parameter, which may be taken for a callback').toHaveLength(0)
        const context = { skip: (reason: string) => results.set(name, reason) }
        try {
          await run(context)
        } catch (error) {
          results.set(name, String(error))
        }
      }
      return { names: Array.from(tests.keys()), results }
    }

    const open = async () => memoryAdapter()
    const lacking = async () => {
      const { useVerificationToken: _, ...methods } = memoryAdapter()
      return methods
    }
    const rule = 'a second user with the same address is a conflict'

    test('has one for each rule', async () => {
      const { names, results } = await declared(open)
      const plain = names.map((name) => name.replace(/ \((?:A-\d+(?:, )?)+\)$/, ''))
      expect(plain).toEqual(adapterCases.map(({ name }) => name))
      expect(names).toContain('several users may have no address (A-20)')
      expect(results.size).toBe(0)
    })

    test('skips, with the reason, rules for methods that the adapter lacks', async () => {
      const { results } = await declared(lacking)
      expect(new Set(results.values())).toEqual(
        new Set(['the adapter has no useVerificationToken']),
      )
    })

    test('omits rules for declared exceptions, and checks that these are true', async () => {
      const options = { without: ['useVerificationToken'] } as const
      const { names, results } = await declared(lacking, options)
      expect(names).toContain('it has no useVerificationToken')
      expect(names.length).toBeLessThan(adapterCases.length)
      expect(results.size).toBe(0)
      const wrong = await declared(open, options)
      expect([...wrong.results]).toEqual([
        [
          'it has no useVerificationToken',
          'Error: without: the adapter does have useVerificationToken',
        ],
      ])
    })

    /** A memory adapter that may be interrupted, with one method that takes two steps. */
    const breaking = (break_: (steps: CompleteAdapter) => Partial<CompleteAdapter>) => async () => {
      const changes = /^(?:create|update|delete|link|unlink|use|replace|take)/
      const { wrap, interrupt } = interruptible((method) => changes.test(method))
      const steps = wrap(memoryAdapter()) as CompleteAdapter
      return { ...steps, ...break_(steps), interrupt }
    }

    test('interrupts work of several steps, if it can', async () => {
      const { names, results } = await declared(open, { interruptible: breaking(() => ({})) })
      expect(names.filter((name) => name.includes('interrupted')).length).toBeGreaterThan(8)
      expect(results.size).toBe(0)
    })

    test('finds an adapter that claims an address first and creates the user afterwards', async () => {
      const claimed = new Set<string>()
      const interruptible = breaking((steps) => ({
        async createUser(user) {
          if (claimed.has(user.email)) throw new Error('taken')
          claimed.add(user.email)
          return steps.createUser(user)
        },
      }))
      const { results } = await declared(open, { interruptible })
      expect(
        results.get('after an interrupted creation, a user is stored completely or can be created'),
      ).toContain('when change 1 was refused: Error: taken')
    })

    test('finds an adapter that does not finish an interrupted deletion', async () => {
      const interruptible = breaking((steps) => ({
        async deleteUser(id) {
          if ((await steps.getUser(id)) === null) return null
          for (const { sessionToken } of await steps[atomic].listSessionsByUserId(id)) {
            await steps.updateSession({ sessionToken, expires: new Date(0) })
          }
          return steps.updateUser({ id, email: `gone-${id}` })
        },
      }))
      const { results } = await declared(open, { interruptible })
      expect([...results.keys()]).toEqual([
        'T-LINK-8: entries whose creation was interrupted are removed with their user (A-22)',
        'T-LINK-8, T-SESS-5: an interrupted deletion of a user can be repeated, and is then complete (A-13, A-22)',
        'after an interrupted creation, a record is stored completely or can be created, and is deleted with its user (A-22)',
        'T-LINK-8: an interrupted deletion of a user with records can be repeated, and is then complete (A-13, A-22)',
      ])
    })

    test('finds an adapter that forgets a passkey when the unlinking was interrupted', async () => {
      const interruptible = breaking((steps) => {
        const made: AdapterAuthenticator[] = []
        return {
          async createAuthenticator(authenticator) {
            made.push(authenticator)
            return steps.createAuthenticator(authenticator)
          },
          async unlinkAccount(key) {
            const account = await steps.unlinkAccount(key)
            // In a second step, which needs the account that the first one removed.
            await steps.useVerificationToken({ identifier: 'none', token: 'none' })
            if (account) made.length = 0
            return account
          },
          getAuthenticator: async (id) =>
            made.find(({ credentialID }) => credentialID === id) ?? null,
        }
      })
      const { results } = await declared(open, { interruptible })
      expect([...results.keys()]).toContain(
        'an interrupted unlinking of a passkey can be repeated, and then removes the passkey (A-13)',
      )
    })

    test('finds an adapter that stores values in another form than it should', async () => {
      const readable = async () => {
        const adapter = memoryAdapter() as CompleteAdapter
        const db: StoredRecords = {
          user: adapter.getUser,
          account: (key) => adapter.getAccount(key.providerAccountId, key.provider),
          session: async (token) => (await adapter.getSessionAndUser(token))?.session ?? null,
          // A token that stays where it was.
          verificationToken: ({ identifier, token }) => ({ identifier, token, expires: NOW }),
          authenticator: adapter.getAuthenticator,
        }
        return { ...adapter, db }
      }
      const { names, results } = await declared(open, { readable })
      expect(names.filter((name) => name.includes('the store has'))).toHaveLength(6)
      expect([...results.keys()]).toEqual(['the store has a verification token until it is taken'])
    })

    test('checks that each declared exception is true', async () => {
      const except = { [rule]: 'the table has no unique key' }
      const wrong = await declared(open, { except })
      expect([...wrong.results]).toEqual([
        [
          `not kept, the table has no unique key: ${rule} (A-14, A-20)`,
          'Error: except: the adapter keeps this rule; take it out of the list',
        ],
      ])
      const [, [folding]] = Object.entries(faults).find(([name]) => name.startsWith('folds'))!
      const bytes = 'T-DATA-2: addresses compare byte for byte'
      const right = await declared(folding, { except: { [bytes]: 'folds case' } })
      expect(right.names).toContain(`not kept, folds case: ${bytes} (A-24)`)
      expect(right.results.has(`not kept, folds case: ${bytes} (A-24)`)).toBe(false)
    })

    test('accepts the name that a rule had in version 0.2.0', async () => {
      const former = 'several users may be without an address'
      const { names } = await declared(open, { except: { [former]: 'so' } })
      expect(names).toContain(
        `not kept, so: several users may have no address (A-20) (deprecated in except: "${former}")`,
      )
      const rules = adapterCases.map(({ name }) => name)
      expect(rules).toEqual(expect.arrayContaining([...formerNames.values()]))
      expect(rules.filter((rule) => formerNames.has(rule))).toEqual([])
    })

    test('checks that a store which does not respond causes an error', async () => {
      const down = async () => {
        throw new Error('down')
      }
      const broken: Adapter = {
        getUser: down,
        getSessionAndUser: down,
        [atomic]: { countAttempt: down },
      }
      const name = 'a store that does not respond causes an error, never an empty result (A-03)'
      const right = await declared(open, { failing: async () => broken })
      expect(right.names).toContain(name)
      expect(right.results.size).toBe(0)
      const wrong = await declared(open, {
        failing: async () => ({ ...broken, getSessionAndUser: () => null }),
      })
      expect([...wrong.results]).toEqual([
        [name, 'Error: getSessionAndUser returned null although the store does not respond'],
      ])
      const opening = { ...broken, [atomic]: { countAttempt: () => true } }
      const counting = await declared(open, { failing: async () => opening })
      expect([...counting.results.values()]).toEqual([
        'Error: countAttempt returned true although the store does not respond',
      ])
    })

    test('refuses an exception from no rule', async () => {
      await expect(declared(open, { except: { 'no rule': 'so' } })).rejects.toThrow(
        'except: there is no rule "no rule"',
      )
    })
  })
})

function wholeSeconds(date: Date): Date {
  return new Date(Math.floor(date.getTime() / 1000) * 1000)
}
