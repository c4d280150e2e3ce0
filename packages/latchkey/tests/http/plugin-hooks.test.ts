import { describe, expect, test } from 'vitest'
import { definePlugin } from '../../src/entries/plugin.ts'
import {
  createSite,
  passwordSignIn,
  providerSignIn,
  SECRET,
  strategies,
} from '../attacks/support/site.ts'

const DAY = 86_400
const NEW_SECRET = 'the next secret of the site, 0123456789'

/** A plugin that notes each of its hooks that is called, and whose session it is about. */
function noting(told: string[]) {
  return definePlugin({
    name: 'noting',
    judgesSessions: true,
    setUp: () => ({
      session: {
        claims: ['noted'],
        beforeProof: (userId) => {
          told.push(`beforeProof ${userId}`)
          return { seen: 'before' }
        },
        beforeIssue: async ({ userId }, { before }) => {
          told.push(`beforeIssue ${userId} ${JSON.stringify(before)}`)
          return { noted: true }
        },
        afterIssue: async ({ userId }) => void told.push(`afterIssue ${userId}`),
        onRead: ({ userId }) => {
          told.push(`onRead ${userId}`)
          return 'good'
        },
        onExtend: ({ userId }) => {
          told.push(`onExtend ${userId}`)
          return 'extend'
        },
        onRename: async ({ userId, key }, to, when) =>
          void told.push(`onRename ${when} ${userId} ${key !== to}`),
        onEnd: async ({ userId }, reason) => void told.push(`onEnd ${userId} ${reason}`),
      },
      beforeUserDelete: async (userId) => {
        told.push(`beforeUserDelete ${userId}`)
        return 'kept'
      },
      onUserDelete: async (userId, before) =>
        void told.push(`onUserDelete ${userId} ${String(before)}`),
      maintain: async () => void told.push('maintain'),
    }),
  })
}

describe.each(strategies)('GEN-2: a plugin is called, with %s sessions,', (strategy) => {
  async function site() {
    const told: string[] = []
    const { world, adapter } = await createSite({
      strategy,
      config: { plugins: [noting(told)] },
    })
    return { world, adapter, told, plan: world.core.plan(world.config) }
  }

  test('when a session begins, with the result of `beforeProof` of a known user', async () => {
    const { world, told } = await site()
    await providerSignIn(world, 'acme')
    await world.post('/auth/signout')
    told.length = 0
    await providerSignIn(world, 'acme')
    const began = told.filter((line) => !line.startsWith('onRead'))
    const [, userId] = began[0]?.split(' ') ?? []
    expect(userId).toBeDefined()
    const before = JSON.stringify({ noting: { seen: 'before' } })
    expect(began).toEqual([
      `beforeProof ${userId}`,
      `beforeIssue ${userId} ${before}`,
      `afterIssue ${userId}`,
    ])
  })

  test('when a session is read, extended and ended', async () => {
    const { world, told } = await site()
    await passwordSignIn(world)
    told.length = 0
    expect(await world.session()).not.toBeNull()
    expect(told.splice(0)).toContain('onRead ada')
    world.advance(2 * DAY)
    await world.session()
    const extended = told.splice(0)
    expect(extended.indexOf('onExtend ada')).toBeGreaterThan(extended.indexOf('onRead ada'))
    await world.post('/auth/signout')
    expect(told.at(-1)).toBe('onEnd ada sign-out')
  })

  test('when a user is deleted, before and after', async () => {
    const { told, adapter, plan } = await site()
    await plan.plugins?.accounts.tellingDeletions(adapter).deleteUser?.('ada')
    expect(told).toEqual(['beforeUserDelete ada', 'onUserDelete ada kept'])
  })

  test('when expired rows are cleaned up', async () => {
    const { told, plan } = await site()
    await plan.plugins?.maintain(2000)
    expect(told).toEqual(['maintain'])
  })
})

test('GEN-2: a plugin is called when a stored session gets another hash after a rotation of the secret', async () => {
  const told: string[] = []
  const { world } = await createSite({
    strategy: 'database',
    config: { plugins: [noting(told)] },
  })
  await passwordSignIn(world)
  told.length = 0
  const config = { ...world.config, secret: [NEW_SECRET, SECRET] }
  const request = new Request('https://app.example/auth/session', {
    headers: { cookie: [...world.jar].map(([name, value]) => `${name}=${value}`).join('; ') },
  })
  const answer = await world.core.auth(request, config)
  expect(await answer.json()).not.toBeNull()
  expect(told.filter((line) => line.startsWith('onRename'))).toEqual([
    'onRename before ada true',
    'onRename after ada true',
  ])
})
