import { definedOnly } from '../base/encoding/defined-only.ts'
import { AuthError } from '../base/errors.ts'
import type { Ports } from '../base/ports.ts'
import type { Host } from '../plugin/host.ts'
import type { Plugin, PluginParts } from '../plugin/plugin.ts'
import type { Provided } from '../plugin/provides.ts'
import { usedAtEdge } from '../session/at-edge.ts'

export type AnyPlugin = Plugin<string, object, never>
export type AnyParts = PluginParts<object, never>

/** The plugins of a plan with their parts. */
export interface PluginSet {
  readonly plugins: readonly AnyPlugin[]
  /** Returns the parts of a plugin, which is set up at its first use. */
  partsOf(plugin: AnyPlugin): AnyParts
  /** Returns what one of the plugins provides for all others. */
  provided<Name extends keyof Provided>(name: Name): Provided[Name] | undefined
}

/** Sets up plugins, each at its first use. */
export function createPluginSet(
  plugins: readonly AnyPlugin[],
  ports: Ports,
  hostOf: (plugin: AnyPlugin) => Host,
): PluginSet {
  const made = new Map<AnyPlugin, AnyParts>()
  const partsOf = (plugin: AnyPlugin): AnyParts => {
    let parts = made.get(plugin)
    if (!parts) {
      parts = plugin.setUp(hostOf(plugin))
      checkParts(plugin, parts, ports)
      made.set(plugin, parts)
    }
    return parts
  }
  return {
    plugins,
    partsOf,
    provided(name) {
      for (const plugin of plugins) {
        const provided = providedBy(partsOf(plugin))[name]
        if (provided) return provided
      }
      return undefined
    },
  }
}

/** Also accepts the earlier names of these parts, from before `provides`. */
function providedBy({
  provides,
  limiter,
  sessionControl: sessions,
  tokenKeeper: tokens,
}: AnyParts): Partial<Provided> {
  return { ...definedOnly({ limiter, sessions, tokens }), ...provides }
}

/** All parts of a plugin. Checked at run time, because the compiler accepts objects with further members. */
const PARTS: Readonly<Record<keyof PluginParts, true>> = {
  api: true,
  own: true,
  freshAge: true,
  session: true,
  atGate: true,
  authorize: true,
  actions: true,
  leave: true,
  proofs: true,
  provides: true,
  limiter: true,
  sessionControl: true,
  listen: true,
  carriers: true,
  onBegin: true,
  afterSignIn: true,
  accounts: true,
  tokenKeeper: true,
  beforeUserDelete: true,
  onUserDelete: true,
  maintain: true,
}

/** Refuses parts that would have no effect. */
function checkParts(
  { name, gate, provides = [], judgesSessions, atEdge }: AnyPlugin,
  parts: AnyParts,
  ports: Ports,
): void {
  if (parts instanceof Promise || Object(parts) !== parts) {
    throw new AuthError(
      `\`setUp\` of the plugin ${name} must return an object, got ${parts instanceof Promise ? 'a promise' : String(parts)}; do asynchronous work in the functions of that object`,
    )
  }
  const unknown = Object.keys(parts).find((part) => !(part in PARTS))
  if (unknown !== undefined) {
    throw new AuthError(
      `\`setUp\` of the plugin ${name} returns the unknown member ${JSON.stringify(unknown)}; expected one of: ${Object.keys(PARTS).join(', ')}`,
    )
  }
  if ((gate === undefined) !== (parts.atGate === undefined)) {
    throw new AuthError(
      `the plugin ${name} needs both \`gate\` (its position among the gates) and \`atGate\` (in the result of \`setUp\`)`,
    )
  }
  const provided = Object.keys(parts.provides ?? {})
  const odd = [...provided, ...provides].find(
    (each) => !provided.includes(each) || !(provides as readonly string[]).includes(each),
  )
  if (odd !== undefined) {
    throw new AuthError(
      `the plugin ${name} must name ${JSON.stringify(odd)} both in its list \`provides\` and in \`provides\` of the result of \`setUp\``,
    )
  }
  if (parts.session?.onRead && !judgesSessions) {
    throw new AuthError(
      `the plugin ${name} needs \`judgesSessions: true\`, because \`setUp\` returns \`session.onRead\`: code that reads sessions without the plugin then logs a warning`,
    )
  }
  const left = Object.keys(parts.session ?? {}).find((hook) => !usedAtEdge.includes(hook))
  if (left !== undefined && atEdge?.(ports).isWhole) {
    throw new AuthError(
      `\`atEdge\` of the plugin ${name} must not return \`isWhole\`: its hook ${left} is not called at the edge`,
    )
  }
}
