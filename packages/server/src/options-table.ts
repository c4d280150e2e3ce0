import { optionNames, options } from './options.ts'

/** The table of options in README.md: one row for each, in Markdown. */
export function optionsTable(): string {
  const rows = optionNames.map((name) => {
    const { env, flag, fallback, what } = options[name]
    const names = [env, flag].filter((part) => part !== undefined).map((part) => `\`${part}\``)
    return `| \`${name}\` | ${names.join(', ')} | ${fallback} | ${what} |`
  })
  return [
    '| option | variable, flag | default | what |',
    '| --- | --- | --- | --- |',
    ...rows,
  ].join('\n')
}
