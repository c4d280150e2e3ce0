import { expect, test, vi } from 'vitest'
import { AccountWalk } from './walk.ts'

// What a hash costs is no part of the model.
vi.mock('../../../src/plugins/passwords/hashing/hasher.ts', () => ({
  createHasher: () => ({
    hash: async (password: string) => `$model$${password}`,
    verify: async (password: string, stored?: string) => stored === `$model$${password}`,
    parameters: async () => '$model$',
    tag: async (text: string) => btoa(text),
    isWeaker: async () => false,
    engine: async () => 'model',
    lacks: async () => [],
  }),
}))

vi.mock('../../../src/plugins/passwords/hashing/say-engine.ts', () => ({ sayEngine: () => {} }))

/** Once everybody has an account less can happen, so there are several walks, each in a world of its own. */
const STEPS = 250
/** Steps in all. More are walked with `WALK_STEPS=100000`, which takes minutes. */
const ALL = Number(process.env['WALK_STEPS'] ?? 2000)

const ENDS: readonly string[] = [
  'ask for a code: too soon for another mail',
  'ask for a new password: mailed',
  'ask for a new password: nobody',
  'change the password: done',
  'change the password: wrong',
  'choose a user name: done',
  'choose a user name: taken',
  'choose a user name: too early',
  'guess a code: too many tries',
  'guess the code of a sign-up: too many tries',
  'open the link of a sign-up: asks for a password',
  'open the link of a sign-up: done elsewhere, with another password',
  'open the link of a sign-up: done where it began',
  'remove the second factor: done',
  'remove the second factor: the proof is too old',
  'reset the password: dead',
  'reset the password: done',
  'set up a second factor: done',
  'set up a second factor: the proof is too old',
  'set up a second factor: wrong',
  'sign in: refused',
  'sign in: signed in',
  'sign in: waits for the second factor',
  'sign up: has an account',
  'sign up: too soon for another mail',
  'type a code: signed in',
  'type a code: waits for the second factor',
  'type a code: wrong',
  'type the code of a sign-up: done',
  'type the code of a sign-up: of nothing that began here',
  'type the code of a sign-up: wrong',
  'type the second factor: done',
  'type the second factor: nothing waits',
  'type the second factor: wrong',
]

test(`12.3: accounts of three browsers agree with the model in ${ALL} random steps, and nobody gets in with less than the account asks for`, async () => {
  const first = Number(process.env['WALK_SEED'] ?? 1)
  const taken = new Map<string, number>()
  for (let seed = first; seed < first + ALL / STEPS; seed++) {
    const walk = new AccountWalk(seed, taken)
    for (let step = 0; step < STEPS; step++) {
      try {
        await walk.step()
      } catch (error) {
        const where = `step ${step} with WALK_SEED=${seed} departs from the model`
        throw new Error(where, { cause: error })
      }
    }
  }
  // What a walk never comes to is not tested by it.
  expect(ENDS.filter((end) => !taken.has(end))).toEqual([])
}, 3_600_000)
