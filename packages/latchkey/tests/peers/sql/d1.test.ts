import { Miniflare } from 'miniflare'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { d1Store } from '../../../src/adapters/sql/d1.ts'
import { checkSchema, migrate, type SqlStore, sqlAdapter } from '../../../src/adapters/sql/index.ts'
import { describeAdapter, sideBySide } from '../../contracts/adapter-contract.ts'
import { empty } from './databases.ts'

// Each query goes to another process and back.
vi.setConfig({ testTimeout: 180_000 })

describe('D1', () => {
  const miniflare = new Miniflare({
    modules: true,
    script: 'export default {}',
    compatibilityDate: '2026-08-01',
    d1Databases: ['ONE', 'TWO'],
  })
  let store: SqlStore
  beforeAll(async () => {
    store = d1Store(await miniflare.getD1Database('ONE'))
    await migrate(store, { records: true })
  })
  afterAll(() => miniflare.dispose())

  describeAdapter(
    'sql on D1',
    async () => {
      await empty(store)
      return sideBySide(() => sqlAdapter(store, { records: true }))
    },
    { without: ['transaction'] },
  )

  test('has what it needs after its migration, which many may begin', async () => {
    const two = d1Store(await miniflare.getD1Database('TWO'))
    const answers = await Promise.all([1, 2, 3].map(() => migrate(two, { records: true })))
    expect(answers.flat()).toEqual([1])
    expect(await checkSchema(two, { records: true })).toEqual([])
  })
})
