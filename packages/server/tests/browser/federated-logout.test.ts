import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { inBrowser } from '../support/chromium.ts'
import { siteInBrowser } from '../support/site-in-browser.ts'

describe.each([
  ['records', {}],
  ['a cookie', { DATABASE_RECORDS: 'false' }],
])('a sign-out that leads to the provider, with its hint in %s', inBrowser, (where, env) => {
  const site = siteInBrowser(env)
  const { at, visit } = site

  async function signIn(page: Page): Promise<void> {
    await page.goto(at('/auth/signin'))
    await page.getByRole('button', { name: 'Continue with Development account' }).click()
    await page.getByLabel('Name').fill('alice')
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.waitForURL(at('/'))
    expect(await nameOf(page)).toBe('Alice')
  }

  async function nameOf(page: Page): Promise<string | undefined> {
    const answer = await page.context().request.get(at('/auth/session'))
    return ((await answer.json()) as { user?: { name?: string } } | null)?.user?.name
  }

  for (const scripts of [true, false]) {
    test(`is confirmed there, and comes back, with scripts ${scripts ? 'on' : 'off'}`, () =>
      visit(
        async ({ page }) => {
          await signIn(page)
          const hints = (await page.context().cookies(at('/auth/logout/continue'))).filter(
            ({ name }) => name.endsWith('latchkey.id-token'),
          )
          expect(hints.map(({ value }) => value.slice(0, 3))).toEqual(
            where === 'records' ? [] : ['eyJ'],
          )
          // It goes along with nothing else.
          const elsewhere = await page.context().cookies(at('/auth/signout'))
          expect(elsewhere.some(({ name }) => name.endsWith('latchkey.id-token'))).toBe(false)

          await page.goto(at('/auth/signout'))
          await page.getByLabel('Also sign out of Development account').check()
          await page.getByRole('button', { name: 'Sign out' }).click()
          await page.waitForURL(/\/idp\/session\/end/)
          expect(await nameOf(page)).toBeUndefined()
          expect(await page.getByRole('heading').textContent()).toBe('Sign out here, too?')
          await page.getByRole('button', { name: 'Sign out' }).click()
          await page.waitForURL(at('/'))
          const kept = await page.context().cookies([at('/'), at('/auth/logout/continue')])
          expect(
            kept.map(({ name }) => name).filter((name) => /id-token|\.logout$/.test(name)),
          ).toEqual([])
        },
        { scripts },
      ))
  }

  test('stays on the site by default', () =>
    visit(async ({ page }) => {
      await signIn(page)
      await page.goto(at('/auth/signout'))
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.waitForURL(at('/'))
      expect(await nameOf(page)).toBeUndefined()
    }))

  test('may be followed by another sign-in, after a click', () =>
    visit(async ({ page }) => {
      await page.goto(at('/auth/logout/signed-out?provider=development'))
      expect(await page.getByRole('heading').textContent()).toBe('You are signed out')
      await page.getByRole('button', { name: 'Continue with Development account' }).click()
      await page.waitForURL(/\/idp\/interaction\//)
    }))
})
