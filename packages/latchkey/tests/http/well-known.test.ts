import { describe, expect, test } from 'vitest'
import { createLatchkey } from '../../src/entries/index.ts'
import { wellKnown } from '../../src/integrations/well-known.ts'
import type { AuthConfig } from '../../src/options/auth-config.ts'
import { account } from '../../src/plugins/account/index.ts'
import Passkey from '../../src/providers/passkey.ts'
import { accountSite } from '../support/account-site.ts'
import { passwordsSite } from '../support/passwords-site.ts'

const PASSWORD = '/.well-known/change-password'
const PASSKEYS = '/.well-known/passkey-endpoints'

/** Requests a well-known path of an application with this configuration. */
function ask(
  config: AuthConfig,
  path: string,
  { basePath, ...init }: RequestInit & { basePath?: string } = {},
): Promise<Response> {
  const { handler } = createLatchkey({
    ...config,
    secret: 'a secret of these tests, 0123456789abcdef',
    trustHost: true,
    ...(basePath !== undefined && { basePath }),
  })
  const known = wellKnown(handler, basePath === undefined ? {} : { basePath })
  return known(new Request(`https://app.example${path}`, init))
}

describe('PW-9: well-known paths', () => {
  test.each([undefined, '/api/auth'])(
    'change-password leads to the page, with the base path %s',
    async (basePath = '/auth') => {
      const answer = await ask(accountSite().world.config, PASSWORD, { basePath })
      expect(answer.status).toBe(302)
      expect(answer.headers.get('location')).toBe(`${basePath}/password/change`)
    },
  )

  test.each([undefined, '/api/auth'])(
    'passkey-endpoints names the page of the account, with the base path %s',
    async (basePath = '/auth') => {
      const answer = await ask(accountSite().world.config, PASSKEYS, { basePath })
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toBe('application/json')
      expect(answer.headers.getSetCookie()).toEqual([])
      const page = `https://app.example${basePath}/account/passkeys`
      expect(await answer.json()).toEqual({ enroll: page, manage: page })
    },
  )

  test('passkey-endpoints is not there without a passkey provider, without account() or without its pages', async () => {
    const { config } = accountSite().world
    const providers = config.providers.filter((each) => 'id' in each && each.id !== 'passkey')
    const plain = passwordsSite({}, { plugins: [] }, {}, [Passkey()]).world.config
    const withoutPages = passwordsSite(
      { limits: false },
      { plugins: [account({ limits: false, pages: false })] },
      {},
      [Passkey()],
    ).world.config
    for (const each of [{ ...config, providers }, plain, withoutPages])
      expect((await ask(each, PASSKEYS)).status).toBe(404)
  })

  test('change-password is not there without passwords()', async () => {
    const { config } = accountSite().world
    const plugins = (config.plugins ?? []).filter(({ name }) => name === 'sessions')
    expect((await ask({ ...config, plugins }, PASSWORD)).status).toBe(404)
  })

  test('other paths and methods have nothing', async () => {
    const { config } = accountSite().world
    expect((await ask(config, '/.well-known/security.txt')).status).toBe(404)
    expect((await ask(config, '/.well-known/constructor')).status).toBe(404)
    for (const path of [PASSWORD, PASSKEYS]) {
      expect((await ask(config, path, { method: 'POST' })).status).toBe(405)
      expect((await ask(config, path, { method: 'HEAD' })).status).toBeLessThan(400)
    }
  })
})
