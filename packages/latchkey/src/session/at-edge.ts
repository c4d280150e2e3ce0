import type { Ports } from '../ports.ts'
import type { SessionHooks } from './watch.ts'

/** What a plugin does where there is no store. */
export interface EdgeHalf extends Pick<SessionHooks, 'onRead'> {
  /** What it cannot tell of a session there, for the log: "which sessions were ended". Left out: it tells everything. */
  readonly unchecked?: string | undefined
}

/** What a plugin says of its work without a store. */
export interface WithEdgeHalf {
  readonly name: string
  readonly judgesSessions?: true | undefined
  atEdge?(ports: Ports): EdgeHalf
}

/** What a plugin cannot tell of sessions without a store, for the log; `undefined` where it tells everything. */
export function uncheckedBy(plugin: WithEdgeHalf, ports: Ports): string | undefined {
  const what = plugin.atEdge
    ? plugin.atEdge(ports).unchecked
    : plugin.judgesSessions && 'which sessions it refuses'
  return what && `the plugin ${plugin.name} cannot tell here ${what}`
}
