import { describe, expect, test, vi } from 'vitest'
import { vaultSite } from '../../../../tests/attacks/support/vault.ts'
import type { SentMail } from '../../../options/mail/mail-options.ts'
import type { EmailConfig } from '../../../options/provider-options.ts'
import { limits } from '../index.ts'

const RIGHT = 'open sesame'

async function mailedSite(options: Parameters<typeof limits>[0] = {}) {
  const mails: SentMail[] = []
  const security = vi.fn()
  const provider: EmailConfig = {
    id: 'mail',
    name: 'Mail',
    type: 'email',
    maxAge: 600,
    sendVerificationRequest: async () => undefined,
    sendMail: async ({ mail }) => void mails.push(mail),
  }
  const site = await vaultSite([limits(options)], {
    config: { providers: [provider], events: { security } },
  })
  const told = (): string[] =>
    security.mock.calls.map(([event]) => event).filter(({ type }) => type === 'device.new')
  return { ...site, mails, told }
}

describe('LIM-14: a sign-in with a new browser', () => {
  test('is told, and mailed once to a user who has a known browser', async () => {
    const { open, world, mails, told, ada } = await mailedSite()
    await open(RIGHT)
    expect(told()).toEqual([expect.objectContaining({ userId: ada.id, outcome: 'success' })])
    expect(mails).toEqual([])
    const other = world.otherBrowser()
    await open(RIGHT, { browser: other })
    // It is sent in the background.
    await expect.poll(() => mails).toHaveLength(1)
    expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
      ['ada@example.com', 'New sign-in to app.example'],
    ])
    expect(mails[0]?.text).toContain('Firefox, Linux')
    expect(mails[0]?.html).toContain('Firefox, Linux')
    for (const browser of [other, world]) await open(RIGHT, { browser })
    expect(mails).toHaveLength(1)
    expect(told()).toHaveLength(2)
  })

  test('is not one of several tabs of a known browser that sign in at once', async () => {
    const { open, world, mails, told } = await mailedSite()
    await open(RIGHT)
    await open(RIGHT, { browser: world.otherBrowser() })
    await expect.poll(() => mails).toHaveLength(1)
    const before = [...world.jar]
    const tabs = Array.from({ length: 4 }, () => {
      const tab = world.otherBrowser()
      for (const [name, value] of before) tab.jar.set(name, value)
      return tab
    })
    // The last ones arrive after the response to the first one, which they do not have.
    for (const pair of [tabs.slice(0, 2), tabs.slice(2)])
      await Promise.all(pair.map((browser) => open(RIGHT, { browser })))
    expect(told()).toHaveLength(2)
    world.advance(120)
    for (const browser of tabs) expect((await open(RIGHT, { browser })).status).toBe(200)
    expect(told()).toHaveLength(2)
    // A copy from before is a new browser by then.
    const copy = world.otherBrowser()
    for (const [name, value] of before) copy.jar.set(name, value)
    await open(RIGHT, { browser: copy })
    expect(told()).toHaveLength(3)
    await expect.poll(() => mails).toHaveLength(2)
  })

  test('is not mailed with `newDeviceMail: false`', async () => {
    const { open, world, mails, told } = await mailedSite({ newDeviceMail: false })
    await open(RIGHT)
    await open(RIGHT, { browser: world.otherBrowser() })
    expect(told()).toHaveLength(2)
    expect(mails).toEqual([])
  })

  test('is mailed again after the browser was forgotten', async () => {
    const { open, world, mails, host, ada } = await mailedSite()
    await open(RIGHT)
    await host().attempts.forgetBrowsers(ada.id)
    await open(RIGHT, { browser: world.otherBrowser() })
    expect(mails).toEqual([])
    await open(RIGHT)
    await expect.poll(() => mails).toHaveLength(1)
  })

  test('signs in although the mail cannot be sent', async () => {
    const { open, world } = await mailedSite()
    const provider = world.config.providers?.[0] as EmailConfig
    provider.sendMail = () => {
      throw new Error('of a test')
    }
    await open(RIGHT)
    expect((await open(RIGHT, { browser: world.otherBrowser() })).status).toBe(200)
  })
})
