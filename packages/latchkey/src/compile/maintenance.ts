import { toError } from '../errors.ts'
import type { Budget, Host, PluginParts } from '../plugin.ts'

/** Milliseconds for which nobody else does it, beside those that it may take: a step may be slow. */
const GRACE = 60_000

/**
 * Has each plugin clean up and repair, one process at a time. A plugin that fails is logged, and keeps no other from it.
 *
 * @param budgetMs milliseconds after which no further step is begun.
 */
export async function maintainAll(
  plugins: readonly (readonly [name: string, parts: Pick<PluginParts, 'maintain'>])[],
  budgetMs: number,
  { lease, logger, ports }: Pick<Host, 'lease' | 'logger' | 'ports'>,
): Promise<void> {
  const end = ports.monotonic() + budgetMs
  const budget: Budget = { isOver: () => ports.monotonic() >= end }
  for (const [name, parts] of plugins) {
    if (!parts.maintain || budget.isOver()) continue
    try {
      const held = await lease(`maintain:${name}`, budgetMs + GRACE)
      if (!held) continue
      try {
        await parts.maintain(budget)
      } finally {
        await held.release()
      }
    } catch (error) {
      logger.error(toError(error))
    }
  }
}
