/**
 * Which way imports go. Prints what breaks the two tables below, and every circle; of types, too.
 *
 *     node tools/check-imports.ts [--write]
 *
 * With `--write`, the picture in docs/explanation/architecture.md is made again from the tables.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, posix, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Lowest first. A module imports from its own row and from lower ones. */
const rows: readonly (readonly string[])[] = [
  ['base'],
  ['model', 'http'],
  ['protocols'],
  ['options'],
  ['page-kit'],
  ['option-checks', 'store', 'mail'],
  ['session'],
  ['plugin'],
  ['plan'],
  ['sign-in', 'pages'],
  ['flows', 'account-kit'],
  ['core'],
  ['plugin-host', 'instance'],
  ['verifier'],
  ['testing'],
  ['entries'],
]

/** What nobody in the rows imports (but for the names in `entries`), and what it may import itself. */
const edge: Readonly<Record<string, readonly string[]>> = {
  providers: ['options', 'option-checks', 'mail', 'protocols', 'model', 'base'],
  adapters: ['model', 'base'],
  integrations: ['entries', 'http', 'base'],
  client: ['model', 'base'],
  plugins: ['entries', 'protocols'],
}

/** Single files at the edge that may import more. */
const further: Readonly<Record<string, readonly string[]>> = {
  // Passkeys are a provider type that not every application has: its module brings the flow along.
  'providers/webauthn.ts': ['flows'],
  // Nuxt is for both sides: this is what it has in the browser.
  'integrations/nuxt-app.ts': ['client'],
  // The path of the application is the same on both sides.
  'integrations/sveltekit.ts': ['client'],
  // It runs in a browser, and the kit of plugins does not.
  'plugins/provider-tokens/client.ts': ['base'],
}

/** What a plugin may import of `entries`, since the plugins of others can import it, too. */
const kit: readonly string[] = [
  'entries/plugin.ts',
  'entries/plugin-checks.ts',
  'entries/plugin-limits.ts',
  'entries/plugin-hashing.ts',
  'entries/plugin-mailbox.ts',
  'entries/plugin-pages.ts',
  'entries/plugin-accounts.ts',
]

/** The only files that may know Node.js: the `node` condition, or a part that one asks for by name. */
const nodeOnly: readonly string[] = [
  'base/crypto/node.ts',
  'plugins/passwords/hashing/engine/node.ts',
  'plugins/passwords/hashing/engine/threads.ts',
  'adapters/sql/node-sqlite-store.ts',
  'adapters/sqlite/index.ts',
  'providers/nodemailer.ts',
  'testing/adapter/expect.ts',
]

/** Names of the manifest's `imports`, as the file that stands for all of their conditions. */
const aliases: Readonly<Record<string, string>> = {
  '#crypto': 'base/crypto/node.ts',
  '#password-engine': 'plugins/passwords/hashing/engine/node.ts',
}

interface Import {
  /** Path of the importing file, from the folder that is checked. */
  readonly from: string
  readonly line: number
  readonly specifier: string
}

/** One line for each broken rule of the library's sources below `directory`. */
export function checkLibrary(directory: string): string[] {
  const files = sourceFiles(directory)
  const imports = files.flatMap((file) => importsOf(directory, file))
  const problems = [
    ...files.filter((file) => !file.includes('/')).map(inNoRoom),
    ...files.filter((file) => file.includes('/') && !known(partOf(file))).map(unknownPart),
    ...fullRooms(files),
  ]
  for (const each of imports.filter(({ from }) => !isTest(from))) {
    const to = resolve(each)
    const problem = to === undefined ? outer(each) : inner(each, to)
    if (problem) problems.push(`${each.from}:${each.line}: ${problem}`)
  }
  return [...new Set(problems), ...circles(files, imports)]
}

/** The same for an application of the library: it uses the public subpaths, as anybody would. */
export function checkApplication(directory: string, subpaths: readonly string[]): string[] {
  const files = sourceFiles(directory)
  const imports = files.flatMap((file) => importsOf(directory, file))
  const problems = imports.flatMap(({ from, line, specifier }) => {
    if (from.startsWith('tests/') || isTest(from)) return []
    const outside = resolve({ from, specifier })?.startsWith('..')
    const hidden =
      /^latchkey(\/|$)/.test(specifier) && !subpaths.some((subpath) => fits(subpath, specifier))
    if (!outside && !hidden) return []
    return [`${from}:${line}: ${specifier} is not a public subpath of the library`]
  })
  return [...problems, ...circles(files, imports)]
}

function inner({ from, specifier }: Import, to: string): string | undefined {
  if (to.startsWith('..')) return `${specifier} leaves the sources`
  const [importer, imported] = [partOf(from), partOf(to)]
  if (importer === 'plugins' && imported === 'plugins' && folderOf(from) !== folderOf(to))
    return `a plugin may not import another (${specifier})`
  if (importer === 'plugins' && imported === 'entries' && !kit.includes(to))
    return `a plugin imports only its kit, ${kit.join(', ')} (${specifier})`
  if (importer === imported || allowed(importer, imported)) return undefined
  if (further[from]?.includes(imported)) return undefined
  return `${importer} may not import ${imported} (${specifier})`
}

function allowed(importer: string, imported: string): boolean {
  const own = edge[importer]
  if (own) return own.includes(imported)
  // The public names of providers and adapters are the one place where the two tables meet.
  if (imported in edge) return importer === 'entries'
  return rowOf(imported) <= rowOf(importer)
}

function outer({ from, specifier }: Import): string | undefined {
  if (!specifier.startsWith('node:') || nodeOnly.includes(from)) return undefined
  return `only the node condition may import ${specifier}`
}

/** Every circle once, as `a.ts -> b.ts -> a.ts`. */
function circles(files: readonly string[], imports: readonly Import[]): string[] {
  const next = new Map<string, string[]>(files.map((file) => [file, []]))
  for (const each of imports) {
    const to = resolve(each)
    if (to !== undefined && next.has(to)) next.get(each.from)?.push(to)
  }
  const found: string[] = []
  const finished = new Set<string>()
  const path: string[] = []
  const visit = (file: string): void => {
    const start = path.indexOf(file)
    if (start >= 0) found.push(`circle: ${[...path.slice(start), file].join(' -> ')}`)
    if (start >= 0 || finished.has(file)) return
    path.push(file)
    for (const to of next.get(file) ?? []) visit(to)
    path.pop()
    finished.add(file)
  }
  for (const file of files) visit(file)
  return found
}

const IMPORT =
  /^[ \t]*(?:import|export)\b(?:[^'"`;=(]*?\bfrom)?\s*(['"])([^'"\n]+)\1|\bimport\s*\(\s*(['"])([^'"\n]+)\3/gm

function importsOf(directory: string, file: string): Import[] {
  const text = readFileSync(join(directory, file), 'utf8')
  // Comments may quote an import; blanked out, every line keeps its number.
  const code = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, (comment) =>
    comment.replace(/[^\n]/g, ' '),
  )
  return [...code.matchAll(IMPORT)].map((match) => ({
    from: file,
    line: code.slice(0, match.index + match[0].length).split('\n').length,
    specifier: match[2] ?? match[4] ?? '',
  }))
}

function sourceFiles(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(sep).join('/'))
    .filter((file) => /\.[cm]?tsx?$/.test(file) && !/(^|\/)(node_modules|dist)\//.test(file))
    .sort()
}

/** The row's or edge's name for a file: its room, the folder below `src`. */
function partOf(file: string): string {
  const [first = ''] = file.split('/')
  return first
}

/** A plugin's folder. */
const folderOf = (file: string): string | undefined => file.split('/')[1]

/** The imported file, from the folder that is checked; `undefined` when it is a package. */
function resolve({ from, specifier }: Pick<Import, 'from' | 'specifier'>): string | undefined {
  if (!specifier.startsWith('.')) return aliases[specifier]
  return posix.normalize(posix.join(posix.dirname(from), specifier))
}

function rowOf(part: string): number {
  return rows.findIndex((row) => row.includes(part))
}

function known(part: string): boolean {
  return part in edge || rowOf(part) >= 0
}

function unknownPart(file: string): string {
  return `${file}: ${partOf(file)} has no line in the tables of tools/check-imports.ts`
}

function inNoRoom(file: string): string {
  return `${file}: it lies in no room; the folder \`src\` holds folders only`
}

/** Files that a room may have, besides those in its folders. */
const MOST_FILES = 16

/** Rooms of many files of one kind. */
const LISTS: readonly string[] = ['providers', 'integrations']

/** Returns the rooms, and the folders of plugins and flows, with too many files. */
function fullRooms(files: readonly string[]): string[] {
  const folders = Map.groupBy(
    files.filter((file) => !isTest(file)),
    (file) => posix.dirname(file),
  )
  const rooms = [...folders].filter(([folder]) => /^(?:(?:plugins|flows)\/)?[^/.]+$/.test(folder))
  return rooms.flatMap(([room, { length }]) =>
    length > MOST_FILES && !LISTS.includes(room)
      ? [`${room}: it has ${length} files; a room has at most ${MOST_FILES}, so divide it`]
      : [],
  )
}

function isTest(file: string): boolean {
  return file.endsWith('.test.ts')
}

function fits(subpath: string, specifier: string): boolean {
  const [start = '', end] = posix.join('latchkey', subpath).split('*')
  return end === undefined ? specifier === start : specifier.startsWith(start)
}

const BEGIN = '<!-- rooms, as tools/check-imports.ts has them -->'
const END = '<!-- end of rooms -->'

/** The rooms, the highest first, and what each room at the edge may import. */
export function picture(): string {
  const lines = rows.toReversed().map((row) => row.join('   '))
  const width = Math.max(...Object.keys(edge).map((name) => name.length))
  const outer = Object.entries(edge).map(
    ([name, known]) => `${name.padEnd(width)}  ─►  ${known.join(', ')}`,
  )
  return ['```text', ...lines, '', ...outer, '```'].join('\n')
}

/** A page with the picture between its two marks. */
export function withPicture(page: string): string {
  const [start, end] = [page.indexOf(BEGIN), page.indexOf(END)]
  if (start < 0 || end < start) throw new Error(`the page has no ${BEGIN} … ${END}`)
  return `${page.slice(0, start)}${BEGIN}\n\n${picture()}\n\n${page.slice(end)}`
}

function main(): void {
  const root = join(dirname(fileURLToPath(import.meta.url)), '..')
  const architecture = join(root, 'docs/explanation/architecture.md')
  const page = readFileSync(architecture, 'utf8')
  if (process.argv.includes('--write')) writeFileSync(architecture, withPicture(page))
  const library = join(root, 'packages/latchkey')
  const manifest = JSON.parse(readFileSync(join(library, 'package.json'), 'utf8')) as {
    exports: Record<string, unknown>
  }
  const application = join(root, 'packages/server')
  const problems = [
    ...checkLibrary(join(library, 'src')).map((problem) => `packages/latchkey/src/${problem}`),
    ...checkApplication(application, Object.keys(manifest.exports)).map(
      (problem) => `packages/server/${problem}`,
    ),
  ]
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
}

if (import.meta.main) main()
