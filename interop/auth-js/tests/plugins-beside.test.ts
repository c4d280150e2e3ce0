import { afterAll, beforeAll, describe } from 'vitest'
import type { Adapter } from '../../../packages/latchkey/src/model/adapter.ts'
import { describePluginsBeside } from '../../../packages/latchkey/tests/support/plugins-beside.ts'
import { type Store, stores } from './support/stores.ts'

/** Published adapters whose ids and errors differ: numbers, errors for what is gone, and neither. */
const PUBLISHED = ['@auth/pg-adapter', '@auth/prisma-adapter', '@auth/drizzle-adapter']

describe.each(PUBLISHED)('beside %s', (name) => {
  let store: Store | undefined
  beforeAll(async () => {
    store = await stores.find(({ packageName }) => packageName === name)?.open()
  })
  afterAll(() => store?.close())

  describePluginsBeside(async () => {
    await store?.clear()
    return store?.adapter as Adapter
  })
})
