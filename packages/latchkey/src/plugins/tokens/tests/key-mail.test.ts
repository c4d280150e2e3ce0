import { expect, test } from 'vitest'
import { passwordsSite } from '../../../../tests/support/passwords-site.ts'
import { tokensApi } from '../../../../tests/support/tokens-site.ts'
import { tokens } from '../index.ts'

test('TOK-25: a new API key is mailed to its user, with a link to the keys', async () => {
  const site = passwordsSite({ limits: false }, { plugins: [tokens({ apiKeys: {} })] })
  await site.signUp()
  const before = site.mails.length
  expect((await site.json('api-keys/create', { name: 'Build' })).status).toBe(201)
  await expect.poll(() => site.mails.length).toBe(before + 1)
  const { to, subject, text, html } = site.mails.at(-1) ?? {}
  expect([to, subject]).toEqual([
    'ada@example.com',
    'A new API key for your account at app.example',
  ])
  expect(text).toContain('The API key “Build” was made. With it, programs act as you.')
  expect(text).toContain('If that was not you, end the key and secure your account now.')
  expect(html).toContain('Show my API keys')
  expect(text).toContain('https://app.example/auth/account/keys')
})

test('TOK-25: a key that the application makes in code is mailed to nobody', async () => {
  const site = passwordsSite({ limits: false }, { plugins: [tokens({ apiKeys: {} })] })
  await site.signUp()
  const { adapter } = site.world.config
  const { id = '' } = (await adapter?.getUserByEmail?.('ada@example.com')) ?? {}
  const before = site.mails.length
  await tokensApi(site.world).createKey({ userId: id }, { name: 'Build' })
  await site.settled()
  expect(site.mails).toHaveLength(before)
})
