/**
 * Checks that the name of each test can be understood alone, as a report of a failed run shows it: the titles of the
 * `describe` around it, then its own.
 *
 *     node tools/check-test-names.ts
 *
 * It fails for each name that breaks one of {@link RULES}, and for two tests of a file with one name.
 */
import { globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isNode, type Node, parseSource, visit } from './syntax.ts'

export interface TestName {
  readonly line: number
  /** The test's own. */
  readonly title: string
  /** As it is written, so a placeholder or an expression counts as one word. Ids of requirements are left out. */
  readonly name: string
}

interface Rule {
  readonly reason: string
  readonly broken: RegExp
  /** Whether it is about the test's own title, and not about the whole name. */
  readonly ofTitle?: boolean
}

/** Each rule refuses more names that a reader cannot understand than names that are clear. */
const RULES: readonly Rule[] = [
  { reason: 'has fewer than three words', broken: /^\S*(?: \S+)?$/ },
  {
    reason: 'begins without a subject',
    broken:
      /^(?:it|its|they|them|their|theirs|this|that|these|those|ours|he|she|is|are|was|were|has|have|had|does|do|can|cannot|may|must|will|not|so) /i,
  },
  { reason: 'continues the name of another test', broken: /^(?:and|or|but|nor) /i, ofTitle: true },
  {
    reason: 'begins with a clause in place of a noun',
    broken: /^(?:who|whoever|whom|whose|what|whatever|which|whichever) /i,
  },
  {
    reason: 'begins with a clause in place of a noun',
    broken: /^(?:who|whoever|whom|whose|what|whatever|which|whichever) /i,
    ofTitle: true,
  },
  {
    reason: 'compares with something that it does not name',
    broken: /\b(?:too|as well|again|otherwise|the same|either|likewise|as before)$/i,
  },
  {
    reason: 'refers to something that it does not name',
    broken:
      /(?:^|\s)(?:our|ours|theirs|nobody['’]s|as ever|thereof|besides|likewise|says so|told so|none that|all the same)(?:$|[\s,:])/i,
  },
  {
    reason: 'has "whoever" in place of a noun',
    broken: /(?:^|\s)(?:whoever|whomever|whichever)(?:$|[\s,:])/i,
  },
  {
    reason: 'has "none" in place of what is wrong',
    broken: /\b(?:is|are) none(?:$|[\s,:])/i,
  },
]

/** What stands in front of a title, with a comma or a colon after each. */
const IDS = /^(?:(?:[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)*-\d+|GHSA(?:-\w{4}){3}|CVE(?:-\d+){2})(?:, |: ))+/

const BLOCKS = new Set(['describe', 'suite'])
const TESTS = new Set(['test', 'it'])
/** Members of `test` and `describe` whose result is called with a title. */
const MODIFIERS = new Set(['concurrent', 'fails', 'only', 'sequential', 'skip', 'todo'])
const FACTORIES = new Set(['each', 'for', 'runIf', 'skipIf'])

/** Returns the names of the tests of a source, in their order. */
export function testNamesIn(path: string, text: string): TestName[] {
  const names: TestName[] = []
  visit(parseSource(path, text).program, (node, parents) => {
    if (!TESTS.has(calleeOf(node))) return
    const titles: readonly string[] = [
      ...parents.filter((each) => BLOCKS.has(calleeOf(each))),
      node,
    ].map((each) => titleOf((each['arguments'] as readonly Node[])[0], text))
    names.push({
      line: text.slice(0, node.start).split('\n').length,
      title: withoutIds(titles.at(-1) ?? ''),
      name: titles.map(withoutIds).join(' '),
    })
  })
  return names
}

/** Returns what is wrong with the names of the tests of a source. */
export function faultsOfNames(path: string, text: string): string[] {
  const lines = new Map<string, number>()
  return testNamesIn(path, text).flatMap(({ line, title, name }) => {
    const broken = RULES.filter(({ broken, ofTitle }) => broken.test(ofTitle ? title : name))
    const faults = [...new Set(broken.map(({ reason }) => reason))]
    const first = lines.get(name)
    if (first !== undefined) faults.push(`is also the name of the test in line ${first}`)
    lines.set(name, first ?? line)
    return faults.map((reason) => `${path}:${line}: the name "${name}" ${reason}`)
  })
}

function withoutIds(title: string): string {
  return title.replace(IDS, '').replace(/\s+/g, ' ')
}

/** Returns `test`, `it`, `describe` or `suite` for a call that defines one of these, and otherwise an empty text. */
function calleeOf({ type, callee, arguments: given }: Node): string {
  if (type !== 'CallExpression' || (given as readonly unknown[]).length < 2) return ''
  return rootOf(callee, false)
}

function rootOf(callee: unknown, called: boolean): string {
  if (!isNode(callee)) return ''
  const { type, name, object, property } = callee
  if (type === 'Identifier')
    return BLOCKS.has(String(name)) || TESTS.has(String(name)) ? String(name) : ''
  if (type === 'CallExpression') return rootOf(callee['callee'], true)
  if (type === 'TaggedTemplateExpression') return rootOf(callee['tag'], true)
  if (type !== 'MemberExpression') return ''
  const member = String((property as { name?: unknown }).name)
  return (called ? FACTORIES : MODIFIERS).has(member) ? rootOf(object, false) : ''
}

/** Returns the text of a title. An expression in it is one word. */
function titleOf(title: Node | undefined, text: string): string {
  if (title?.type === 'Literal') return String(title['value'])
  const source = text.slice(title?.start, title?.['end'] as number)
  if (title?.type !== 'TemplateLiteral') return `<${source.replace(/\s+/g, '')}>`
  return (title['quasis'] as readonly { value: { cooked: string } }[])
    .map(({ value }) => value.cooked)
    .join('${…}')
}

if (import.meta.main) {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const faults = globSync(
    [
      '{packages,interop}/*/{src,tests}/**/*.ts',
      '{tools,bench,examples/tests,site/tests}/**/*.test.ts',
    ],
    { cwd: root, exclude: (path) => path.includes('node_modules') },
  )
    .map((path) => path.split(sep).join('/'))
    .filter((path) => /\.test\.ts$|\/tests\//.test(path))
    .toSorted()
    .flatMap((path) => faultsOfNames(path, readFileSync(join(root, path), 'utf8')))
  for (const fault of faults) console.error(fault)
  if (faults.length > 0) {
    console.error(
      `${faults.length} faults: a name says what the test shows, to a reader who has not seen the file`,
    )
    process.exitCode = 1
  }
}
