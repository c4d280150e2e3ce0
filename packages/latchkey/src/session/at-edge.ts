import type { Ports } from '../ports.ts'
import type { SessionHooks } from './watch.ts'

/** The part of a plugin that works without a store. */
export interface EdgeHalf extends Pick<SessionHooks, 'onRead'> {
  /** The checks that need the store, for the log: "which sessions were ended". Missing if there are none. */
  readonly unchecked?: string | undefined
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
