import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { doctorCommand } from './commands/doctor.ts'
import { limitsCommand } from './commands/limits.ts'
import { migrateCommand } from './commands/migrate.ts'
import { passwordsCommand } from './commands/passwords.ts'
import { providersCommand } from './commands/providers.ts'
import { schemaCommand } from './commands/schema.ts'
import { secretCommand } from './commands/secret.ts'
import { secretsCommand } from './commands/secrets.ts'
import { serveCommand } from './commands/serve.ts'
import { tokensCommand } from './commands/tokens.ts'
import { usersCommand } from './commands/users.ts'
import { checks } from './doctor/report.ts'

const lines = readFileSync(new URL('../../README.md', import.meta.url), 'utf8').split('\n')

/** The cells of the rows of the table whose head begins with these titles. */
function rowsOf(...titles: readonly string[]): string[][] {
  const head = lines.findIndex((line) => line.startsWith(`| ${titles.join(' | ')} |`))
  if (head < 0) throw new Error(`README.md has no table of ${titles.join(', ')}`)
  const after = lines.slice(head + 2)
  const end = after.findIndex((line) => !line.startsWith('|'))
  return after
    .slice(0, end)
    .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| /, '')))
}

/** What is written as code. */
const namesIn = (cell = ''): string[] =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)

/** The commands that can be called, by their names. */
function commandsOf(command: Command, before = ''): [name: string, command: Command][] {
  const name = before + command.name()
  return command.commands.length === 0
    ? [[name, command]]
    : command.commands.flatMap((each) => commandsOf(each, `${name} `))
}

const commands = [
  serveCommand(),
  secretCommand(),
  providersCommand(),
  migrateCommand(),
  schemaCommand(),
  tokensCommand(),
  limitsCommand(),
  secretsCommand(),
  passwordsCommand(),
  usersCommand(),
  doctorCommand(),
].flatMap((each) => commandsOf(each))

test('README.md has each command', () => {
  const written = rowsOf('command', 'effect').flatMap(([cell]) => namesIn(cell))
  expect(written.sort()).toEqual(commands.map(([name]) => `latchkey ${name}`).sort())
})

test('README.md has the flags of each command', () => {
  const written = rowsOf('command', 'flags').flatMap(([names, flags]) =>
    namesIn(names).map(
      (name) =>
        [
          name,
          namesIn(flags)
            .filter((flag) => flag.startsWith('--'))
            .sort(),
        ] as const,
    ),
  )
  const known = commands.flatMap(([name, { options }]) => {
    const flags = options.flatMap(({ long }) => long ?? [])
    return flags.length > 0 ? [[name, flags.sort()] as const] : []
  })
  expect(Object.fromEntries(written)).toEqual(Object.fromEntries(known))
})

test('README.md has each check of `latchkey doctor`', () => {
  const written = rowsOf('id', 'problem').flatMap(([cell]) => namesIn(cell))
  expect(written.sort()).toEqual(Object.keys(checks).sort())
})
