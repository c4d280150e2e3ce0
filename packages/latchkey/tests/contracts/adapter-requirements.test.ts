import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { adapterCases } from '../../src/testing/adapter/index.ts'
import { interruptionCases } from '../../src/testing/adapter/interruptions.ts'
import { storedCases } from '../../src/testing/adapter/stored.ts'

/** The requirements of the kit, by the ids in its rules. */
const requirements: Readonly<Record<string, string>> = {
  'A-03': 'A failure of the store causes an error, never an empty result or a success.',
  'A-08': 'With transactions, changes that belong together are stored completely or not at all.',
  'A-09':
    'If the same person signs in for the first time in parallel, one sign-in creates the user and the others get a conflict.',
  'A-10':
    'A verification token is found and removed in one step: only one of many parallel calls gets it.',
  'A-11': 'The store enforces uniqueness; the adapter does not check with a query first.',
  'A-12': 'A signature counter can only increase; one of many parallel uses of a value succeeds.',
  'A-13': 'Deleting or unlinking something that does not exist succeeds.',
  'A-14':
    'A key that exists is an `AdapterConflict` with the kind of the entry and without its values.',
  'A-20': 'An address is unique; any number of users may be without one.',
  'A-21':
    'These are unique: provider and subject; session token; address and verification token; credential id.',
  'A-22': 'Deleting a user removes everything that belongs to the user, in any amount.',
  'A-23': 'An update changes existing entries and creates none.',
  'A-24': 'Keys are compared byte for byte and never truncated.',
  'A-25':
    'Every character is stored unchanged, in keys and in other members; two different pairs are never the same key.',
  'A-26': 'A session can be read immediately after its creation, and no longer after its deletion.',
  'A-27': 'Strings that look like a number, a date or an id of the store stay unchanged.',
  'A-30': 'An unknown member does not stop a sign-in.',
  'A-31': '`undefined` is stored as `null` on creation and changes nothing in an update.',
  'A-32': 'All members are returned, with `null` for missing values.',
  'A-33': 'Dates are converted by member, not by the format of a string.',
  'A-34': 'Dates keep their milliseconds from 1970 to 9999 in every time zone.',
  'A-35': 'Numbers of any size are returned as numbers.',
  'A-36': 'Booleans are returned as booleans.',
  'A-37': 'Provider tokens may have any length.',
  'A-39': 'Results are plain, new objects.',
  'A-40': 'A session token is any string, and can be replaced by another.',
  'A-41': '`cleanup` removes expired entries in batches; several processes may call it at once.',
  'A-50': 'Abilities that an adapter declares work as described.',
  'A-51': 'Counted attempts and leases work, also between clients.',
  'A-52': 'Sessions, accounts and users can be listed, and all sessions of a user deleted.',
  'A-53':
    'Creating, replacing or taking a record is one step: one of many parallel calls succeeds, and every client sees its result.',
  'A-54':
    'A record is returned as it was written, with a key of up to 190 characters and up to 64 kB of JSON.',
  'A-55':
    'A record blocks the creation of another with the same key until the millisecond in which it expires.',
  'A-56': 'A listing has each record that exists during the whole listing.',
}

const rules = [...adapterCases, ...storedCases, ...interruptionCases]

test('the page of adapter requirements matches the kit', async () => {
  const named = new Set(rules.flatMap((rule) => rule.requirements ?? []))
  // The option `failing` checks this requirement outside of the lists of rules.
  named.add('A-03')
  expect([...named].toSorted()).toEqual(Object.keys(requirements))
  const rows = Object.entries(requirements).map(
    ([id, text]) => `| [${id}](#${id.toLowerCase()}) | ${text} |`,
  )
  const lists = Object.keys(requirements).map((id) => {
    const names = rules.filter((rule) => rule.requirements?.includes(id)).map(({ name }) => name)
    const list = names.map((name) => `- ${name}`).join('\n')
    return `### ${id}\n\n${list || 'The test of the option `failing` checks this requirement.'}`
  })
  const others = rules.filter((rule) => !rule.requirements).map(({ name }) => `- ${name}`)
  const page = `# Adapters

Latchkey has these adapters. [Store users and sessions](../how-to/store-sessions.md) helps you choose one. You can also use
[adapters of Auth.js](auth-js-adapters.md).

| import | page |
| --- | --- |
${pagesOfAdapters().join('\n')}

## What an adapter must do

The table lists the requirements of [the test kit](../how-to/write-an-adapter.md). Each id leads to the rules that check it. The ids
appear in the test names of the kit and in the results of \`checkAdapter\`.

An adapter must not print anything, because the output could contain addresses and tokens. Every rule fails for an adapter that prints.

| id | requirement |
| --- | --- |
${rows.join('\n')}

## The rules of the kit

The names of these rules are the keys of \`except\`, an option of \`describeAdapter\`. A test generates this page from the kit. To update it:

\`\`\`sh
npx vitest run packages/latchkey/tests/contracts/adapter-requirements --update
\`\`\`

${lists.join('\n\n')}

### Rules without a requirement

These rules check the results of single methods:

${others.join('\n')}
`
  await expect(page).toMatchFileSnapshot('../../../../docs/reference/adapters.md')
})

/** A row for each folder of an adapter. */
function pagesOfAdapters(): string[] {
  const library = fileURLToPath(new URL('../../', import.meta.url))
  return globSync('src/adapters/*/README.md', { cwd: library })
    .toSorted()
    .map((file) => {
      const [, title] = /^# (.+)/.exec(readFileSync(join(library, file), 'utf8')) ?? []
      const subpath = dirname(file).replace('src/', 'latchkey/')
      return `| \`${subpath}\` | [${title}](../../packages/latchkey/${file}) |`
    })
}
