import { expect, test } from 'vitest'
import { twoFactorSite } from '../../../../tests/support/two-factor-site.ts'
import type { World } from '../../../entries/testing.ts'
import { twoFactorClient } from '../client.ts'

test('SS-15: a page sets up, proves, renames and removes factors with the functions of the client', async () => {
  const site = twoFactorSite({ methods: ['totp', 'recovery', 'email'] })
  let changes = 0
  /** Asks as the browser client does: GET without fields, else POST. */
  const clientOf = (browser: World) =>
    twoFactorClient({
      async ask(path, fields) {
        const answer = fields
          ? await site.json(path, fields, browser)
          : await browser.get(`/auth/${path}`)
        const body: unknown = answer.status === 204 ? null : await answer.json()
        if (!answer.ok) throw new Error(String((body as { code: string }).code))
        return body
      },
      store: { changed: async () => void changes++ },
    })
  await site.signUp()
  const own = clientOf(site.world)
  const { id, secret, uri, svg } = await own.enrol({ name: 'Phone' })
  expect(uri).toContain(secret)
  expect(svg).toMatch(/^<svg/)
  const app = site.app(secret, id)
  await expect(own.confirm({ id, code: app.code(7) })).rejects.toThrow('invalid_code')
  const confirmed = await own.confirm({ id, code: app.code() })
  expect(confirmed).toMatchObject({ status: 'added' })
  expect(confirmed.recoveryCodes).toHaveLength(5)
  expect(changes).toBe(1)
  await own.rename({ id, name: 'Old phone' })
  expect(await own.status()).toMatchObject({ level: 2, factors: [{ id, name: 'Old phone' }] })
  expect(await own.recoveryCodes()).toHaveLength(5)
  await own.forgetDevices()

  const browser = site.world.otherBrowser()
  await site.signIn(undefined, undefined, browser)
  const there = clientOf(browser)
  expect(await there.verify({ method: 'totp', code: app.code(1), trust: true })).toEqual({
    status: 'signed_in',
    url: 'https://app.example',
  })
  expect(changes).toBe(2)
  await there.useEmail(true)
  expect(await there.status()).toMatchObject({ email: true })

  const third = site.world.otherBrowser()
  await site.signIn(undefined, undefined, third)
  const mailed = clientOf(third)
  expect(await mailed.send()).toMatchObject({ status: 'mail_sent' })
  const proof = { method: 'email', code: site.code() } as const
  expect(await mailed.verify(proof)).toMatchObject({ status: 'signed_in' })
  await there.remove({ all: true })
  expect(await there.status()).toMatchObject({ level: 1, factors: [], devices: 0 })
})
