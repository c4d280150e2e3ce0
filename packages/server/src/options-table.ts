import { type Option, optionNames, options } from './options.ts'

const BEGIN = '<!-- options -->'
const END = '<!-- /options -->'

/** Returns the options for README.md in Markdown: a table, and a list of further details. */
function optionsTable(): string {
  const rows = optionNames.map((name) => {
    const { env, flag, fallback, what }: Option<unknown> = options[name]
    const names = [env, flag].filter((part) => part !== undefined).map((part) => `\`${part}\``)
    return `| \`${name}\` | ${names.join(', ')} | ${fallback} | ${what} |`
  })
  const details = optionNames.flatMap((name) => {
    const { details }: Option<unknown> = options[name]
    return details === undefined ? [] : [`- \`${name}\`: ${details}`]
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

/** Returns the text with the table of options between its two marks. */
export function withOptionsTable(text: string): string {
  const [before, rest = ''] = text.split(BEGIN)
  const [, after = ''] = rest.split(END)
  return `${before}${BEGIN}\n${optionsTable()}\n${END}${after}`
}
