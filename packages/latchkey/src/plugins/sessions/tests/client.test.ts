import { describe, expect, onTestFinished, test } from 'vitest'
import { passwordSignIn, strategies } from '../../../../tests/attacks/support/site.ts'
import { twoBrowsers } from '../../../../tests/support/sessions-site.ts'
import { createAuthClient } from '../../../client/client.ts'
import { ClientError } from '../../../client/requests.ts'
import type { World } from '../../../testing/world.ts'
import { sessionsClient } from '../client.ts'

/** A tab of the browser of a world, until the test is over. */
function openTab(world: World) {
  const fetch: typeof globalThis.fetch = (input, init = {}) => {
    const headers = new Headers(init.headers)
    headers.set('sec-fetch-site', 'same-origin')
    return world.request(String(input), { ...init, headers })
  }
  const document = Object.assign(new EventTarget(), { visibilityState: 'visible' as const })
  const client = createAuthClient({}, { fetch, document, BroadcastChannel })
  onTestFinished(client.store.subscribe(() => {}))
  return { client, sessions: sessionsClient(client) }
}

async function refusalOf(work: Promise<unknown>): Promise<(number | string | undefined)[]> {
  const error = await work.catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ClientError)
  const { status, code } = error as ClientError
  return [status, code]
}

describe.each(strategies)('`sessionsClient` in a page, with %s sessions', (strategy) => {
  test('lists, names and ends sessions', async () => {
    const { world, other } = await twoBrowsers(strategy)
    const { sessions } = openTab(world)
    const [own, second, ...more] = await sessions.list()
    expect([own?.current, second?.current, more]).toEqual([true, false, []])
    expect(await sessions.current()).toEqual(own)
    expect(await sessions.rename(second?.id ?? '', 'Work')).toEqual({ ...second, name: 'Work' })
    expect(await sessions.end(second?.id ?? '')).toBe(true)
    expect(await sessions.end(second?.id ?? '')).toBe(false)
    expect(await other.session()).toBeNull()
    expect((await sessions.list()).map(({ id }) => id)).toEqual([own?.id])
    await passwordSignIn(other)
    expect(await sessions.endOthers()).toBe(1)
    expect(await sessions.endOthers()).toBe(0)
  })

  test.each(['end', 'endAll'] as const)(
    'notifies all tabs at once that the session ended, after `%s`',
    async (call) => {
      const { world } = await twoBrowsers(strategy)
      const [first, second] = [openTab(world), openTab(world)]
      for (const { client } of [first, second]) await client.getSession()
      const { id } = await first.sessions.current()
      await (call === 'end' ? first.sessions.end(id) : first.sessions.endAll())
      expect(first.client.store.state.status).toBe('unauthenticated')
      await expect.poll(() => second.client.store.state.status).toBe('unauthenticated')
    },
  )

  test('throws an error with the status and the code of a refusal', async () => {
    const { world, other } = await twoBrowsers(strategy)
    const { sessions } = openTab(world)
    expect(await refusalOf(sessions.end('no id'))).toEqual([400, 'invalid_input'])
    expect(await refusalOf(sessions.end('A'.repeat(22)))).toEqual([404, 'not_found'])
    const [, second] = await sessions.list()
    world.advance(601)
    const stale = [403, 'reauthentication_required']
    expect(await refusalOf(sessions.end(second?.id ?? ''))).toEqual(stale)
    expect(await refusalOf(sessions.endOthers())).toEqual(stale)
    expect(await other.session()).not.toBeNull()
    await sessions.endAll()
    expect(await refusalOf(sessions.list())).toEqual([401, 'unauthenticated'])
  })
})
