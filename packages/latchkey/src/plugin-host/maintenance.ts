import { toError } from '../base/errors.ts'
import type { Budget } from '../plugin/host-groups.ts'
import type { PluginParts } from '../plugin/plugin.ts'
import type { SharedHost } from './host.ts'

/** Milliseconds that the lease lasts longer than the budget, because the last step may be slow. */
const GRACE = 60_000

/**
 * Calls `maintain` of each plugin, in one process at a time. A failure is logged, and the next plugin is called.
 *
 * @param budgetMs milliseconds after which no further step begins.
 */
export async function maintainAll(
  plugins: readonly (readonly [name: string, parts: Pick<PluginParts, 'maintain'>])[],
  budgetMs: number,
  { work, logger, ports }: Pick<SharedHost, 'work' | 'logger' | 'ports'>,
): Promise<void> {
  const end = ports.monotonic() + budgetMs
  const budget: Budget = { isOver: () => ports.monotonic() >= end }
  for (const [name, parts] of plugins) {
    if (!parts.maintain || budget.isOver()) continue
    try {
      const held = await work.lease(`maintain:${name}`, budgetMs + GRACE)
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
