import { type AdapterCase, TOKEN_METHODS } from './cases.ts'
import { crowd, expectConflictOf } from './crowd.ts'
import { expect } from './expect.ts'
import { DATES, HARD_TEXTS, NEAR_TEXTS, SPLIT_PAIRS, take, token } from './resources.ts'

export const tokenCases: readonly AdapterCase[] = [
  {
    name: 'a verification token is returned once, with exactly three members',
    requirements: ['A-10'],
    needs: TOKEN_METHODS,
    async run(adapter) {
      await adapter.createVerificationToken(token())
      expect(await take(adapter, token())).toEqual(token())
      expect(await take(adapter, token())).toBeNull()
    },
  },
  {
    name: 'T-OTV-1: of many parallel takes of a verification token exactly one gets it',
    requirements: ['A-10'],
    needs: TOKEN_METHODS,
    async run(adapter) {
      for (let round = 0; round < 5; round++) {
        const mine = token({ token: `token-${round}` })
        await adapter.createVerificationToken(mine)
        const { won, lost } = await crowd(() => take(adapter, mine))
        expect(lost).toEqual([])
        expect(won.filter((taken) => taken !== null)).toEqual([mine])
      }
    },
  },
  {
    name: 'T-DATA-2: a verification token is found by address and token together',
    needs: TOKEN_METHODS,
    async run(adapter) {
      await adapter.createVerificationToken(token())
      await adapter.createVerificationToken(token({ identifier: 'bob@x.example', token: 'b' }))
      expect(await take(adapter, token({ token: 'wrong' }))).toBeNull()
      expect(await take(adapter, token({ identifier: 'eve@x.example' }))).toBeNull()
      expect(await take(adapter, token({ token: 'b' }))).toBeNull()
      expect(await take(adapter, token())).toEqual(token())
    },
  },
  {
    name: 'taking a verification token without an address returns null and removes nothing',
    needs: TOKEN_METHODS,
    async run(adapter) {
      await adapter.createVerificationToken(token())
      const identifier = undefined as unknown as string
      expect(await take(adapter, { identifier, token: token().token })).toBeNull()
      expect(await take(adapter, token())).toEqual(token())
    },
  },
  {
    name: 'an address may have several verification tokens; taking one keeps the others',
    requirements: ['A-21'],
    needs: TOKEN_METHODS,
    async run(adapter) {
      const [one, other] = [token({ token: 'one' }), token({ token: 'other' })]
      await adapter.createVerificationToken(one)
      await adapter.createVerificationToken(other)
      expect(await take(adapter, one)).toEqual(one)
      expect(await take(adapter, other)).toEqual(other)
    },
  },
  {
    name: 'a verification token that exists is a conflict',
    requirements: ['A-14', 'A-21'],
    needs: TOKEN_METHODS,
    async run(adapter) {
      await adapter.createVerificationToken(token())
      await expectConflictOf(
        () => adapter.createVerificationToken(token({ expires: DATES[6]! })),
        'verificationToken',
      )
      expect(await take(adapter, token())).toEqual(token())
    },
  },
  {
    name: 'an expired verification token is still taken; the caller checks the expiry',
    needs: TOKEN_METHODS,
    async run(adapter) {
      const over = token({ expires: new Date('2001-01-01T00:00:00.007Z') })
      await adapter.createVerificationToken(over)
      expect(await take(adapter, over)).toEqual(over)
      expect(await take(adapter, over)).toBeNull()
    },
  },
  {
    name: 'T-DATA-2: the address of a verification token compares byte for byte',
    requirements: ['A-24'],
    needs: TOKEN_METHODS,
    async run(adapter) {
      for (const [one, other] of NEAR_TEXTS) {
        await adapter.createVerificationToken(token({ identifier: one }))
        expect(await take(adapter, token({ identifier: other }))).toBeNull()
        expect(await take(adapter, token({ identifier: one }))).toEqual(token({ identifier: one }))
      }
    },
  },
  {
    name: 'T-DATA-2: two different pairs of address and token are never the same key',
    requirements: ['A-25'],
    needs: TOKEN_METHODS,
    async run(adapter) {
      for (const [[identifier, text], [otherIdentifier, otherText]] of SPLIT_PAIRS) {
        await adapter.createVerificationToken(token({ identifier, token: text }))
        const other = token({ identifier: otherIdentifier, token: otherText })
        expect(await take(adapter, other)).toBeNull()
      }
    },
  },
  {
    name: 'verification tokens keep strings and dates unchanged',
    requirements: ['A-25', 'A-27', 'A-34'],
    needs: TOKEN_METHODS,
    async run(adapter) {
      for (const [index, identifier] of HARD_TEXTS.entries()) {
        const expires = DATES[index % DATES.length]!
        const hard = token({ identifier, token: identifier, expires })
        await adapter.createVerificationToken(hard)
        expect(await take(adapter, hard)).toEqual(hard)
      }
    },
  },
]
