import PostgresAdapter from '@auth/pg-adapter'
import { sqlAdapter } from 'latchkey/adapters/sql'
import { pgStore } from 'latchkey/adapters/sql/pg'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { memoryAdapter } from '../../../packages/latchkey/src/adapters/memory/index.ts'
import type { Adapter } from '../../../packages/latchkey/src/model/adapter.ts'
import {
  ours,
  returning,
  type Side,
  theirs,
} from '../../../packages/latchkey/tests/peers/differential/side.ts'
import { postgresDatabase } from '../../../packages/latchkey/tests/peers/sql/databases.ts'
import { Fleet, type Strategy } from './support/fleet.ts'
import { PG_TABLES } from './support/stores.ts'

const NEW = 'a new secret for a fleet, 0123456789abcdef'
const OLD = 'an old secret for a fleet, 0123456789abcdef'
const SEED = Number(process.env['FLEET_SEED'] ?? 1)

let peer: Side
beforeAll(async () => {
  peer = await theirs('fleet')
})

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

async function walk(fleet: Fleet, steps: number): Promise<void> {
  for (let step = 0; step < steps; step++) {
    try {
      await fleet.step()
    } catch (error) {
      throw new Error(`step ${step} with FLEET_SEED=${SEED} fails`, { cause: error })
    }
  }
}

/** Everything that can be begun by one kind of instance and ended by another was. */
function expectAllWays({ ways }: Fleet, strategy: Strategy): void {
  const kinds = ['latchkey', 'peer']
  const pairs = kinds.flatMap((from) => kinds.map((to) => `${from} to ${to}`))
  const all = [
    ...['acme', 'plain'].flatMap((how) => pairs.map((pair) => `${how}: ${pair}`)),
    'mail: latchkey to latchkey',
    'mail: latchkey to peer',
    'mail: peer to peer',
    'mail: peer to latchkey and latchkey',
    'mail: peer to latchkey and peer',
    ...(strategy === 'jwt' ? kinds.map((kind) => `password:  to ${kind}`) : []),
  ]
  expect([...ways.keys()].toSorted()).toEqual(all.toSorted())
}

/** For each strategy, and with each secret. */
const STEPS = Number(process.env['FLEET_STEPS'] ?? 2500)

describe.each(['jwt', 'database'] as const)(
  'a fleet of Latchkey and Auth.js, with %s sessions',
  (strategy) => {
    test.each([
      ['one secret', OLD],
      ['a secret that becomes a list', [NEW, OLD]],
    ])(
      `signs nobody out and fails no sign-in in ${STEPS} random steps, with %s`,
      async (_, secret) => {
        const adapter = memoryAdapter()
        const fleet = new Fleet(strategy, SEED)
        const mixed = [peer, returning, peer, returning].map((side) => ({ side, adapter }))
        fleet.start(mixed, OLD)
        await walk(fleet, STEPS / 10)
        fleet.start(mixed, secret)
        await walk(fleet, (STEPS * 9) / 10)
        expectAllWays(fleet, strategy)
        // Back to Auth.js alone, and then on with Latchkey, from which the plugin is taken out.
        for (const sides of [[peer], [returning], [returning, ours], [ours]]) {
          fleet.start(
            sides.map((side) => ({ side, adapter })),
            secret,
          )
          await walk(fleet, 100)
          await fleet.everybodyIsThere()
        }
        for (const session of fleet.sessions()) {
          expect(await adapter.getSessionAndUser?.(session)).toBeNull()
        }
      },
      120_000,
    )
  },
)

const database = await postgresDatabase()

describe.skipIf(!database)(
  'a fleet of Latchkey and Auth.js on the tables of @auth/pg-adapter',
  () => {
    const pool = new pg.Pool({ connectionString: database?.url, max: 8 })
    beforeAll(() => pool.query(PG_TABLES))
    afterAll(async () => {
      await pool.end()
      await database?.[Symbol.asyncDispose]()
    })

    test.each(['jwt', 'database'] as const)(
      'signs nobody out and fails no sign-in, with %s sessions',
      async (strategy) => {
        await pool.query('TRUNCATE users, accounts, sessions, verification_token')
        const theirs = PostgresAdapter(pool) as Adapter
        const own = sqlAdapter(pgStore(pool), { naming: 'pg' })
        const fleet = new Fleet(strategy, SEED)
        fleet.start(
          [
            { side: peer, adapter: theirs },
            { side: returning, adapter: theirs },
            { side: returning, adapter: own },
          ],
          [NEW, OLD],
        )
        await walk(fleet, 600)
        await fleet.everybodyIsThere()
        const { rows } = await pool.query<{ sessionToken: string }>('SELECT * FROM sessions')
        const tokens = rows.map(({ sessionToken }) => sessionToken)
        const stored = strategy === 'database' ? fleet.sessions() : []
        expect(tokens).toEqual(expect.arrayContaining(stored))
      },
      120_000,
    )
  },
)
