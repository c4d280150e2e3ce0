import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { migrate, type SqlStore, sqlAdapter } from '../../../src/adapters/sql/index.ts'
import { isAdapterConflict } from '../../../src/model/adapter.ts'
import { engines } from './engines.ts'

/** Addresses and keys of sessions with what drivers put around a value. */
const ADDRESS = "ada.') already' for key@x.example"
const KEY = 'session-key)=(of ada'

async function conflict(write: () => unknown): Promise<unknown> {
  const error: unknown = await Promise.resolve(write()).catch((error: unknown) => error)
  if (!isAdapterConflict(error)) throw new Error('expected a conflict', { cause: error })
  return error
}

async function expectNothingTold(store: SqlStore): Promise<void> {
  await migrate(store)
  const adapter = sqlAdapter(store)
  await adapter.createUser?.({ id: '1', email: ADDRESS, emailVerified: null })
  const session = { sessionToken: KEY, userId: '1', expires: new Date('2030-01-01') }
  await adapter.createSession?.(session)
  const user = { id: '2', email: ADDRESS, emailVerified: null }
  for (const write of [() => adapter.createUser?.(user), () => adapter.createSession?.(session)]) {
    const told = inspect(await conflict(write), { depth: 5, showHidden: true })
    expect(told).toMatch(/cause|code/)
    expect(told).not.toMatch(/ada\.|x\.example|of ada/)
  }
}

describe.for(await engines())('a conflict on $name', (engine) => {
  test('is reported without stored values', async () => {
    await using opened = await engine.open()
    await expectNothingTold(opened.store)
  })
})
