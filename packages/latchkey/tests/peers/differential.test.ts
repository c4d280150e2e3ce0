import { readFile } from 'node:fs/promises'
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
import { shownElsewhere } from './differential/shown-elsewhere.ts'
import { ours, returning, type Side, theirs } from './differential/side.ts'
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

async function differencesOf(scenario: Scenario, side: Side): Promise<Difference[]> {
  const peer = await theirs(scenario.freshPeer ? `fresh ${scenario.name}` : typesOf(scenario, side))
  return compare(await play(scenario, side), await play(scenario, peer))
}

function expectListed(differences: readonly Difference[], listed: readonly string[]): void {
  const unlisted = differences.filter((d) => !listed.some((entry) => names(entry, d)))
  for (const difference of unlisted) shown.add(standingOf(difference))

  const unexpected = unlisted.filter((difference) => !standingOf(difference))
  const gone = listed.filter((entry) => !differences.some((d) => names(entry, d)))
  expect({ unexpected: unexpected.map(lineOf), gone }).toEqual({ unexpected: [], gone: [] })
}

const listedFor = (group: string, { name }: Scenario): string[] =>
  Object.values(departs[group]?.[name] ?? {}).flat()

/** D-240: a check cookie of the peer that is neither written nor cleared, since there is none. */
const CHECK_COOKIE =
  / cookies? (__Secure-)?(authjs\.(state|nonce|pkce\.code_verifier)|my-(state|nonce))\b/

describe.for(Object.entries(groups))('Latchkey and Auth.js agree on %s:', ([group, scenarios]) => {
  test.for(scenarios.map((scenario) => [scenario.name, scenario] as const))(
    '%s',
    async ([, scenario]) => {
      const isUnwritten = ({ field, ours }: Difference): boolean =>
        CHECK_COOKIE.test(field) && ours === '(absent)'
      const differences = await differencesOf(scenario, ours)
      expectListed(
        differences.filter((difference) => !isUnwritten(difference)),
        listedFor(group, scenario).filter((entry) => !CHECK_COOKIE.test(entry)),
      )
    },
  )
})

/** Whoever looks for the hash of a token last looks at other moments than D-66 says. */
const SESSION_ROW =
  / (adapter (getSessionAndUser|(create|update|delete)Session)|event signOut session)\b/

describe('a sign-in with a way back', () => {
  const begins = ({ steps }: Scenario): boolean =>
    steps.some((step) => step.kind !== 'request' || step.path.includes('/signin/'))
  const { email: _, ...others } = groups
  const begun = Object.entries(others).flatMap(([group, scenarios]) =>
    scenarios
      .filter((scenario) => !scenario.freshPeer && begins(scenario))
      .map((scenario) => [group, scenario.name, scenario] as const),
  )
  test.for(begun)('%s: %s', async ([group, , scenario]) => {
    const differences = await differencesOf(scenario, returning)
    expectListed(
      differences.filter(({ field }) => !SESSION_ROW.test(field)),
      listedFor(group, scenario).filter((entry) => !SESSION_ROW.test(entry)),
    )
  })

  test('has every check cookie of the list', () => {
    const played = new Set(begun.map(([group, name]) => `${group} ${name}`))
    const listed = Object.entries(departs).flatMap(([group, scenarios]) =>
      Object.entries(scenarios)
        .filter(([, ids]) =>
          Object.values(ids)
            .flat()
            .some((entry) => CHECK_COOKIE.test(entry)),
        )
        .map(([name]) => `${group} ${name}`),
    )
    expect(listed.filter((name) => !played.has(name))).toEqual([])
  })
})

describe('the list of departures', () => {
  test('every standing departure has shown itself', () => {
    expect(standing.filter((row) => !shown.has(row))).toEqual([])
  })

  test('each scenario with a departure is one of those above, listed once', () => {
    for (const [group, scenarios] of Object.entries(groups)) {
      const names = scenarios.map(({ name }) => name)
      expect(new Set(names).size).toBe(names.length)
      expect(names).toEqual(expect.arrayContaining(Object.keys(departs[group] ?? {})))
    }
    expect(Object.keys(groups)).toEqual(expect.arrayContaining(Object.keys(departs)))
  })

  const byScenarios = new Set([
    ...Object.values(departs).flatMap((scenarios) =>
      Object.values(scenarios).flatMap((ids) => Object.keys(ids)),
    ),
    ...standing.map(({ id }) => id),
    'D-240',
  ])

  test('every departure that shows is decided, and every decided one shows', async () => {
    const decided = await decidedDepartures()
    expect(new Set(decided).size).toBe(decided.length)
    const elsewhere = Object.keys(shownElsewhere)
    expect(elsewhere.filter((id) => byScenarios.has(id))).toEqual([])
    expect([...byScenarios, ...elsewhere].sort()).toEqual([...decided].sort())
  })

  test.for(Object.entries(shownElsewhere))('%s is shown by a test', async ([, files]) => {
    const missing: string[] = []
    for (const [file, titles] of Object.entries(files)) {
      const source = await readFile(new URL(`../../${file}`, import.meta.url), 'utf8')
      missing.push(...titles.filter((title) => !titlesIn(source).has(title)))
    }
    expect(missing).toEqual([])
  })
})

const THREAT = /^T-[A-Z]+-\d+: /

/** Texts that begin a call, a list or a line, as titles of tests and of the rows of their tables do; and names of functions. */
function titlesIn(source: string): Set<string> {
  const texts = source.matchAll(/(?:[([]|^)\s*(['"`])((?:\\.|(?!\1).)+)\1\s*[,:\]]/gm)
  const functions = source.matchAll(/^export (?:async )?function (\w+)/gm)
  return new Set([...texts, ...functions].map((found) => found.at(-1)?.replace(THREAT, '') ?? ''))
}

/** An entry of the list: the field alone, or with what each says. */
function names(entry: string, difference: Difference): boolean {
  return entry === difference.field || entry === lineOf(difference)
}

function lineOf({ field, ours, theirs }: Difference): string {
  return `${field}: ${JSON.stringify(ours)} ≠ ${JSON.stringify(theirs)}`
}
