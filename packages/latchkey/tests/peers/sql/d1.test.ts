import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  type D1Binding,
  type D1Result,
  type D1Statement,
  d1Store,
} from '../../../src/adapters/sql/d1.ts'
import { checkSchema, migrate, type SqlStore, sqlAdapter } from '../../../src/adapters/sql/index.ts'
import { tableNames } from '../../../src/adapters/sql/tables.ts'
import { describeAdapter, sideBySide } from '../../contracts/adapter-contract.ts'
import { startMiniflare } from '../../support/runtimes.ts'

// Each query goes to another process and back.
vi.setConfig({ testTimeout: 180_000 })

/** Asks its binding what it is told to. That of Miniflare itself asks at each `prepare` and `bind`, too. */
const WORKER = `
export default {
  async fetch(request, { ONE }) {
    const asked = await request.json()
    const prepared = asked.map(({ sql, values }) => ONE.prepare(sql).bind(...values))
    try {
      const results = asked.length === 1 ? [await prepared[0].all()] : await ONE.batch(prepared)
      return Response.json({ results })
    } catch (error) {
      return Response.json({ error: error.message })
    }
  },
}`

type Asked = D1Statement & { readonly sql: string; readonly values: readonly unknown[] }

function bindingAt(url: URL): D1Binding {
  const ask = async (statements: readonly Asked[]): Promise<D1Result[]> => {
    const body = JSON.stringify(statements.map(({ sql, values }) => ({ sql, values })))
    // A connection that is used again may just be closing: what is sent then is lost. Compressing takes time only.
    const headers = { connection: 'close', 'accept-encoding': 'identity' }
    const answer = await fetch(url, { method: 'POST', body, headers })
    const { results, error } = (await answer.json()) as { results: D1Result[]; error?: string }
    if (error !== undefined) throw new Error(error)
    return results
  }
  const statement = (sql: string, values: readonly unknown[]): Asked => {
    const asked: Asked = {
      sql,
      values,
      bind: (...given) => statement(sql, given),
      all: async () => (await ask([asked]))[0] as D1Result,
    }
    return asked
  }
  return {
    prepare: (sql) => statement(sql, []),
    batch: async (statements) => ask(statements as Asked[]),
  }
}

describe('D1', () => {
  const miniflare = startMiniflare({
    modules: true,
    script: WORKER,
    compatibilityDate: '2026-08-01',
    d1Databases: ['ONE', 'TWO'],
  })
  let binding: D1Binding
  let store: SqlStore
  beforeAll(async () => {
    binding = bindingAt(await miniflare.ready)
    store = d1Store(binding)
    await migrate(store, { records: true })
  })
  afterAll(() => miniflare.dispose())

  describeAdapter(
    'sql on D1',
    async () => {
      const inOrder = tableNames.toReversed()
      await binding.batch(inOrder.map((table) => binding.prepare(`DELETE FROM "${table}"`)))
      return sideBySide(() => sqlAdapter(store, { records: true }))
    },
    { without: ['transaction'] },
  )

  test('passes the schema check after its migration, which many processes may begin', async () => {
    const two = d1Store(await miniflare.getD1Database('TWO'))
    const answers = await Promise.all([1, 2, 3].map(() => migrate(two, { records: true })))
    expect(answers.flat()).toEqual([1])
    expect(await checkSchema(two, { records: true })).toEqual([])
  })
})
