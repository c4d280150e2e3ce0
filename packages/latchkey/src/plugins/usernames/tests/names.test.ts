import { describe, expect, test } from 'vitest'
import { passwordSignIn } from '../../../../tests/attacks/support/site.ts'
import { hostOf, later, siteOf } from '../../../../tests/support/user-names.ts'
import { atomic } from '../../../model/adapter.ts'

const DAY = 24 * 60 * 60

describe('ACC-2: the user names that other plugins use', () => {
  test('are absent without the plugin', async () => {
    const { host } = await hostOf([])
    expect(host).toBeDefined()
    expect(host?.userNames()).toBeUndefined()
  })

  test('are found in any spelling, and shown as they were typed', async () => {
    const { names } = await siteOf()
    expect(await names.give('Ada.Lovelace', 'ada')).toBe(true)
    expect(await names.find(' ADA.lovelace ')).toBe('ada')
    expect(await names.find('ａｄａ.ｌｏｖｅｌａｃｅ')).toBe('ada')
    expect(await names.nameOf('ada')).toBe('Ada.Lovelace')
    expect(await names.find('ada')).toBeUndefined()
    expect(await names.nameOf('bob')).toBeUndefined()
  })

  test('OTC-19: sign nobody in if the option `signIn` is false', async () => {
    const { names } = await siteOf({ signIn: false })
    await names.give('lovelace', 'ada')
    expect(await names.find('lovelace')).toBeUndefined()
    expect(await names.nameOf('ada')).toBe('lovelace')
  })
})

describe('OTC-21: the name of a sign-up', () => {
  test('is reserved for its holder until the reservation expires', async () => {
    const { names, world } = await siteOf()
    expect(await names.reserve('Lovelace', 'sign-up 1', later(world, DAY))).toBe(true)
    expect(await names.reserve('lovelace', 'sign-up 2', later(world, DAY))).toBe(false)
    expect(await names.give('lovelace', 'bob')).toBe(false)
    expect(await names.give('lovelace', 'bob', 'sign-up 2')).toBe(false)
    expect(await names.find('lovelace')).toBeUndefined()
    world.advance(DAY + 1)
    expect(await names.give('lovelace', 'bob')).toBe(true)
    expect(await names.reserve('lovelace', 'sign-up 1', later(world, DAY))).toBe(false)
  })

  test('is reserved for longer by its holder, who then receives it', async () => {
    const { names, world } = await siteOf()
    await names.reserve('lovelace', 'sign-up', later(world, 60))
    expect(await names.reserve('lovelace', 'sign-up', later(world, DAY))).toBe(true)
    world.advance(61)
    expect(await names.give('Lovelace', 'ada', 'sign-up')).toBe(true)
    expect(await names.nameOf('ada')).toBe('Lovelace')
  })

  test('is not reserved if somebody has it', async () => {
    const { names, world } = await siteOf()
    await names.give('lovelace', 'ada')
    expect(await names.reserve('lovelace', 'sign-up', later(world, DAY))).toBe(false)
    expect(await names.give('lovelace', 'bob', 'sign-up')).toBe(false)
    expect(await names.find('lovelace')).toBe('ada')
  })

  test('is neither reserved nor given if nobody may have it', async () => {
    const { names, world } = await siteOf()
    expect(await names.reserve('admin', 'sign-up', later(world, DAY))).toBe(false)
    expect(await names.give('admin', 'ada')).toBe(false)
  })
})

describe('OTC-20: a name that was given up', () => {
  test('stays that of its last owner for 90 days, who signs in with the new one only', async () => {
    const { names, world } = await siteOf()
    await names.give('lovelace', 'ada')
    world.advance(1)
    expect(await names.give('countess', 'ada')).toBe(true)
    expect(await names.find('lovelace')).toBeUndefined()
    expect(await names.find('countess')).toBe('ada')
    expect(await names.give('lovelace', 'bob')).toBe(false)
    world.advance(90 * DAY - 10)
    expect(await names.give('lovelace', 'bob')).toBe(false)
    world.advance(20)
    expect(await names.give('lovelace', 'bob')).toBe(true)
  })

  test('is taken back by its last owner, and does not expire then', async () => {
    const { names, world } = await siteOf()
    await names.give('lovelace', 'ada')
    await names.give('countess', 'ada')
    expect(await names.give('lovelace', 'ada')).toBe(true)
    expect(await names.nameOf('ada')).toBe('lovelace')
    world.advance(91 * DAY)
    expect(await names.find('lovelace')).toBe('ada')
    expect(await names.find('countess')).toBeUndefined()
  })

  test('is free at once if its user is deleted', async () => {
    const { names, world, adapter } = await siteOf()
    await names.give('lovelace', 'ada')
    await adapter.deleteUser?.('ada')
    expect(await names.find('lovelace')).toBeUndefined()
    expect(await names.reserve('lovelace', 'sign-up', later(world, DAY))).toBe(true)
  })
})

test('OTC-21: two names of an interrupted change become one with the next read', async () => {
  const { names, adapter, world } = await siteOf()
  await names.give('lovelace', 'ada')
  world.advance(5)
  // The process was killed after it had stored the new name, and before it gave up the old one.
  const created = new Date(world.now())
  await adapter[atomic]?.createRecord?.(
    {
      kind: 'username',
      key: 'countess',
      userId: 'ada',
      data: { shown: 'Countess', since: world.now() },
      version: 1,
      createdAt: created,
    },
    created,
  )
  expect(await names.nameOf('ada')).toBe('Countess')
  expect(await names.find('lovelace')).toBeUndefined()
  expect(await names.give('lovelace', 'bob')).toBe(false)
})

test('a signed-in user has a name after `api.usernames.set`', async () => {
  const { world } = await siteOf()
  await passwordSignIn(world)
  const api = world.core.plan(world.config).plugins?.api('usernames') as unknown as Record<
    string,
    (...args: unknown[]) => Promise<unknown>
  >
  await api['set']?.({ userId: 'ada' }, 'Lovelace')
  expect(await api['nameOf']?.({ userId: 'ada' })).toBe('Lovelace')
  expect(await api['find']?.('lovelace')).toBe('ada')
  expect(await api['isFree']?.('lovelace')).toBe(false)
  await expect(api['set']?.({ userId: 'bob' }, 'lovelace')).rejects.toMatchObject({
    code: 'username_taken',
  })
  await expect(api['set']?.({ userId: 'bob' }, 'x')).rejects.toMatchObject({
    code: 'invalid_input',
    errors: [{ field: 'name', code: 'too_short' }],
  })
})
