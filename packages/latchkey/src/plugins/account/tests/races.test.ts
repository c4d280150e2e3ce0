import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AccountSite, accountSite } from '../../../../tests/support/account-site.ts'
import {
  type CeremonyOptions,
  createAuthenticator,
} from '../../../../tests/support/authenticator.ts'
import { sharedStores, storeNames } from '../../../../tests/support/shared-stores.ts'

const PARALLEL = 50
const shared = sharedStores('account')
beforeAll(() => shared.open())
afterAll(() => shared.close())

let people = 0

/** Two processes with one store, and a person who is signed in in both. */
async function twoProcesses(name: (typeof storeNames)[number]): Promise<{
  first: AccountSite
  second: AccountSite
  email: string
}> {
  const seed = 700 + ++people * 2
  const make = (more: number): AccountSite =>
    accountSite({}, { adapter: shared.adapter(name) }, { seed: seed + more })
  const [first, second] = [make(0), make(1)]
  const email = `person-${seed}@example.com`
  await first.signUp(email)
  for (const [key, value] of first.world.jar) second.world.jar.set(key, value)
  return { first, second, email }
}

async function addPasskeys(site: AccountSite, count: number): Promise<string[]> {
  for (let added = 0; added < count; added++) {
    const options = (await (await site.json('account/passkey-options')).json()) as CeremonyOptions
    const response = createAuthenticator('https://app.example').create(options)
    await site.json('account/add-passkey', { data: JSON.stringify(response) })
  }
  const { passkeys } = (await site.read('account/passkeys')) as { passkeys: { id: string }[] }
  return passkeys.map(({ id }) => id)
}

const countOf = (statuses: readonly number[], wanted: number): number =>
  statuses.filter((status) => status === wanted).length

describe.each(storeNames)('with the store %s, in two processes', (name) => {
  test('T-ACC-22, T-LINK-6: of removals of all ways into an account at once, one way stays', async () => {
    const { first, second, email } = await twoProcesses(name)
    const ids = await addPasskeys(first, 4)
    const user = await first.world.config.adapter?.getUserByEmail?.(email)
    await first.world.config.adapter?.updateUser?.({ id: String(user?.id), emailVerified: null })
    const acts = [
      ...ids.map((id) => (site: AccountSite) => site.json('account/remove-passkey', { id })),
      (site: AccountSite) => site.json('password/remove'),
    ]
    const statuses = await Promise.all(
      Array.from({ length: PARALLEL }, async (_, at) => {
        const site = at % 2 === 0 ? first : second
        const act = acts[at % acts.length] as (typeof acts)[number]
        return (await act(site)).status
      }),
    )
    const me = (await first.read('account/me')) as { has: { password: boolean; passkeys: number } }
    expect(Number(me.has.password) + me.has.passkeys).toBe(1)
    for (const status of statuses) expect([204, 404, 409]).toContain(status)
  })

  test('T-ACC-26: of many confirmations of one change of address, one changes it', async () => {
    const { first, second } = await twoProcesses(name)
    const to = `new-${people}@example.com`
    await first.json('account/change-address', { email: to })
    const code = await first.codeFor(to)
    const statuses = await Promise.all(
      Array.from({ length: 8 }, async (_, at) => {
        const site = at % 2 === 0 ? first : second
        const cookie = [...first.world.jar].map(([key, value]) => `${key}=${value}`).join('; ')
        const answer = await site.world.otherBrowser().request('/auth/account/confirm-address', {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie },
          body: JSON.stringify({ code }),
        })
        return answer.status
      }),
    )
    expect(countOf(statuses, 200)).toBe(1)
    const user = await first.world.config.adapter?.getUserByEmail?.(to)
    expect(user).not.toBeNull()
  })

  test('T-ACC-26: of two users who confirm the same address at once, one gets it', async () => {
    const { first, second } = await twoProcesses(name)
    const to = `wanted-${people}@example.com`
    second.world.jar.clear()
    await second.signUp(`rival-${people}@example.com`)
    const answers = await Promise.all(
      [first, second].map(async (site) => {
        await site.json('account/change-address', { email: to })
        return site.codeFor(to)
      }),
    )
    const [one, other] = await Promise.all(
      [first, second].map((site, at) =>
        site.json('account/confirm-address', { code: answers[at] }),
      ),
    )
    expect([one?.status, other?.status].toSorted((a = 0, b = 0) => a - b)).toEqual([200, 400])
  })

  test('SS-12: of keeping an account and deleting it at once, one happens, and there is one event', async () => {
    const events: string[] = []
    const seed = 9000 + ++people
    const make = (more: number): AccountSite =>
      accountSite(
        {},
        {
          adapter: shared.adapter(name),
          events: { deleteUser: ({ userId }) => void events.push(userId) },
        },
        { seed: seed * 3 + more },
      )
    const sites = [make(0), make(1), make(2)]
    const [site] = sites as [AccountSite]
    const email = `leaver-${seed}@example.com`
    await site.signUp(email)
    await site.json('account/delete', { confirm: email })
    const later = 604_800 - 60
    for (const each of sites) each.world.advance(later)
    await site.signIn(email)
    for (const each of sites) each.world.advance(61)
    const [kept] = await Promise.all([
      site.json('account/keep'),
      ...sites.map((each) => each.maintain()),
    ])
    const user = (await site.world.config.adapter?.getUserByEmail?.(email)) ?? null
    expect(kept?.status === 200).toBe(user !== null)
    expect(events).toHaveLength(user === null ? 1 : 0)
  })
})
