import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { memoryAdapter } from '../../adapters/memory/index.ts'
import { email } from '../../providers/define.ts'
import GitHub from '../../providers/github.ts'
import Google from '../../providers/google.ts'
import { createWorld } from '../../testing/world.ts'
import { sheetsOf } from './sheet.ts'

const sheetOf = (name: 'card' | 'account', theme = {}): string =>
  sheetsOf(theme, name)
    .map(({ text }) => text)
    .join('')

const gzipped = (text: string): number => gzipSync(text, { level: 9 }).byteLength

describe('the style sheets', () => {
  test('name no side, so that pages also run from right to left', () => {
    for (const name of ['card', 'account'] as const) {
      const sheet = sheetOf(name, { background: 'split' }).replaceAll(/[\w-]+-gradient\([^;]*/g, '')
      expect(sheet.match(/[^;{}]*\b(?:left|right)\b[^;{}]*/g)).toBeNull()
    }
  })

  test('keep within their budgets', () => {
    const card = sheetOf('card')
    const account = sheetOf('account')
    expect(card.length).toBeLessThanOrEqual(14_000)
    expect(gzipped(card)).toBeLessThanOrEqual(4500)
    expect(account.length - card.length).toBeLessThanOrEqual(12_000)
  })
})

test('a sign-in page with two providers is at most 22 kB, and 7.5 kB compressed', async () => {
  const world = createWorld({
    adapter: memoryAdapter(),
    providers: [
      Google({ clientId: 'id', clientSecret: 'secret' }),
      GitHub({ clientId: 'id', clientSecret: 'secret' }),
      email({ id: 'email', name: 'Email', sendVerificationRequest: () => {} }),
    ],
  })
  const page = await (await world.get('/auth/signin')).text()
  expect(page.length).toBeLessThanOrEqual(22_000)
  expect(gzipped(page)).toBeLessThanOrEqual(7500)
})
