import { type Option, optionNames, options } from './options.ts'

const BEGIN = '<!-- options -->'
const END = '<!-- /options -->'

/** The table of options for README.md: one row for each, in Markdown. */
function optionsTable(): string {
  const rows = optionNames.map((name) => {
    const { env, flag, fallback, what }: Option<unknown> = options[name]
    const names = [env, flag].filter((part) => part !== undefined).map((part) => `\`${part}\``)
    return `| \`${name}\` | ${names.join(', ')} | ${fallback} | ${what} |`
  })
  return [
    '| option | variable, flag | default | what |',
    '| --- | --- | --- | --- |',
    ...rows,
  ].join('\n')
}

/** A text with the table of options between its two marks. */
export function withOptionsTable(text: string): string {
  const [before, rest = ''] = text.split(BEGIN)
  const [, after = ''] = rest.split(END)
  return `${before}${BEGIN}\n${optionsTable()}\n${END}${after}`
}
