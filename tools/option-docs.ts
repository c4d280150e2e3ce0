/**
 * The tables of options in the docs, made from the docstrings of the option types. A table is between two comments:
 *
 *     <!-- options: SessionsOptions with revocations -->
 *     <!-- end of options -->
 *
 * `with` adds the members of an option that is an object. `from` and the end of a path tell two types with one name
 * apart: `RevocationsOptions from src/verifier/revocations.ts`.
 *
 *     node tools/option-docs.ts          exit 1 when a table is not what its docstrings say
 *     node tools/option-docs.ts --write  writes them
 *
 * The first sentence of a docstring is a cell. The text after it is below the table. `@default` is the default, and
 * `@see docs/how-to/rotate-the-secret.md` a link, with the heading of that page or section as its text.
 */
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Option, OptionTypes } from './option-types.ts'

const BEGIN = /<!-- options: (?<name>\w+)(?: from (?<from>\S+))?(?: with (?<inner>[\w., ]+))? -->/
const END = '<!-- end of options -->'

/** The longest first sentence of a docstring. More is no cell of a table. */
const LONGEST_CELL = 160

/** What a docstring says. */
interface Docstring {
  readonly summary: string
  /** Paragraphs and lists. */
  readonly details: readonly string[]
  readonly fallback: string
  /** Pages, and sections of pages. */
  readonly see: readonly string[]
}

/** Where the tables come from, and what their links lead to. */
export interface Sources {
  readonly types: OptionTypes
  /** Returns the text of a page; `undefined` if there is none. */
  readonly read: (path: string) => string | undefined
}

/**
 * Returns a page with its tables of options as the docstrings say them.
 *
 * @param path of the page, from the root of the repository.
 * @throws for an option without a docstring, and for a docstring that cannot be shown.
 */
export function withOptionTables(text: string, path: string, sources: Sources): string {
  const made = text.split(/(?=<!-- options: )/).map((part) => {
    if (!part.startsWith('<!-- options: ')) return part
    const { 0: mark, groups: { name = '', from, inner = '' } = {} } = BEGIN.exec(part) ?? {}
    const end = part.indexOf(END)
    if (mark === undefined || !part.startsWith(mark) || end < 0)
      throw new Error(`${path}: cannot read ${part.slice(0, 80)}`)
    const names = inner.split(/, ?/).filter((each) => each !== '')
    const options = names.reduce(
      (all, each) => withMembers(all, each, sources.types),
      sources.types.optionsOf(name, from),
    )
    return `${mark}\n\n${section(name, options, path, sources)}\n\n${part.slice(end)}`
  })
  return made.join('')
}

/** Adds the members of one of the options, below it. */
function withMembers(options: readonly Option[], name: string, types: OptionTypes): Option[] {
  const at = options.findIndex((option) => option.name === name)
  const option = options[at]
  if (!option) throw new Error(`there is no option ${name}`)
  const members = types
    .within(option)
    .map((member) => ({ ...member, name: `${name}.${member.name}` }))
  return [...options.slice(0, at + 1), ...members, ...options.slice(at + 1)]
}

function section(type: string, options: readonly Option[], path: string, sources: Sources): string {
  const rows: string[] = []
  const details = new Map<string, string[]>()
  const faults: string[] = []
  for (const option of options) {
    try {
      const docstring = docstringOf(option)
      rows.push(row(option, docstring, path, sources))
      const text = docstring.details.join('\n\n')
      if (text !== '') details.set(text, [...(details.get(text) ?? []), `\`${option.name}\``])
    } catch (error) {
      faults.push(`${type}: \`${option.name}\` ${(error as Error).message}`)
    }
  }
  if (faults.length > 0) throw new Error(faults.join('\n'))
  const table = ['| option | default | what it does |', '| --- | --- | --- |', ...rows].join('\n')
  const below = [...details].map(([text, names]) => item(names, text))
  return below.length > 0 ? `${table}\n\n${below.join('\n')}` : table
}

function docstringOf({ docstring, values }: Option): Docstring {
  const [text = '', ...tags] = docstring.split(/(?:^|\s)@(?=[a-z]+\b)/)
  const tagged = Map.groupBy(
    tags.map((tag) => [tag.split(/\s/, 1).join(''), tag.replace(/^\S+/, '').trim()] as const),
    ([name]) => name,
  )
  const valuesOf = (name: string): string[] => (tagged.get(name) ?? []).map(([, value]) => value)
  for (const name of tagged.keys())
    if (!TAGS.includes(name)) throw new Error(`has a tag that no table shows: @${name}`)
  const [fallback = ''] = valuesOf('default')
  const [deprecated] = valuesOf('deprecated')
  const see = valuesOf('see')
  const [first = '', ...others] = paragraphsOf(text)
  const summary =
    deprecated === undefined ? sentenceOf(first) : `Deprecated: ${lowerFirst(deprecated)}`
  if (summary === '') throw new Error('has no docstring')
  if (!summary.endsWith('.')) throw new Error(`must begin with a sentence: ${summary}`)
  if (summary.length > LONGEST_CELL)
    throw new Error(`has a first sentence of more than ${LONGEST_CELL} characters: ${summary}`)
  const unnamed = values.filter((value) => !docstring.includes(value))
  if (unnamed.length > 0 && see.length === 0)
    throw new Error(`accepts ${unnamed.join(', ')}, which the docstring does not mention`)
  const rest = deprecated === undefined ? first.slice(summary.length).trim() : first
  return {
    summary,
    details: [...(rest === '' ? [] : [rest]), ...others],
    fallback: fallback.replaceAll(/\s+/g, ' '),
    see,
  }
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1)
}

const TAGS: readonly string[] = ['default', 'see', 'deprecated']

/** Paragraphs in one line each. Lists keep their lines. */
function paragraphsOf(text: string): string[] {
  return text
    .replaceAll(/\{@link (\S+?)\}/g, '`$1`')
    .trim()
    .split(/\n{2,}/)
    .map((part) => (/^[-*] /.test(part) ? part : part.replaceAll(/\s*\n\s*/g, ' ')))
}

function sentenceOf(paragraph: string): string {
  return /^.*?[.?!](?=$| (?=\P{Ll}))/u.exec(paragraph)?.[0] ?? paragraph
}

function row(
  { name, isRequired }: Option,
  { summary, fallback, see }: Docstring,
  path: string,
  sources: Sources,
): string {
  const links = see.map((target) => `[${headingOf(target, sources)}](${linkTo(target, path)})`)
  const what = links.length > 0 ? `${summary} See ${links.join(', ')}.` : summary
  const cells = [`\`${name}\``, isRequired ? 'required' : shown(fallback), what]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`.replaceAll(
    '|  |',
    '| |',
  )
}

/** A default. One that is a literal is shown as code. */
function shown(fallback: string): string {
  return fallback.replace(
    /^(?:-?[\d.]+|'[^']*'|true|false|null|\[[^`]*\]|\{[^`]*\})(?=$| \()/,
    '`$&`',
  )
}

/** An item of the list below a table, about options that have one text. */
function item(names: readonly string[], text: string): string {
  const gap = /^[-*] /.test(text) ? '\n\n' : ' '
  return `* ${names.join(', ')}:${gap}${text}`.replaceAll(/\n(?=.)/g, '\n  ')
}

function linkTo(target: string, path: string): string {
  const [page = '', anchor] = target.split('#')
  if (page === path && anchor !== undefined) return `#${anchor}`
  return posix.relative(posix.dirname(path), target)
}

/** The heading of a section; the title of the page for any other place in it. */
function headingOf(target: string, { read }: Sources): string {
  const [page = '', anchor] = target.split('#')
  const text = read(page)
  if (text === undefined) throw new Error(`names a page that does not exist: @see ${target}`)
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading)
  const isPage = anchor === undefined || text.includes(`<a id="${anchor}">`)
  const found = isPage ? headings[0] : headings.find((heading) => slugOf(heading) === anchor)
  if (!found) throw new Error(`names a section that does not exist: @see ${target}`)
  return found
}

/** The anchor that repository viewers and the site give a heading. */
function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-')
}

function main(): void {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const textOf = (path: string): string => readFileSync(join(root, path), 'utf8')
  const paths = globSync('packages/latchkey/src/**/*.ts', {
    cwd: root,
    exclude: ['**/*.test.ts', '**/*.d.ts'],
  }).map((path) => path.replaceAll('\\', '/'))
  const sources: Sources = {
    types: new OptionTypes(new Map(paths.map((path) => [path, textOf(path)]))),
    read: (path) => (existsSync(join(root, path)) ? textOf(path) : undefined),
  }
  const pages = globSync(['docs/**/*.md', 'packages/latchkey/src/**/*.md'], { cwd: root }).sort()
  const stale = pages.flatMap((path): [string, string][] => {
    const text = textOf(path)
    const made = withOptionTables(text, path, sources)
    return made === text ? [] : [[path, made]]
  })
  if (process.argv.includes('--write')) {
    for (const [path, made] of stale) writeFileSync(join(root, path), made)
  } else if (stale.length > 0) {
    console.log(
      'tables of options are not what the docstrings say: node tools/option-docs.ts --write',
    )
    for (const [path] of stale) console.log(`  ${path}`)
    process.exitCode = 1
  }
}

if (import.meta.main) {
  try {
    main()
  } catch (error) {
    console.error((error as Error).message)
    process.exitCode = 1
  }
}
