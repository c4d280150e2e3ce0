import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { latchkey, serviceProcess } from './support/command.ts'
import { temporaryDirectory } from './support/temporary.ts'

const config = {
  apps: [{ id: 'notes', name: 'Notes', redirectUris: ['com.example.notes:/callback'] }],
  devices: [{ id: 'cli', name: 'Command line' }],
  apiKeys: { scopes: ['notes:read'] },
}

/** A directory with a configuration file. */
function directoryWith(content: object) {
  const directory = temporaryDirectory()
  writeFileSync(join(directory.path, 'latchkey.config.json'), JSON.stringify(content))
  return directory
}

describe('tokens of the service', () => {
  test('publish keys if there are APIs, and serve apps, programs and their users', async () => {
    using directory = directoryWith(config)
    const env = { LATCHKEY_API_AUDIENCES: 'https://api.example, https://mail.example' }
    await using service = await serviceProcess({ directory: directory.path, env })
    const keys = await fetch(`${service.origin}/auth/jwks`)
    expect(await keys.json()).toMatchObject({ keys: [{ kty: 'EC', use: 'sig' }] })
    const started = await fetch(`${service.origin}/auth/device/code`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: 'cli' }),
    })
    expect(await started.json()).toMatchObject({ user_code: expect.any(String) })
    expect((await fetch(`${service.origin}/auth/account/keys`)).status).toBe(401)
    const redeemed = await fetch(`${service.origin}/auth/native/token`, {
      method: 'POST',
      body: new URLSearchParams({
        client_id: 'notes',
        grant_type: 'authorization_code',
        code: 'x',
      }),
    })
    expect(await redeemed.json()).toMatchObject({ error: expect.stringMatching(/^invalid_/) })
  })

  test('do not exist by default', async () => {
    using directory = temporaryDirectory()
    await using service = await serviceProcess({ directory: directory.path })
    for (const path of ['jwks', 'account/keys', 'native/token', 'device'])
      expect((await fetch(`${service.origin}/auth/${path}`)).status).toBe(400)
  })

  test.each<[object, string]>([
    [{ apps: [{ id: 'a' }] }, 'apps: must be a list of { id, name, redirectUris }'],
    [{ devices: [{ id: 'a b', name: 'A' }] }, 'devices: tokens({ device }): the `id` of a client'],
    [{ devices: 'cli' }, 'devices: must be a list of { id, name } (got "cli"'],
    [{ apiKeys: 'yes' }, 'apiKeys: must be true, false or'],
    [{ apiKeys: { scopes: ['a b'] } }, 'apiKeys: tokens(): `apiKeys.scopes` must be'],
    [{ apiAudiences: [] }, 'apiAudiences: must be a list of API names'],
    [{ apiKeys: true, sessions: false }, 'apiKeys: needs the list of sessions, which is off'],
  ])('stop the start with %j', async (content, message) => {
    using directory = directoryWith({ port: 0, ...content })
    const { code, err } = await latchkey(['serve'], { directory: directory.path })
    expect(code).toBe(1)
    expect(err).toContain(message)
  })
})
