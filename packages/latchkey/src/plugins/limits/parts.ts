import { type Host, loadOnce } from '../../entries/plugin.ts'
import type { KnownBrowsers } from './browsers/known-browser.ts'
import type { ChallengeState, Challenges } from './challenge/challenges.ts'
import { createFailures } from './challenge/failures.ts'
import type { Counter } from './counting/counter.ts'
import { createProcessCounts, type ProcessCounts } from './counting/process-counts.ts'
import { type ClientAddress, rulesWith, type Settings } from './settings.ts'

/** The parts of the plugin. Each is loaded at its first use. */
export interface Parts {
  readonly host: Host
  readonly settings: Settings
  counter(): Promise<Counter>
  browsers(): Promise<KnownBrowsers>
  /** `undefined` without a challenge. */
  challenges(): Promise<Challenges | undefined>
  /** What the process remembers. */
  state(): Memory
}

/** What a process remembers, for all plans with the same store. */
type Memory = ProcessCounts & ChallengeState

/** Creates the parts of the plugin. */
export function partsOf(host: Host, settings: Settings): Parts {
  const state = (): Memory =>
    host.shared(() => ({ ...createProcessCounts(), failures: createFailures(), downUntil: 0 }))
  return {
    host,
    settings,
    state,
    counter: loadOnce(async () => {
      const { createCounter } = await import('./counting/counter.ts')
      const rules = rulesWith(settings, host.limitRules)
      return createCounter(host, { ...settings, rules }, state())
    }),
    browsers: loadOnce(async () => {
      const { createKnownBrowsers } = await import('./browsers/known-browser.ts')
      return createKnownBrowsers(host)
    }),
    challenges: loadOnce(async () => {
      if (!settings.challenge) return undefined
      const { createChallenges } = await import('./challenge/challenges.ts')
      return createChallenges(host, settings, settings.challenge, state())
    }),
  }
}

/** Creates a function that finds the address of a client. */
export const finderOf = async (
  client: ClientAddress | undefined,
): Promise<
  (
    connection: string | undefined,
    header: (name: string) => string | null | undefined,
  ) => string | undefined
> => (await import('./address.ts')).createFinder(client)
