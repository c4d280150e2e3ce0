import { describe, expect, test } from 'vitest'
import { createWorld, type World } from '../../src/entries/testing.ts'
import type { AuthConfig } from '../../src/options/auth-config.ts'
import type { CallbacksOptions } from '../../src/options/callbacks.ts'
import Credentials from '../../src/providers/credentials.ts'
import { recordingAdapter } from '../support/recording.ts'

const ada = { id: 'u1', name: 'Ada', email: 'ada@example.com', passwordHash: '$argon2id$…' }

async function signedIn(
  session: NonNullable<CallbacksOptions['session']>,
  config: Partial<AuthConfig> = {},
): Promise<{ world: World; stored: string }> {
  const { adapter, calls } = recordingAdapter()
  await adapter.createUser({ ...ada, emailVerified: null })
  const providers = [Credentials({ authorize: () => ada })]
  const world = createWorld({ providers, adapter, ...config, callbacks: { session } })
  await world.post('/auth/callback/credentials')
  const created = calls.findLast(([name]) => name === 'createSession')?.[1]
  return { world, stored: (created as { sessionToken: string } | undefined)?.sessionToken ?? '' }
}

const warnings = ({ log }: World): unknown[] =>
  log.filter(({ level }) => level === 'warn').map(({ message, detail }) => [message, detail])

describe('SEC-28: the session callback and what the browser receives', () => {
  const callbacks: Record<string, NonNullable<CallbacksOptions['session']>> = {
    'the session that it received': ({ session }) => session,
    'a copy of the session': ({ session }) => ({ ...session, role: 'reader' }),
    'the session within another object': ({ session }) => ({
      expires: '2100-01-01T00:00:00.000Z',
      user: { name: 'Ada' },
      stored: session,
    }),
    'the key by its name': ({ session }) => ({
      ...session,
      sessionToken: (session as { sessionToken?: string }).sessionToken,
    }),
  }

  test.each(Object.entries(callbacks))(
    'never include the key of a stored session if the callback returns %s',
    async (_, callback) => {
      const { world, stored } = await signedIn(callback)
      const text = await (await world.get('/auth/session')).text()
      expect(stored).not.toBe('')
      expect(text).toContain('Ada')
      expect(text).not.toContain('sessionToken')
      expect(text).not.toContain(stored)
    },
  )

  test('leave the key of a stored session to the callback', async () => {
    const seen: unknown[] = []
    const { world, stored } = await signedIn(({ session }) => {
      seen.push((session as { sessionToken?: string }).sessionToken)
      return session
    })
    await world.session()
    expect(seen).toEqual([stored])
  })

  test.each([
    ['database', {}],
    ['jwt', { session: { strategy: 'jwt' } }],
  ] as const)(
    'cause one warning if the callback returns the whole user, with the names that look secret (%s)',
    async (_, config) => {
      const { world } = await signedIn(
        ({ session }) => ({ ...session, user: { ...ada, apiToken: 'x' } }),
        config,
      )
      await world.session()
      await world.session()
      expect(warnings(world)).toEqual([
        ['session-secrets', expect.stringContaining('user.passwordHash, user.apiToken,')],
      ])
      expect(JSON.stringify(world.log)).not.toContain('$argon2id$')
    },
  )

  test('cause no warning if the callback returns named members', async () => {
    const { world } = await signedIn(({ session, user }) => ({
      expires: session.expires,
      user: { id: user.id, name: user.name ?? null },
    }))
    expect(await world.session()).toMatchObject({ user: { id: 'u1', name: 'Ada' } })
    expect(warnings(world)).toEqual([])
  })
})
