import { describe, expect, test } from 'vitest'
import { marginOf } from '../validity.ts'

describe('the margin of a token', () => {
  const settings = { margin: 60 }
  const lasting = (seconds: number) => ({ obtained: 1000 * 1000, expires_at: 1000 + seconds })

  test('is that of the provider, or that of the options', () => {
    expect(marginOf({ rules: {} }, settings, lasting(3600))).toBe(60)
    expect(marginOf({ rules: { margin: 300 } }, settings, lasting(3600))).toBe(300)
    expect(marginOf({ rules: { margin: false } }, settings, lasting(30))).toBe(false)
    expect(marginOf({ rules: {} }, settings, { obtained: 0 })).toBe(60)
  })

  test('is at most half of its life, and never negative', () => {
    expect(marginOf({ rules: {} }, settings, lasting(60))).toBe(30)
    expect(marginOf({ rules: {} }, settings, lasting(-20))).toBe(0)
  })
})
