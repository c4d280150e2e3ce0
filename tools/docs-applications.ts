/**
 * Checks that the code blocks of one page, in order, make one application.
 *
 * A block that creates an instance or opens a store begins with the name of its file if another block of the
 * page does so, too. It must be the same file: the later block then replaces the earlier one. Every other block
 * imports the instance from that file. The parts of a page for several frameworks are an application each. A test (`*.test.ts`) is an application of its own.
 *
 * {@link OTHER_FILES} names the files that are allowed to have another instance.
 */
import { applicationsOf, type Block, blocksOf } from './docs-blocks.ts'

/** A block of a page that breaks the rule. */
interface ApplicationFault {
  readonly line: number
  readonly message: string
}

/** Files that have an instance in addition to the first one of their page, each with the reason. */
export const OTHER_FILES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'docs/how-to/move-from-next-auth-4.md': {
    'middleware.ts': 'the guard of the edge runtime is an instance without adapter and providers',
  },
  'docs/how-to/run-at-the-edge.md': {
    'middleware.js': 'the page is about two instances: one on Node.js, one at the edge',
    'edge.ts': 'the same in other frameworks',
  },
}

/** The pages that a reader follows from the first block to the last. */
const FOLLOWED = /^docs\/(?:how-to|start|tutorials)\//

const OPENS =
  /(?<![.\w$])(?:createLatchkey|NextAuth|SvelteKitAuth|QwikAuth\$|SolidAuth|AstroAuth|ExpressAuth|memoryAdapter|open(?:NodeSqlite|Libsql|D1)|createPool|new (?:pg\.)?Pool|new PrismaClient)\(/

/** Returns the blocks of a page that make a second application. */
export function applicationFaults(
  page: string,
  text: string,
  others: Readonly<Record<string, string>> = OTHER_FILES[page] ?? {},
): ApplicationFault[] {
  if (!FOLLOWED.test(page)) return []
  return applicationsOf(text).flatMap((application) => faultsOf(application.text, others))
}

function faultsOf(text: string, others: Readonly<Record<string, string>>): ApplicationFault[] {
  const opening = blocksOf(text).filter(isOpening)
  const [first, ...later] = opening
  if (!first) return []
  const faults: ApplicationFault[] = []
  const unneeded = new Set(Object.keys(others))
  for (const { line, file } of later) {
    if (file !== undefined && file === first.file) continue
    if (file !== undefined && file in others) unneeded.delete(file)
    else
      faults.push({
        line,
        message:
          file === undefined || first.file === undefined
            ? `this block and the one of line ${first.line} both create an instance or open a store: import it instead, or begin each block that replaces it with the name of the file, for example "// auth.ts"`
            : `${file} creates a second instance or store beside that of ${first.file} (line ${first.line}): import it instead`,
      })
  }
  for (const file of unneeded)
    faults.push({
      line: 1,
      message: `the exception for ${file} is not needed (tools/docs-applications.ts)`,
    })
  return faults
}

function isOpening({ language, code, file }: Block): boolean {
  if (!/^(?:[jt]sx?|astro|svelte|vue)$/.test(language) || file?.includes('.test.')) return false
  return OPENS.test(code.replaceAll(/^\s*\/\/.*$/gm, ''))
}
