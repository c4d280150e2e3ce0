import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { adapterCases } from '../../src/testing/adapter/index.ts'
import { interruptionCases } from '../../src/testing/adapter/interruptions.ts'
import { storedCases } from '../../src/testing/adapter/stored.ts'

/** What the kit asks of an adapter, by the ids that its rules name. */
const requirements: Readonly<Record<string, string>> = {
  'A-03': 'A failure of the store is an error, and never an empty answer or a success.',
  'A-08':
    'What belongs together is written as a whole or not at all, where there are transactions.',
  'A-09': 'Of many first sign-ins at once one makes the user; the others are told so.',
  'A-10': 'A verification token is found and removed in one step: of many takers one gets it.',
  'A-11': 'What must be unique is made so by the store, and not by looking first.',
  'A-12': 'A signature counter moves forward only, and of parallel uses of a value one passes.',
  'A-13': 'Deleting, ending and unlinking what is not there is no error.',
  'A-14': 'A key that is taken is a conflict with the kind of the record, and without its values.',
  'A-20': 'An address is unique; any number of users may be without one.',
  'A-21':
    'Unique are: provider and subject; the token of a session; address and token; the id of a passkey.',
  'A-22': 'Who is deleted leaves nothing behind, however much there was.',
  'A-23': 'An update changes what is there, and creates nothing.',
  'A-24': 'Keys compare byte for byte, and are never cut.',
  'A-25': 'Any character survives, in keys and elsewhere; two pairs of keys never make one.',
  'A-26': 'A session can be read right after it was created, and no more once it was deleted.',
  'A-27': 'What looks like a number, a date or an id of the store stays the text that it is.',
  'A-30': 'A member that nobody knows does not stop a sign-in.',
  'A-31': '`undefined` is nothing when a record is made, and changes nothing in an update.',
  'A-32': 'All members of a record come back, `null` where there is nothing.',
  'A-33': 'Dates are converted by member, not by the look of a text.',
  'A-34': 'Dates keep their milliseconds from 1970 to 9999, whatever the time zones.',
  'A-35': 'Numbers come back as numbers, however large.',
  'A-36': 'Booleans come back as booleans.',
  'A-37': 'Tokens of providers have no limit of length.',
  'A-39': 'Results are plain, fresh objects.',
  'A-40': 'The token of a session is any text, and may be exchanged for another.',
  'A-41': 'What has expired is removed in batches, by several at once if need be.',
  'A-50': 'What an adapter announces, it keeps.',
  'A-51': 'Attempts and leases are there for whatever needs them.',
  'A-52': 'Sessions, accounts and users can be listed, and all sessions of a user ended.',
  'A-53':
    'A record is created, replaced and taken in one step: of many at once one does it, and all see it.',
  'A-54': 'A record comes back as it was written, from a key of 190 characters and 64 kB of JSON.',
  'A-55': 'A record is in the way of another until the millisecond in which it expires.',
  'A-56': 'A listing of records has each that was there all the while.',
}

const rules = [...adapterCases, ...storedCases, ...interruptionCases]

test('the page of what an adapter must do is what the kit says', async () => {
  const named = new Set(rules.flatMap((rule) => rule.requirements ?? []))
  // Given by the option `failing`, which is no list of rules.
  named.add('A-03')
  expect([...named].toSorted()).toEqual(Object.keys(requirements))
  const rows = Object.entries(requirements).map(([id, text]) => {
    const names = rules.filter((rule) => rule.requirements?.includes(id)).map(({ name }) => name)
    return `| ${id} | ${text} | ${names.join('; ') || 'given by the option `failing`'} |`
  })
  const others = rules.filter((rule) => !rule.requirements).map(({ name }) => `- ${name}`)
  const page = `# Adapters

These come with Latchkey. [Store users and sessions](../how-to/store-sessions.md) helps to choose one; those of Auth.js
[work as well](auth-js-adapters.md).

| import | page |
| --- | --- |
${pagesOfAdapters().join('\n')}

## What an adapter must do

What [the kit](../how-to/write-an-adapter.md) asks of an adapter, and the rules that check it. The ids are in the names of the kit's
tests, and in the results of \`checkAdapter\`. Besides, no rule is kept by an adapter that prints something: it would hold
addresses and tokens. This page is made by a test; to make it anew after a change:

\`\`\`sh
npx vitest run packages/latchkey/tests/contracts/adapter-requirements --update
\`\`\`

| id | what it is | rules |
| --- | --- | --- |
${rows.join('\n')}

Rules about how the methods answer, and no more than that:

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
