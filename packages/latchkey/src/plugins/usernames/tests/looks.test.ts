import { describe, expect, test } from 'vitest'
import { later, siteOf } from '../../../../tests/support/user-names.ts'
import { atomic } from '../../../model/adapter.ts'

const DAY = 24 * 60 * 60
const LETTERS = { pattern: /^[\p{L}\p{M}\p{N}]+$/u }

describe('T-ACC-45: a name that looks like another one', () => {
  test.each([
    ['another script', 'scope', 'ѕсоре'],
    ['a digit', 'google', 'g00gle'],
    ['letters that look like one', 'modem', 'modern'],
  ])('by %s is taken', async (_, first, second) => {
    const { names, world } = await siteOf(LETTERS)
    expect(await names.give(first, 'ada')).toBe(true)
    expect(await names.give(second, 'bob')).toBe(false)
    expect(await names.reserve(second, 'sign-up', later(world, DAY))).toBe(false)
    expect(await names.find(second)).toBeUndefined()
    expect(await names.nameOf('bob')).toBeUndefined()
    expect(await names.give(first, 'bob')).toBe(false)
  })

  test('is taken while a sign-up reserves the other one, and free when that expires', async () => {
    const { names, world } = await siteOf(LETTERS)
    expect(await names.reserve('scope', 'sign-up', later(world, DAY))).toBe(true)
    expect(await names.give('ѕсоре', 'bob')).toBe(false)
    world.advance(DAY + 1)
    expect(await names.give('ѕсоре', 'bob')).toBe(true)
    expect(await names.give('scope', 'ada')).toBe(false)
  })

  test('is taken for its owner, too, who keeps the name', async () => {
    const { names } = await siteOf(LETTERS)
    await names.give('scope', 'ada')
    expect(await names.give('ѕсоре', 'ada')).toBe(false)
    expect(await names.nameOf('ada')).toBe('scope')
  })

  test('is taken if the other one is reserved for the site', async () => {
    const { names } = await siteOf({ ...LETTERS, reserved: ['scope'] })
    expect(await names.give('ѕсоре', 'ada')).toBe(false)
    expect(await names.give('adrnin', 'ada')).toBe(false)
  })

  test('is free after the user with the other one was deleted, whose look is forgotten', async () => {
    const { names, adapter, world } = await siteOf(LETTERS)
    await names.give('scope', 'ada')
    await world.core
      .plan(world.config)
      .plugins?.accounts.tellingDeletions(adapter)
      .deleteUser?.('ada')
    expect(await names.give('ѕсоре', 'bob')).toBe(true)
  })

  test('is free a minute after a process was killed that took the look of the other one', async () => {
    const { names, adapter, world } = await siteOf(LETTERS)
    const now = new Date(world.now())
    const record = {
      kind: 'username-look',
      key: 'scope',
      data: { name: 'scope', since: world.now() },
      version: 1,
      createdAt: now,
    }
    await adapter[atomic]?.createRecord?.(record, now)
    expect(await names.give('ѕсоре', 'bob')).toBe(false)
    world.advance(60)
    expect(await names.give('ѕсоре', 'bob')).toBe(true)
    expect(await names.give('scope', 'ada')).toBe(false)
  })

  test('is not given if the other one is stored while its look is taken', async () => {
    const { names, adapter, world } = await siteOf(LETTERS)
    const abilities = adapter[atomic]
    const { createRecord, replaceRecord } = abilities ?? {}
    if (!abilities || !createRecord || !replaceRecord) throw new Error('no records')
    const now = new Date(world.now())
    const record = { kind: 'username-look', key: 'scope', version: 1, createdAt: now }
    await createRecord({ ...record, data: { name: 'scope', since: world.now() - 61_000 } }, now)
    const stored = { kind: 'username', key: 'scope', userId: 'ada', version: 1, createdAt: now }
    let isStored = false
    abilities.replaceRecord = async (next) => {
      const isReplaced = await replaceRecord(next)
      // A process that took the look long ago stores its name only now.
      if (!isStored) await createRecord({ ...stored, data: { shown: 'scope', since: 1 } }, now)
      isStored = true
      return isReplaced
    }
    expect(await names.give('ѕсоре', 'bob')).toBe(false)
    expect(await names.find('scope')).toBe('ada')
    expect(await names.give('scope', 'ada')).toBe(true)
    expect(await names.give('ѕсоре', 'bob')).toBe(false)
  })

  test('is another name if names have letters of ASCII only', async () => {
    const { names } = await siteOf()
    expect(await names.give('modem', 'ada')).toBe(true)
    expect(await names.give('modern', 'bob')).toBe(true)
  })
})

test('the look of a deleted user is forgotten', async () => {
  const { names, adapter, world } = await siteOf(LETTERS)
  await names.give('scope', 'ada')
  await world.core
    .plan(world.config)
    .plugins?.accounts.tellingDeletions(adapter)
    .deleteUser?.('ada')
  const left = await adapter[atomic]?.getRecord?.({ kind: 'username-look', key: 'scope' })
  expect(left?.expires?.getTime()).toBeLessThanOrEqual(world.now())
})
