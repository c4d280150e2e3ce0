import type { Sources } from '../../settings.ts'
import { version } from '../version.ts'
import { examine } from './examine.ts'
import type { Report } from './report.ts'

/**
 * Checks the service and prints the findings.
 *
 * @returns whether there are none.
 */
export async function printFindings(sources: Sources, json: boolean): Promise<boolean> {
  const report = await examine(sources)
  process.stdout.write(
    json ? `${JSON.stringify({ version: version(), ...report }, null, 2)}\n` : inLines(report),
  )
  return report.findings.length === 0
}

function inLines({ findings, checked, skipped }: Report): string {
  const lines = [
    ...findings.map(
      ({ id, level, title, seen, fix }) => `${level} ${id}: ${title}: ${seen}; ${fix}`,
    ),
    ...skipped.map(({ id, why }) => `skipped ${id}: ${why}`),
    `checked ${checked.join(', ')}: ${findings.length === 0 ? 'nothing is wrong' : `${findings.length} wrong`}`,
  ]
  return `${lines.join('\n')}\n`
}
