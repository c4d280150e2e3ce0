import { readFileSync } from 'node:fs'
import { type Option, optionNames, options } from '../../src/options.ts'

const BEGIN = '<!-- options -->'
const END = '<!-- /options -->'

/** Returns the options for README.md in Markdown: a table, and a list of further details. */
function optionsTable(): string {
  const docstrings = readDocstrings()
  const rows = optionNames.map((name) => {
    const { env, flag }: Option<unknown> = options[name]
    const { summary, fallback } = docstringOf(name, docstrings)
    const names = [env, flag].filter((part) => part !== undefined).map((part) => `\`${part}\``)
    return `| \`${name}\` | ${names.join(', ')} | ${fallback} | ${summary} |`
  })
  const details = optionNames.flatMap((name) => {
    const { details } = docstringOf(name, docstrings)
    return details === '' ? [] : [`- \`${name}\`: ${details}`]
  })
  return [
    '| option | variable, flag | default | meaning |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
    '### Details of the options',
    '',
    ...details,
  ].join('\n')
}

/** Returns the docstring of each option as it is in the source, by name. */
function readDocstrings(): ReadonlyMap<string, string> {
  const source = readFileSync(new URL('../../src/options.ts', import.meta.url), 'utf8')
  const found = source.matchAll(/\/\*\*(?<text>(?:(?!\*\/)[\s\S])*)\*\/\s*(?<name>\w+): option\(/g)
  return new Map([...found].map(({ groups: { name = '', text = '' } = {} }) => [name, text]))
}

function docstringOf(
  name: string,
  docstrings: ReadonlyMap<string, string>,
): { readonly summary: string; readonly details: string; readonly fallback: string } {
  const text = (docstrings.get(name) ?? '').replaceAll(/\s*\n\s*\* ?/g, '\n').trim()
  const [said = '', fallback] = text.split('@default ')
  const [summary = '', ...details] = said.trim().split('\n\n').map(inOneLine)
  if (summary === '' || fallback === undefined)
    throw new Error(`the docstring of the option ${name} needs a first paragraph and \`@default\``)
  return { summary, details: details.join(' '), fallback: inOneLine(fallback) }
}

function inOneLine(paragraph: string): string {
  return paragraph.replaceAll('\n', ' ').trim()
}

/** Returns the text with the table of options between its two marks. */
export function withOptionsTable(text: string): string {
  const [before, rest = ''] = text.split(BEGIN)
  const [, after = ''] = rest.split(END)
  return `${before}${BEGIN}\n${optionsTable()}\n${END}${after}`
}
