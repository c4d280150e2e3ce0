import { describe, expect, test } from 'vitest'
import { type TwoFactorSite, twoFactorSite } from '../../../../tests/support/two-factor-site.ts'
import { memoryAdapter } from '../../../adapters/memory/index.ts'
import { atomic } from '../../../model/adapter.ts'

const html = { headers: { accept: 'text/html' } }

/** Signs in with the password in another browser, up to the second factor. */
async function waiting(site: TwoFactorSite) {
  const browser = site.world.otherBrowser()
  await site.signIn(undefined, undefined, browser)
  return browser
}

describe('recovery codes', () => {
  test('MF-7, MF-8: a code signs in once, however it is typed, ends the other sessions and is told by mail', async () => {
    const site = twoFactorSite()
    const { codes } = await site.enrol()
    const [code = '', other = ''] = codes
    const browser = await waiting(site)
    const typed = code.toUpperCase().replaceAll('-', ' ').replaceAll('0', 'O').replaceAll('1', 'l')
    const answer = await site.verify(typed, browser, { method: 'recovery' })
    expect(answer.status).toBe(200)
    expect(await browser.session()).not.toBeNull()
    expect(await site.world.session()).toBeNull()
    await site.settled()
    expect(site.mails.at(-1)?.subject).toContain('A recovery code was used')
    expect(site.mails.at(-1)?.text).toContain('4 are left')
    const second = await waiting(site)
    expect((await site.verify(code, second, { method: 'recovery' })).status).toBe(400)
    expect(await browser.session()).not.toBeNull()
    expect((await site.verify(other, second, { method: 'recovery' })).status).toBe(200)
    const status = await (await second.get('/auth/two-factor/status')).json()
    expect(status).toMatchObject({ recoveryCodesLeft: 3 })
  })

  test('12.1: of five parallel uses of one code, one signs in', async () => {
    const site = twoFactorSite({ limits: false })
    const { codes } = await site.enrol()
    const browsers = []
    for (let count = 0; count < 5; count++) browsers.push(await waiting(site))
    const answers = await Promise.all(
      browsers.map((browser) => site.verify(codes[0] ?? '', browser, { method: 'recovery' })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('MF-8: a new set needs a second factor of the last ten minutes, and ends the old one', async () => {
    const site = twoFactorSite()
    const { app, codes } = await site.enrol()
    const made = (await (await site.json('two-factor/recovery-codes')).json()) as {
      codes: string[]
    }
    expect(made.codes).toHaveLength(5)
    const browser = await waiting(site)
    const old = await site.verify(codes[0] ?? '', browser, { method: 'recovery' })
    expect(old.status).toBe(400)
    const fresh = await site.verify(made.codes[0] ?? '', browser, { method: 'recovery' })
    expect(fresh.status).toBe(200)
    site.world.advance(601)
    const late = await site.json('two-factor/recovery-codes', {}, browser)
    expect(late.status).toBe(403)
    expect(await late.json()).toMatchObject({
      code: 'reauthentication_required',
      acr_values: 'urn:latchkey:acr:2',
    })
    const again = { way: 'totp', code: app.code() }
    expect((await site.json('reauthenticate', again, browser)).status).toBe(200)
    expect((await site.json('two-factor/recovery-codes', {}, browser)).status).toBe(200)
  })

  test('MF-8: the account page says when few codes are left', async () => {
    const site = twoFactorSite()
    const { codes } = await site.enrol()
    let browser = site.world
    for (const code of codes.slice(0, 2)) {
      browser = await waiting(site)
      await site.verify(code, browser, { method: 'recovery' })
    }
    await site.settled()
    expect(site.mails.at(-1)?.text).toContain('Make new ones before you run out.')
    const page = await (await browser.get('/auth/account/two-factor', html)).text()
    expect(page).toContain('3 left')
    expect(page).toContain('Make new ones before you run out.')
  })

  test('MF-9: a recovery code signs in and adds another app, whose code then removes the lost app', async () => {
    const site = twoFactorSite()
    const { app: lost, codes } = await site.enrol()
    const browser = await waiting(site)
    await site.verify(codes[0] ?? '', browser, { method: 'recovery' })
    const early = await site.json('two-factor/remove', { id: lost.id }, browser)
    expect(early.status).toBe(403)
    const found = await site.addApp('New phone', browser)
    expect((await site.json('two-factor/remove', { id: lost.id }, browser)).status).toBe(204)
    const status = await (await browser.get('/auth/two-factor/status')).json()
    expect(status).toMatchObject({ factors: [{ id: found.id, name: 'New phone' }] })
    const next = site.world.otherBrowser()
    expect((await site.signInWith(lost, next)).status).toBe(400)
    expect((await site.verify(found.code(), next)).status).toBe(200)
  })

  test('MF-9: a recovery code typed beside an older code of the app does not remove a factor', async () => {
    const site = twoFactorSite()
    const { app, codes } = await site.enrol()
    site.world.advance(601)
    const proof = { way: 'recovery', code: codes[0] }
    expect((await site.json('reauthenticate', proof)).status).toBe(200)
    // Nor does a code that the owner types in another browser meanwhile.
    await site.signInWith(app, site.world.otherBrowser())
    const refused = await site.json('two-factor/remove', { id: app.id })
    expect(refused.status).toBe(403)
    expect(await refused.json()).toMatchObject({ code: 'reauthentication_required' })
    site.world.advance(60)
    const right = { way: 'totp', code: app.code() }
    expect((await site.json('reauthenticate', right)).status).toBe(200)
    expect((await site.json('two-factor/remove', { id: app.id })).status).toBe(204)
  })

  test('T-ACC-14, T-MFA-4: no code and no secret is in the store, so none can be read from a copy of it', async () => {
    const records: string[] = []
    const adapter = memoryAdapter()
    const site = twoFactorSite({}, { adapter })
    await site.signUp()
    const begun = (await (await site.json('two-factor/enrol-totp')).json()) as {
      id: string
      secret: string
    }
    const code = site.app(begun.secret).code()
    const done = await site.json('two-factor/confirm-totp', { id: begun.id, code })
    const { recoveryCodes } = (await done.json()) as { recoveryCodes: string[] }
    for (const kind of ['totp', 'totp-enrolment', 'recovery', 'recovery-code', 'factors'])
      records.push(JSON.stringify(await adapter[atomic]?.listRecords?.({ kind, limit: 100 })))
    const all = records.join()
    expect(all).toContain(begun.id)
    expect(all).not.toContain(begun.secret)
    for (const each of recoveryCodes) expect(all).not.toContain(each.replaceAll('-', ''))
    expect(site.world.log.map((line) => JSON.stringify(line)).join()).not.toContain(begun.secret)
  })
})
