import { describe, expect, test } from 'vitest'
import { twoFactorSite } from '../../../../tests/support/two-factor-site.ts'
import { memoryAdapter } from '../../../adapters/memory/index.ts'
import { atomic } from '../../../model/adapter.ts'
import type { TwoFactorApi } from '../two-factor-api.ts'

const html = { headers: { accept: 'text/html' } }

describe('the second factors of an account', () => {
  test('are named, renamed and removed on the page without a script', async () => {
    const site = twoFactorSite()
    const { app } = await site.enrol()
    const overview = await (await site.world.get('/auth/account', html)).text()
    expect(overview).toContain('/auth/account/two-factor')
    const form = await (
      await site.world.get(`/auth/account/two-factor?rename=${app.id}`, html)
    ).text()
    expect(form).toContain('Rename Phone')
    const renamed = await site.world.post(
      '/auth/two-factor/rename',
      { id: app.id, name: 'Old phone' },
      html,
    )
    const list = await (await site.world.get(renamed.headers.get('location') ?? '', html)).text()
    expect(list).toContain('The name was changed.')
    expect(list).toContain('Old phone')
    const question = await (
      await site.world.get(`/auth/account/two-factor?remove=${app.id}`, html)
    ).text()
    expect(question).toContain('Remove Old phone?')
    expect(question).toContain('It is your only second factor')
    const removed = await site.world.post('/auth/two-factor/remove', { id: app.id }, html)
    const after = await (await site.world.get(removed.headers.get('location') ?? '', html)).text()
    expect(after).toContain('Two-factor authentication is off')
    const browser = site.world.otherBrowser()
    expect(await (await site.signIn(undefined, undefined, browser)).json()).toMatchObject({
      status: 'signed_in',
    })
  })

  test('names are 1 to 64 characters without controls', async () => {
    const site = twoFactorSite()
    const { app } = await site.enrol()
    for (const name of ['', ' ', 'x'.repeat(65), 'a\nb', 'a\u202eb'])
      expect((await site.json('two-factor/rename', { id: app.id, name })).status).toBe(400)
    const name = '𝒳'.repeat(64)
    expect((await site.json('two-factor/rename', { id: app.id, name })).status).toBe(204)
  })

  test('MF-15: a removal needs a second factor of the last ten minutes; the page that asks for the code leads back', async () => {
    const site = twoFactorSite()
    const { app } = await site.enrol()
    site.world.advance(601)
    const late = await site.world.post('/auth/two-factor/remove', { id: app.id }, html)
    const next = late.headers.get('location') ?? ''
    expect(next).toContain('/auth/reauthenticate?')
    const page = await (await site.world.get(next, html)).text()
    expect(page).toContain('autocomplete="one-time-code"')
    const hidden = Object.fromEntries(
      [...page.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(
        ([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')],
      ),
    )
    const wrong = await site.world.post('/auth/reauthenticate', { ...hidden, code: '000' }, html)
    expect(wrong.status).toBe(400)
    expect(await wrong.text()).toContain('This code is not right')
    const proved = await site.world.post(
      '/auth/reauthenticate',
      { ...hidden, csrfToken: await site.world.csrfToken(), code: app.code() },
      html,
    )
    expect(proved.headers.get('location')).toContain('/auth/account/two-factor')
    const removed = await site.world.post('/auth/two-factor/remove', { id: app.id }, html)
    const after = await site.world.get(removed.headers.get('location') ?? '', html)
    expect(await after.text()).toContain('was removed')
    await site.settled()
    expect(site.mails.map(({ subject }) => subject).join()).toContain('A second factor was removed')
  })

  test('all factors go at once with `all`, and their recovery codes with them', async () => {
    const site = twoFactorSite()
    await site.enrol()
    await site.addApp('Tablet')
    expect((await site.json('two-factor/remove', { all: true, id: 'x' })).status).toBe(400)
    expect((await site.json('two-factor/remove', { all: true })).status).toBe(204)
    const status = await (await site.world.get('/auth/two-factor/status')).json()
    expect(status).toMatchObject({ level: 1, factors: [], recoveryCodesLeft: 0 })
    expect((await site.json('two-factor/remove', { all: true })).status).toBe(404)
  })

  test('T-ACC-28: ids of another user are `not_found`, and nothing of the user changes', async () => {
    const site = twoFactorSite()
    const eve = site.world.otherBrowser()
    await site.signUp('eve@example.com', undefined, eve)
    const own = await site.addApp('Eve', eve)
    const { app } = await site.enrol()
    const begun = (await (await site.json('two-factor/enrol-totp')).json()) as {
      id: string
      secret: string
    }
    const code = site.app(begun.secret).code()
    for (const [path, fields] of [
      ['rename', { id: app.id, name: 'Mine' }],
      ['remove', { id: app.id }],
      ['confirm-totp', { id: begun.id, code }],
      ['confirm-totp', { id: app.id, code: app.code(1) }],
    ] as const) {
      const answer = await site.json(`two-factor/${path}`, fields, eve)
      expect(answer.status).toBe(404)
      expect(await answer.json()).toMatchObject({ code: 'not_found' })
    }
    for (const query of [`rename=${app.id}`, `remove=${app.id}`])
      expect((await eve.get(`/auth/account/two-factor?${query}`, html)).status).toBe(404)
    expect(await (await site.world.get('/auth/two-factor/status')).json()).toMatchObject({
      factors: [{ id: app.id, name: 'Phone' }],
    })
    expect(await (await eve.get('/auth/two-factor/status')).json()).toMatchObject({
      factors: [{ id: own.id }],
    })
  })

  test('T-ACC-13: the sealed secret of one user opens for no other', async () => {
    const adapter = memoryAdapter()
    const site = twoFactorSite({}, { adapter })
    const eve = site.world.otherBrowser()
    await site.signUp('eve@example.com', undefined, eve)
    const hers = await site.addApp('Eve', eve)
    const { app } = await site.enrol()
    const store = adapter[atomic]
    const read = async (key: string) => store?.getRecord?.({ kind: 'totp', key })
    const [first, second] = [await read(hers.id), await read(app.id)]
    if (!first || !second) throw new Error('both are stored')
    for (const [to, from] of [
      [first, second],
      [second, first],
    ] as const) {
      const data = { ...from.data, lastStep: 0 }
      await store?.replaceRecord?.({ ...to, data, version: to.version + 1 })
    }
    const browser = site.world.otherBrowser()
    expect((await site.signInWith(app, browser)).status).toBe(400)
    expect((await site.verify(hers.code(), browser)).status).toBe(400)
    expect(site.world.log.map(({ message }) => message).join()).toContain('cannot be opened')
  })
})

describe('the functions in code', () => {
  test('MF-19, MF-22: `require` asks a user to set one up, `reset` takes all away and asks for a new one', async () => {
    const adapter = memoryAdapter()
    const site = twoFactorSite({}, { adapter })
    const { app } = await site.enrol()
    const { core, config } = site.world
    const api = core.plan(config).plugins?.api('twoFactor') as TwoFactorApi
    const userId = String((await adapter.getUserByEmail?.('ada@example.com'))?.id)
    expect(await api.status(userId)).toMatchObject({ level: 2, factors: [{ id: app.id }] })
    await expect(api.status('nobody')).rejects.toMatchObject({ code: 'not_found' })
    await expect(api.reset(undefined as never)).rejects.toThrow(/`userId`/)
    await api.reset(userId)
    expect(await site.world.session()).toBeNull()
    expect(await api.status(userId)).toMatchObject({ required: true, level: 2, factors: [] })
    const answer = await site.signIn()
    expect(await answer.json()).toMatchObject({
      status: 'second_factor_required',
      next: '/auth/two-factor/enrol',
    })
    await api.require(userId, { until: new Date(site.world.now() + 1000) })
    expect(await (await site.signIn()).json()).toMatchObject({ status: 'signed_in' })
    site.world.advance(2)
    expect(await (await site.signIn()).json()).toMatchObject({ status: 'second_factor_required' })
  })
})
