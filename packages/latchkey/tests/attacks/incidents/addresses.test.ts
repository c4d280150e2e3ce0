/** What happened to other libraries with addresses, hosts and paths, tried here: each under the id of its public advisory. */
import { describe, expect, test } from 'vitest'
import { createSite, errorOf, locationOf, ORIGIN, passwordSignIn } from '../support/site.ts'

describe('addresses and paths', () => {
  test.each([
    '%',
    'http://',
    'https://[',
    'javascript:alert(1)',
    '\u0000',
    'https://a b/',
    ':',
    '\\',
  ])('CVE-2022-31093: the callback URL %j stops nothing', async (callbackUrl) => {
    const { world } = await createSite()
    const query = `callbackUrl=${encodeURIComponent(callbackUrl)}`
    for (const action of ['signin', 'signout', 'session', 'providers', 'csrf', 'error']) {
      expect((await world.get(`/auth/${action}?${query}`)).status).toBeLessThan(500)
    }
    const end = await passwordSignIn(world, 'ada', { callbackUrl })
    expect([end.status, new URL(locationOf(end)).origin]).toEqual([302, ORIGIN])
    expect(await world.session()).not.toBeNull()
  })

  test('GHSA-x732-6j76-qmhm: another spelling of a path passes no check by', async () => {
    const { world } = await createSite()
    await passwordSignIn(world)
    for (const path of [
      '//auth/signout',
      '/auth//signout',
      '/auth///signout/',
      '/auth/./signout',
    ]) {
      const end = await world.postWithoutCsrf(path)
      expect([path, end.status === 400 || errorOf(end) === 'MissingCSRF']).toEqual([path, true])
    }
    expect(await world.session()).not.toBeNull()
  })
})
