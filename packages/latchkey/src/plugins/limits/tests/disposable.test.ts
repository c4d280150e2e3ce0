import { describe, expect, test } from 'vitest'
import { vaultSite } from '../../../../tests/attacks/support/vault.ts'
import { disposableAddresses } from '../disposable.ts'
import { limits } from '../index.ts'

describe('LIM-13: an address of a service for throw-away mailboxes', () => {
  test.each([
    ['ada@mailinator.com', true],
    ['ada@MAILINATOR.com', true],
    ['ada@mx.mailinator.com', true],
    ['ada@example.com', false],
    ['ada@com', false],
    ['', false],
  ])('is on the list: %s is %s', async (address, isDisposable) => {
    expect(await disposableAddresses()(address)).toBe(isDisposable)
  })

  test('is known to plugins by the hook of the application', async () => {
    const site = await vaultSite([limits({ hooks: { isDisposable: disposableAddresses() } })])
    await site.open('a guess')
    expect(await site.host().attempts.isDisposable('ada@mailinator.com')).toBe(true)
    expect(await site.host().attempts.isDisposable('ada@example.com')).toBe(false)
  })

  test('is accepted without the hook', async () => {
    const site = await vaultSite()
    await site.open('a guess')
    expect(await site.host().attempts.isDisposable('ada@mailinator.com')).toBe(false)
  })
})
