import { expect, test } from 'vitest'
import { accountSite } from '../../../../tests/support/account-site.ts'
import { CHEAP } from '../../../../tests/support/passwords-site.ts'
import { appWith } from '../../../../tests/support/two-factor-site.ts'
import { twoFactor } from '../../two-factor/index.ts'

test('SS-11: the file has codes by mail as a factor, and how many recovery codes are left, but no code', async () => {
  const site = accountSite(
    {},
    {
      plugins: [
        twoFactor({
          limits: false,
          methods: ['totp', 'email', 'recovery'],
          recovery: { hash: CHEAP, count: 5 },
        }),
      ],
    },
  )
  const begun = new Date(site.world.now()).toISOString()
  await site.signUp()
  expect(await site.read('account/export')).toMatchObject({
    user: { createdAt: begun },
    factors: [],
    recoveryCodes: null,
  })
  const asked = await site.json('two-factor/enrol-totp', { name: 'Phone' })
  const { id, secret } = (await asked.json()) as { id: string; secret: string }
  const code = appWith(secret, site.world).code()
  const done = await site.json('two-factor/confirm-totp', { id, code })
  const { recoveryCodes } = (await done.json()) as { recoveryCodes: string[] }
  site.world.advance(60)
  const since = new Date(site.world.now()).toISOString()
  expect((await site.json('two-factor/use-email', { use: true })).status).toBe(200)
  const file = await site.read('account/export')
  expect(file).toMatchObject({
    factors: [
      { type: 'totp', createdAt: begun },
      { type: 'email', createdAt: since },
    ],
    recoveryCodes: { madeAt: begun, left: 5 },
  })
  const text = JSON.stringify(file)
  for (const each of [
    secret,
    ...recoveryCodes,
    ...recoveryCodes.map((one) => one.replaceAll('-', '')),
  ])
    expect(text).not.toContain(each)
})
