import type { Ports } from '../base/ports.ts'
import type { Carrier } from './carrier.ts'
import type { SessionHooks } from './watch.ts'

type UsedAtEdge = 'claims' | 'life' | 'onRead' | 'shown'

/**
 * The session hooks that are used at the edge, without a store. All others are left to the whole configuration: sessions do
 * not begin, are not extended and do not end at the edge if a plugin has one of them.
 */
export const usedAtEdge: readonly string[] = [
  'claims',
  'life',
  'onRead',
  'shown',
] satisfies UsedAtEdge[]

/** The part of a plugin that works without a store. */
export interface EdgeHalf extends Pick<SessionHooks, UsedAtEdge> {
  /**
   * Where requests have sessions besides the cookie. A carrier that needs the store finds `null` at the edge: nobody is
   * signed in there.
   */
  readonly carriers?: readonly Carrier[] | undefined
  /** The checks that need the store, for the log: "which sessions were ended". Missing if there are none. */
  readonly unchecked?: string | undefined
  /**
   * Whether the plugin has no other session hooks than these. Otherwise sessions are only read at the edge: they begin, are
   * extended and end with the whole configuration.
   */
  readonly isWhole?: true | undefined
}

/** The members of a plugin that concern work without a store. */
export interface WithEdgeHalf {
  readonly name: string
  readonly judgesSessions?: true | undefined
  atEdge?(ports: Ports): EdgeHalf
}

/** Returns the checks that a plugin cannot make without a store, for the log; `undefined` if there are none. */
export function uncheckedBy(plugin: WithEdgeHalf, ports: Ports): string | undefined {
  const what = plugin.atEdge
    ? plugin.atEdge(ports).unchecked
    : plugin.judgesSessions && 'which sessions it refuses'
  return what && `the plugin ${plugin.name} cannot check at the edge ${what}`
}
