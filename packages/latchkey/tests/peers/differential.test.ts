import { describe, expect, test } from 'vitest'
import { compare, type Difference } from './differential/compare.ts'
import { decidedDepartures } from './differential/decided.ts'
import { departs } from './differential/departs.ts'
import type { Scenario } from './differential/scenario.ts'
import { actions } from './differential/scenarios/actions.ts'
import { callbackUrls } from './differential/scenarios/callback-urls.ts'
import { configuration } from './differential/scenarios/configuration.ts'
import { credentials } from './differential/scenarios/credentials.ts'
import { email } from './differential/scenarios/email.ts'
import { linking } from './differential/scenarios/linking.ts'
import { oauth } from './differential/scenarios/oauth.ts'
import { pages } from './differential/scenarios/pages.ts'
import { passkeys } from './differential/scenarios/passkeys.ts'
import { requests } from './differential/scenarios/requests.ts'
import { sessions } from './differential/scenarios/sessions.ts'
import { ours, theirs } from './differential/side.ts'
import { standing, standingOf } from './differential/standing.ts'
import { play, typesOf } from './differential/transcript.ts'

const groups: Readonly<Record<string, readonly Scenario[]>> = {
  actions,
  requests,
  'callback URLs': callbackUrls,
  pages,
  sessions,
  credentials,
  email,
  configuration,
  oauth,
  linking,
  passkeys,
}

/** Rows of {@link standing} that some scenario had an occasion for. */
const shown = new Set<unknown>()

describe.for(Object.entries(groups))('%s', ([group, scenarios]) => {
  test.for(scenarios.map((scenario) => [scenario.name, scenario] as const))(
    '%s',
    async ([name, scenario]) => {
      const peer = await theirs(scenario.freshPeer ? `fresh ${name}` : typesOf(scenario, ours))
      const differences = compare(await play(scenario, ours), await play(scenario, peer))
      const listed = Object.values(departs[group]?.[name] ?? {}).flat()
      const unlisted = differences.filter((d) => !listed.some((entry) => names(entry, d)))
      for (const difference of unlisted) shown.add(standingOf(difference))

      const unexpected = unlisted.filter((difference) => !standingOf(difference))
      const gone = listed.filter((entry) => !differences.some((d) => names(entry, d)))
      expect({ unexpected: unexpected.map(lineOf), gone }).toEqual({ unexpected: [], gone: [] })
    },
  )
})

describe('the list of departures', () => {
  test('every standing departure has shown itself', () => {
    expect(standing.filter((row) => !shown.has(row))).toEqual([])
  })

  test('every scenario that departs is one of those above, told once', () => {
    for (const [group, scenarios] of Object.entries(groups)) {
      const names = scenarios.map(({ name }) => name)
      expect(new Set(names).size).toBe(names.length)
      expect(names).toEqual(expect.arrayContaining(Object.keys(departs[group] ?? {})))
    }
    expect(Object.keys(groups)).toEqual(expect.arrayContaining(Object.keys(departs)))
  })

  test('every departure that shows is decided', async () => {
    const decided = await decidedDepartures()
    expect(new Set(decided).size).toBe(decided.length)
    const named = Object.values(departs).flatMap((scenarios) =>
      Object.values(scenarios).flatMap((ids) => Object.keys(ids)),
    )
    const all = new Set([...named, ...standing.map(({ id }) => id)])
    expect(decided).toEqual(expect.arrayContaining([...all]))
  })
})

/** An entry of the list: the field alone, or with what each says. */
function names(entry: string, difference: Difference): boolean {
  return entry === difference.field || entry === lineOf(difference)
}

function lineOf({ field, ours, theirs }: Difference): string {
  return `${field}: ${JSON.stringify(ours)} ≠ ${JSON.stringify(theirs)}`
}
