import { describe, expect, test } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import type { VerificationToken } from '../../src/model/verification-token.ts'
import {
  adapterCases,
  type CompleteAdapter,
  failingCases,
  type OpenedAdapter,
} from './adapter-contract.ts'

/** A memory adapter with a fault. */
function faulty(break_: (good: CompleteAdapter) => Partial<CompleteAdapter>) {
  return async (): Promise<OpenedAdapter> => {
    const good = memoryAdapter() as CompleteAdapter
    return { ...good, ...break_(good) }
  }
}

const later = () => new Promise((resolve) => setImmediate(resolve))

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
      'an address may have several open verification tokens, and taking one leaves the others',
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
    ['T-LINK-4: of many parallel users with one address exactly one is created'],
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
      'a session comes back with its user, right after it was created',
      'dates of sessions keep their milliseconds, from 1970 to 9999',
      'T-DATA-2: session tokens compare byte for byte',
    ],
  ],
  'writes an update of a session that is gone': [
    faulty((good) => ({
      async updateSession(session) {
        const updated = await good.updateSession(session)
        if (updated || !session.userId || !session.expires) return updated
        return good.createSession({ ...session, userId: session.userId, expires: session.expires })
      },
    })),
    ['an update of a session that is not there is no error and creates none'],
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
    ['deleting a user removes all that is theirs and nothing else'],
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
      'a signature counter moves forward only',
      'T-OTV-1: of many parallel uses of one signature counter exactly one passes',
    ],
  ],
}

describe('the contract of adapters', () => {
  test('has a name of its own for each case', () => {
    const names = adapterCases.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })

  for (const [fault, [open, expected]] of Object.entries(faults)) {
    test(`notices an adapter that ${fault}`, async () => {
      expect(await failingCases(open)).toEqual(expect.arrayContaining(expected))
    })
  }

  test('asks nothing of an adapter that has no methods', async () => {
    expect(await failingCases(async () => ({}))).toEqual([])
  })
})

function wholeSeconds(date: Date): Date {
  return new Date(Math.floor(date.getTime() / 1000) * 1000)
}
