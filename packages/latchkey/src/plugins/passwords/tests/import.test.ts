import { hashPassword } from '@better-auth/utils/password'
import { describe, expect, test } from 'vitest'
import { passwordsSite } from '../../../../tests/support/passwords-site.ts'
import { createLatchkey } from '../../../entries/index.ts'
import { atomic } from '../../../entries/plugin.ts'
import { betterAuth } from '../foreign/index.ts'
import type { PasswordsApi } from '../passwords-api.ts'

/** Shorter than a new password may be. */
const OLD = 'old short pw'

describe('a password of another system', () => {
  test('PW-36: a user whose hash Better Auth made keeps the password, and the first sign-in replaces the hash', async () => {
    const site = passwordsSite({ foreign: [betterAuth()] })
    const { adapter } = site.world.config
    await adapter?.createUser?.({
      id: 'u1',
      email: 'ada@example.com',
      emailVerified: new Date(site.world.now()),
    })
    const { api } = createLatchkey(site.world.config as never) as never as {
      api: { passwords: PasswordsApi }
    }
    await api.passwords.importHash('u1', { hash: await hashPassword(OLD) })
    const stored = async () =>
      (await adapter?.[atomic]?.getRecord?.({ kind: 'password', key: 'u1' }))?.data['hash']
    const before = await stored()
    const wrong = await site.signIn('ada@example.com', `${OLD}!`, site.world.otherBrowser())
    expect(wrong.status).toBe(401)
    expect((await site.signIn('ada@example.com', OLD)).status).toBe(200)
    expect(await stored()).not.toBe(before)
    expect(site.events.map(({ type }) => type)).toContain('password.rehashed')
    const again = passwordsSite({}, { adapter: adapter as never })
    expect((await again.signIn('ada@example.com', OLD)).status).toBe(200)
    await expect(
      api.passwords.importHash('u1', { hash: await hashPassword(OLD) }),
    ).rejects.toMatchObject({ code: 'conflict' })
  })

  test('T-ACC-12: a hash of no known system, or of one that is not in `foreign`, is refused at the import', async () => {
    const site = passwordsSite()
    await site.world.config.adapter?.createUser?.({
      id: 'u1',
      email: 'ada@example.com',
      emailVerified: null,
    })
    const { api } = createLatchkey(site.world.config as never) as never as {
      api: { passwords: PasswordsApi }
    }
    for (const hash of [
      'nonsense',
      await hashPassword(OLD),
      '$argon2id$v=19$m=1099511627776,t=1,p=1$AAAA$AAAA',
    ])
      await expect(api.passwords.importHash('u1', { hash })).rejects.toThrow()
    expect(await api.passwords.has('u1')).toBe(false)
  })
})
