import { describe, expect, test } from 'vitest'
import { GOOD, OTHER, passwordsSite } from '../../../../tests/support/passwords-site.ts'
import type { Adapter } from '../../../entries/adapters.ts'
import { createLatchkey, type ResealedRecords } from '../../../entries/index.ts'
import { atomic } from '../../../entries/plugin.ts'

const OLD = 'the old secret, 0123456789abcdefg'
const NEW = 'the new secret, 0123456789abcdefg'

type Secrets = string | readonly string[]

function siteWith(secret: Secrets, adapter?: Adapter, options = {}) {
  return passwordsSite(options, { secret: secret as never, ...(adapter && { adapter }) })
}

const reseal = ({ world }: ReturnType<typeof siteWith>): Promise<ResealedRecords> =>
  createLatchkey(world.config as never).resealRecords()

/** A store with two passwords, sealed with the old secret. */
async function storeOfTwo(options = {}): Promise<Adapter> {
  const site = siteWith(OLD, undefined, options)
  await site.signUp()
  site.world.advance(61)
  await site.signUp('bob@example.com', OTHER, site.world.otherBrowser())
  return site.world.config.adapter as Adapter
}

async function notedKinds(adapter: Adapter): Promise<unknown[]> {
  const page = await adapter[atomic]?.listRecords?.({ kind: 'sealed-by', limit: 100 })
  return page?.records.map(({ data }) => data['kind']) ?? []
}

describe('ACC-5: passwords and a new secret', () => {
  test('are sealed with the new secret, so that the old one can be removed', async () => {
    const adapter = await storeOfTwo()
    const both = siteWith([NEW, OLD], adapter)
    expect(await reseal(both)).toEqual({ resealed: 2, current: 0, unreadable: 0 })
    expect(await reseal(both)).toEqual({ resealed: 0, current: 2, unreadable: 0 })
    const after = siteWith(NEW, adapter)
    expect((await after.signIn()).status).toBe(200)
    expect((await after.signIn('bob@example.com', OTHER)).status).toBe(200)
    expect(await notedKinds(adapter)).toEqual(['password'])
    expect(after.world.log.filter(({ level }) => level === 'error')).toEqual([])
  })

  test('a run that is interrupted goes on where it stopped', async () => {
    const adapter = await storeOfTwo()
    const { replaceRecord } = adapter[atomic] ?? {}
    let writes = 0
    const failing: Adapter = {
      ...adapter,
      [atomic]: {
        ...adapter[atomic],
        replaceRecord: async (record) => {
          writes += 1
          if (writes === 2) throw new Error('the store is gone')
          return (await replaceRecord?.(record)) ?? false
        },
      },
    }
    await expect(reseal(siteWith([NEW, OLD], failing))).rejects.toThrow('the store is gone')
    expect(await reseal(siteWith([NEW, OLD], adapter))).toEqual({
      resealed: 1,
      current: 1,
      unreadable: 0,
    })
  })

  test('a password that is changed meanwhile stays the changed one', async () => {
    const adapter = await storeOfTwo()
    const { replaceRecord } = adapter[atomic] ?? {}
    const both = siteWith([NEW, OLD], adapter)
    let isFirst = true
    const overtaken: Adapter = {
      ...adapter,
      [atomic]: {
        ...adapter[atomic],
        replaceRecord: async (record) => {
          if (isFirst) {
            isFirst = false
            const user = await adapter.getUserByEmail?.('ada@example.com')
            const { api } = createLatchkey(both.world.config as never) as never as {
              api: { passwords: { set(id: string, password: string): Promise<void> } }
            }
            await api.passwords.set(String(user?.id), `${GOOD}, changed`)
          }
          return (await replaceRecord?.(record)) ?? false
        },
      },
    }
    expect(await reseal(siteWith([NEW, OLD], overtaken))).toMatchObject({ unreadable: 0 })
    const after = siteWith(NEW, adapter)
    expect((await after.signIn('ada@example.com', GOOD)).status).toBe(401)
    expect((await after.signIn('ada@example.com', `${GOOD}, changed`)).status).toBe(200)
    expect((await after.signIn('bob@example.com', OTHER)).status).toBe(200)
  })

  test('T-ACC-46: an old secret that was removed too early is named, once, with the way to mend it', async () => {
    const adapter = await storeOfTwo()
    const early = siteWith(NEW, adapter)
    for (let attempt = 0; attempt < 2; attempt++) expect((await early.signIn()).status).toBe(401)
    const named = early.world.log.filter(({ message }) => message.includes('secrets reseal'))
    expect(named).toHaveLength(1)
    expect(await reseal(early)).toEqual({ resealed: 0, current: 0, unreadable: 2 })
    expect(await notedKinds(adapter)).toEqual(['password'])
    const mended = siteWith([NEW, OLD], adapter)
    expect(await reseal(mended)).toMatchObject({ resealed: 2 })
    expect((await siteWith(NEW, adapter).signIn()).status).toBe(200)
  })

  test('keys of their own are rotated in the same way, and hashes that are not sealed stay', async () => {
    const keys = (...all: string[]) => ({ pepper: { keys: all } })
    const adapter = await storeOfTwo(keys(OLD))
    expect(await notedKinds(adapter)).toEqual([])
    const site = siteWith('a secret of the site, 0123456789', adapter, keys(NEW, OLD))
    expect(await reseal(site)).toEqual({ resealed: 2, current: 0, unreadable: 0 })
    const after = siteWith('a secret of the site, 0123456789', adapter, keys(NEW))
    expect((await after.signIn()).status).toBe(200)
    const plain = await storeOfTwo({ pepper: false })
    expect(await reseal(siteWith(NEW, plain))).toEqual({ resealed: 0, current: 0, unreadable: 0 })
  })
})
