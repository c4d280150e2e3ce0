/**
 * What the sources of the library look like as a whole: numbers for docs/explanation/architecture.md, and rules that no
 * other tool has.
 *
 *     node tools/check-house.ts [--write]
 *
 * It fails for a broken rule, and for numbers in the page that are not those of the sources. With `--write`, it puts them there.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Node, parseSource, visit } from './syntax.ts'

/** Lines of the longest function. The linter refuses longer ones, unless the source names the reason. */
const MOST_LINES = 150
/** Members of the largest interface, but for {@link LARGER}. */
const MOST_MEMBERS = 20

/** Where an interface may have more members: messages of a standard, profiles of providers, and what an application writes. */
const LARGER = /^(?:protocols\/|providers\/|options\/|model\/profile\.ts)/

export interface Source {
  /** From the folder of the sources. */
  readonly path: string
  readonly text: string
}

interface Found {
  readonly path: string
  readonly line: number
  readonly name: string
  readonly size: number
}

export interface House {
  readonly inNoRoom: readonly string[]
  /** Functions of more than 150 lines. */
  readonly longFunctions: readonly Found[]
  /** Interfaces of more than 20 members, where none may be. */
  readonly largeInterfaces: readonly Found[]
  /** Maps whose keys are requests or events of a framework. */
  readonly mapsOfRequests: readonly Found[]
  /** Names of `Symbol.for`. */
  readonly slots: ReadonlySet<string>
  readonly lines: number
}

/** Reads the sources of the library. Tests do not count. */
export function lookAt(sources: readonly Source[]): House {
  const longFunctions: Found[] = []
  const largeInterfaces: Found[] = []
  const mapsOfRequests: Found[] = []
  const slots = new Set<string>()
  let lines = 0
  for (const { path, text } of sources) {
    lines += text.split('\n').length - 1
    const lineOf = (at: number): number => text.slice(0, at).split('\n').length
    visit(parseSource(path, text).program, (node, parents) => {
      const found = (name: string, size: number): Found => ({
        path,
        line: lineOf(node.start),
        name,
        size,
      })
      if (/Function/.test(node.type) && node['body']) {
        const size = lineOf(node['end'] as number) - lineOf(node.start) + 1
        if (size > MOST_LINES) longFunctions.push(found(nameOf(node, parents), size))
      }
      if (node.type === 'TSInterfaceDeclaration' && !LARGER.test(path)) {
        const size = ((node['body'] as Node)['body'] as readonly unknown[]).length
        if (size > MOST_MEMBERS) largeInterfaces.push(found(nameOf(node, []), size))
      }
      if (
        node.type === 'NewExpression' &&
        isMapOfRequests(text.slice(node.start, node['end'] as number))
      )
        mapsOfRequests.push(found('WeakMap', 0))
      const slot = slotOf(node)
      if (slot !== undefined) slots.add(slot)
    })
  }
  const inNoRoom = sources.filter(({ path }) => !path.includes('/')).map(({ path }) => path)
  return { inNoRoom, longFunctions, largeInterfaces, mapsOfRequests, slots, lines }
}

/** What belongs to one request goes with it, as an argument or in the place that the framework has for it. */
function isMapOfRequests(text: string): boolean {
  return /^new Weak(?:Map|Set)<(?:\w*Request|\w*Event|\w*Context|Arrived)\b/.test(text)
}

function slotOf({ type, callee, arguments: given }: Node): string | undefined {
  if (type !== 'CallExpression') return undefined
  const { object, property } = callee as {
    object?: { name?: string }
    property?: { name?: string }
  }
  if (object?.name !== 'Symbol' || property?.name !== 'for') return undefined
  const slot = String((given as readonly { value?: unknown }[])[0]?.value)
  // Those of others are theirs to explain.
  return slot.startsWith('latchkey.') ? slot : undefined
}

function nameOf(node: Node, parents: readonly Node[]): string {
  const named = [node, ...parents.toReversed().slice(0, 2)].find(
    (each) => each['id'] ?? each['key'],
  )
  const { name } = (named?.['id'] ?? named?.['key'] ?? {}) as { name?: string }
  return name ?? 'a function without a name'
}

/** Returns the table of the page. */
export function tableOf(house: House): string {
  const rows: readonly (readonly [string, number])[] = [
    ['files directly in `src/`', house.inNoRoom.length],
    ['functions of more than 150 lines', house.longFunctions.length],
    [
      'interfaces of more than 20 members, but for messages of standards, profiles and options',
      house.largeInterfaces.length,
    ],
    ['maps whose keys are requests', house.mapsOfRequests.length],
    ['lines of source, without tests', house.lines],
  ]
  return [
    '| what | how many |',
    '| --- | --- |',
    ...rows.map(([what, count]) => `| ${what} | ${count} |`),
  ].join('\n')
}

/** Returns what is wrong with the page, or with the sources beside it. */
export function faultsOf(house: House, page: string): string[] {
  const named = new Set(
    [...page.matchAll(/^\| `(latchkey\.[\w.-]+)` \|/gm)].map(([, slot = '']) => slot),
  )
  return [
    ...house.inNoRoom.map((path) => `${path}: a source stands in a room`),
    ...house.largeInterfaces.map(
      ({ path, line, name, size }) =>
        `${path}:${line}: the interface ${name} has ${size} members, ${MOST_MEMBERS} at most; group them`,
    ),
    ...house.mapsOfRequests.map(
      ({ path, line }) =>
        `${path}:${line}: a map must not have requests or events as its keys; hand the value on as an argument`,
    ),
    ...[...house.slots]
      .filter((slot) => !named.has(slot))
      .map((slot) => `the page has no row for the symbol ${slot}`),
    ...[...named]
      .filter((slot) => !house.slots.has(slot))
      .map((slot) => `the page has a row for the symbol ${slot}, which no source has`),
    ...(page.includes(tableOf(house))
      ? []
      : ['the numbers of the page are others; run node tools/check-house.ts --write']),
  ]
}

function sourcesBelow(folder: string): Source[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !/\.(?:test|d)\.tsx?$/.test(path))
    .toSorted()
    .map((path) => ({
      path: path.split(sep).join('/'),
      text: readFileSync(join(folder, path), 'utf8'),
    }))
}

const BEGIN = '<!-- numbers of the sources -->\n\n'
const END = '\n\n<!-- end -->'

if (import.meta.main) {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const path = `${root}docs/explanation/architecture.md`
  const house = lookAt(sourcesBelow(`${root}packages/latchkey/src`))
  if (process.argv.includes('--write')) {
    const page = readFileSync(path, 'utf8')
    const [before = '', rest = ''] = page.split(BEGIN)
    writeFileSync(
      path,
      `${before}${BEGIN}${tableOf(house)}${END}${rest.slice(rest.indexOf(END) + END.length)}`,
    )
    for (const each of house.longFunctions)
      console.log(`${each.path}:${each.line} ${each.name}: ${each.size} lines`)
  }
  const faults = faultsOf(house, readFileSync(path, 'utf8'))
  for (const fault of faults) console.error(fault)
  if (faults.length > 0) process.exitCode = 1
}
