import { createClient } from '@libsql/client'
import { drizzle } from 'drizzle-orm/libsql'
import { sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import { createTables } from '../../../tests/support/drizzle-tables.ts'
import { atomic } from '../../model/adapter.ts'
import { drizzleAdapter } from '../drizzle/index.ts'
import * as schema from '../drizzle/sqlite-schema.ts'

/** A table of NextAuth 4, in which each token is unique. */
const verificationToken = sqliteTable('tokens', {
  identifier: text().notNull(),
  token: text().notNull().unique(),
  expires: text().notNull(),
})

async function open() {
  const client = createClient({ url: ':memory:' })
  const tables = { ...schema, verificationToken }
  for (const statement of createTables(Object.values(tables))) await client.execute(statement)
  const adapter = drizzleAdapter(drizzle(client), tables)
  return { ...adapter[atomic], [Symbol.dispose]: () => client.close() }
}

const now = new Date('2030-01-01T00:00:00Z')
const expires = new Date('2030-01-01T00:01:00Z')

test('attempts and leases do not collide if the table has a unique token', async () => {
  using store = await open()
  for (const key of ['a', 'b']) {
    const attempt = { key, limit: 2, now, expires }
    expect(await store.countAttempt?.(attempt)).toBe(true)
    expect(await store.countAttempt?.(attempt)).toBe(true)
    expect(await store.countAttempt?.(attempt)).toBe(false)
  }
  for (const name of ['a', 'b']) {
    expect(await store.acquireLease?.({ name, now, expires })).toBe(expires.getTime())
    expect(await store.acquireLease?.({ name, now, expires })).toBeNull()
  }
})

test('a lease that expires before it begins is refused', async () => {
  using store = await open()
  await expect(store.acquireLease?.({ name: 'a', now, expires: now })).rejects.toThrow(RangeError)
})
