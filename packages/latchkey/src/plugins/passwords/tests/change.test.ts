import { describe, expect, test } from 'vitest'
import { GOOD, OTHER, passwordsSite } from '../../../../tests/support/passwords-site.ts'
import { atomic } from '../../../model/adapter.ts'
import { usernames } from '../../usernames/index.ts'

const html = { headers: { accept: 'text/html' } }

describe('the password of an account', () => {
  test('PW-33, T-PWD-7: a change needs the current password, ends other sessions, renews this one and mails the owner', async () => {
    const site = passwordsSite()
    await site.signUp()
    const other = site.world.otherBrowser()
    await site.signIn(undefined, undefined, other)
    const cookie = [...site.world.jar].find(([name]) => name.includes('session-token'))?.[1]
    const wrong = await site.json('password/change', { current: 'wrong', password: OTHER })
    expect(wrong.status).toBe(401)
    expect(await wrong.json()).toMatchObject({
      code: 'invalid_credentials',
      errors: [{ field: 'current', code: 'wrong' }],
    })
    const same = await site.json('password/change', { current: GOOD, password: GOOD })
    expect(await same.json()).toMatchObject({ errors: [{ code: 'unchanged' }] })
    const done = await site.json('password/change', { current: GOOD, password: OTHER })
    expect(done.status).toBe(200)
    expect(await done.json()).toEqual({ status: 'changed', ended: 1 })
    expect(await site.world.session()).not.toBeNull()
    expect([...site.world.jar].find(([name]) => name.includes('session-token'))?.[1]).not.toBe(
      cookie,
    )
    expect(await other.session()).toBeNull()
    await site.settled()
    expect(site.mails.at(-1)).toMatchObject({ to: 'ada@example.com' })
    expect(site.mails.at(-1)?.subject).toContain('was changed')
    expect((await site.signIn('ada@example.com', OTHER, other)).status).toBe(200)
  })

  test.each(['jwt', 'database'] as const)(
    'T-ACC-30, LIM-6: wrong ones in a stolen session keep its owner from no change in the known browser, with the strategy %s',
    async (strategy) => {
      const site = passwordsSite({}, { session: { strategy } })
      await site.signUp()
      const thief = site.world.otherBrowser()
      for (const [name, value] of site.world.jar)
        if (!name.includes('latchkey.device')) thief.jar.set(name, value)
      const statuses: number[] = []
      for (let at = 0; at < 12; at++) {
        const guess = { current: 'wrong', password: OTHER }
        statuses.push((await site.json('password/change', guess, thief)).status)
      }
      expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429])
      const done = await site.json('password/change', { current: GOOD, password: OTHER })
      expect(done.status).toBe(200)
    },
  )

  test('PW-5: a change and a reset refuse the user name as a password', async () => {
    const site = passwordsSite({ minLength: 8 }, { plugins: [usernames()] })
    await site.signUp()
    await site.json('usernames/set', { name: 'lovelace' })
    const expected = {
      code: 'password_refused',
      errors: [{ field: 'password', code: 'expected' }],
    }
    const password = 'Lovelace-1815'
    const change = await site.json('password/change', { current: GOOD, password })
    expect(await change.json()).toEqual(expect.objectContaining(expected))
    await site.json('password/forgot', { identifier: 'lovelace' })
    await site.settled()
    await site.world.get(site.link('password/reset'))
    const reset = await site.json('password/reset', { password })
    expect(await reset.json()).toEqual(expect.objectContaining(expected))
  })

  test('PW-33: `endOthers: false` keeps other sessions, and two changes at once are one change and one conflict', async () => {
    const site = passwordsSite()
    await site.signUp()
    const other = site.world.otherBrowser()
    await site.signIn(undefined, undefined, other)
    const asked = { current: GOOD, endOthers: false }
    const answers = await Promise.all(
      [OTHER, 'a third password, long enough'].map((password) =>
        site.json('password/change', { ...asked, password }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    expect(await other.session()).not.toBeNull()
  })

  test.each([
    [true, 1],
    [false, 2],
  ])(
    'T-ACC-31: with `endOthers: %s`, a change leaves %i known browsers with guesses of their own',
    async (endOthers, left) => {
      const site = passwordsSite()
      await site.signUp()
      await site.signIn(undefined, undefined, site.world.otherBrowser())
      const { adapter } = site.world.config
      const known = async () =>
        (await adapter?.[atomic]?.listRecords?.({ kind: 'device', limit: 10 }))?.records.length
      expect(await known()).toBe(2)
      const asked = { current: GOOD, password: OTHER, endOthers }
      expect((await site.json('password/change', asked)).status).toBe(200)
      expect(await known()).toBe(left)
    },
  )

  test('T-ACC-4: a change ends links to reset the password', async () => {
    const site = passwordsSite()
    await site.signUp()
    await site.json('password/forgot', { identifier: 'ada@example.com' })
    await site.settled()
    const link = site.link('password/reset')
    await site.json('password/change', { current: GOOD, password: OTHER })
    const browser = site.world.otherBrowser()
    await browser.get(link, html)
    expect((await site.json('password/reset', { password: GOOD }, browser)).status).toBe(400)
  })

  test('PW-34: a user who signs in by mail sets a first password and removes it', async () => {
    const site = passwordsSite()
    await site.signUp()
    expect((await site.json('password/set', { password: OTHER })).status).toBe(409)
    expect((await site.json('password/remove')).status).toBe(204)
    expect((await site.signIn(undefined, undefined, site.world.otherBrowser())).status).toBe(401)
    expect((await site.json('password/remove')).status).toBe(404)
    const page = await (await site.world.get('/auth/password/change', html)).text()
    expect(page).toContain('Set a password')
    expect((await site.json('password/set', { password: OTHER })).status).toBe(200)
    expect((await site.signIn('ada@example.com', OTHER, site.world.otherBrowser())).status).toBe(
      200,
    )
    site.world.advance(601)
    const late = await site.json('password/remove')
    expect(late.status).toBe(403)
    expect(await late.json()).toMatchObject({ code: 'reauthentication_required' })
  })

  test('the account page changes the password without a script and shows the message "Your password was changed."', async () => {
    const site = passwordsSite()
    await site.signUp()
    const overview = await (await site.world.get('/auth/account', html)).text()
    expect(overview).toContain('/auth/password/change')
    const page = await (await site.world.get('/auth/password/change', html)).text()
    expect(page).toContain('autocomplete="current-password"')
    expect(page).toContain('autocomplete="new-password"')
    expect(page).toContain('passwordrules="minlength: 15; maxlength: 256;"')
    const wrong = await site.world.post(
      '/auth/password/change',
      { form: '1', current: 'wrong', password: OTHER },
      html,
    )
    expect(wrong.status).toBe(401)
    expect(await wrong.text()).toContain('This is not your current password.')
    const done = await site.world.post(
      '/auth/password/change',
      { form: '1', current: GOOD, password: OTHER },
      html,
    )
    expect(done.status).toBe(303)
    const after = await (await site.world.get(done.headers.get('location') ?? '', html)).text()
    expect(after).toContain('Your password was changed.')
    const again = await (await site.world.get('/auth/password/change', html)).text()
    expect(again).not.toContain('Your password was changed.')
  })

  test('ACC-7: no link says that the password was changed, set, removed or reset', async () => {
    const site = passwordsSite()
    await site.signUp()
    for (const done of ['change', 'set', 'remove']) {
      const page = await site.world.get(`/auth/password/change?done=${done}`, html)
      expect(page.status).toBe(400)
      expect(await page.text()).not.toMatch(/role="status"|password was/)
    }
    const reset = await site.world.get('/auth/password/reset-done', html)
    expect([reset.status, reset.headers.get('location')]).toEqual([303, '/auth/signin'])
  })

  test('PW-10: a form of the application reads the rules', async () => {
    const site = passwordsSite({ minLength: 12 })
    const answer = await site.world.get('/auth/password/rules')
    expect(await answer.json()).toEqual({
      minLength: 12,
      maxLength: 256,
      signUp: true,
      usernames: false,
      breached: false,
    })
    expect(answer.headers.get('cache-control')).toBe('private, max-age=300')
  })

  test('without sessions() sealed sessions could not be ended, so the start is refused', async () => {
    const { createLatchkey } = await import('../../../entries/index.ts')
    const { passwords } = await import('../index.ts')
    const site = passwordsSite()
    expect(() =>
      createLatchkey({
        ...site.world.config,
        session: { strategy: 'jwt' },
        plugins: [passwords()],
      }),
    ).toThrow(/add sessions\(\)/)
  })
})
