import { expect, test } from 'vitest'
import { withOptionTables } from './option-docs.ts'
import { OptionTypes } from './option-types.ts'

const PAGE = 'docs/reference/options.md'

function made(text: string, files: Readonly<Record<string, string>>): string {
  return withOptionTables(text, PAGE, {
    types: new OptionTypes(new Map(Object.entries(files))),
    read: (path) =>
      path === PAGE || path === 'docs/how-to/rotate.md' ? '# Rotate the secret\n' : undefined,
  })
}

/** The table of `Options`, without its marks and its head. */
function tableOf(members: string, mark = 'Options', files: Record<string, string> = {}): string {
  const source = `export interface Options {\n${members}\n}`
  const page = made(`<!-- options: ${mark} -->\n<!-- end of options -->`, {
    'src/options.ts': source,
    ...files,
  })
  return page
    .replace(/^.*\n\n\| option \| default \| what it does \|\n\| --- \| --- \| --- \|\n/, '')
    .replace(/\n\n<!-- end of options -->$/, '')
}

test('a changed docstring makes the page out of date', () => {
  const text = 'Before.\n\n<!-- options: Options -->\n<!-- end of options -->\n\nAfter.\n'
  const source = (what: string): Record<string, string> => ({
    'src/options.ts': `export interface Options { /** ${what} */ a?: string }`,
  })
  const page = made(text, source('One.'))
  expect(page).toBe(
    'Before.\n\n<!-- options: Options -->\n\n| option | default | what it does |\n| --- | --- | --- |\n' +
      '| `a` | | One. |\n\n<!-- end of options -->\n\nAfter.\n',
  )
  expect(made(page, source('One.'))).toBe(page)
  expect(made(page, source('Two.'))).not.toBe(page)
})

test('the first sentence is in the cell, and the rest is below the table', () => {
  expect(
    tableOf(`
      /** Ends sessions. Only those of \`users\`.
       *
       * A list:
       *
       * - one
       * - two
       *
       * @default false
       */
      a?: boolean
      /** Seconds, 1 to 5. @default 3 (a few) */
      b: number`),
  ).toBe(
    '| `a` | `false` | Ends sessions. |\n| `b` | required | Seconds, 1 to 5. |\n\n' +
      '* `a`: Only those of `users`.\n\n  A list:\n\n  - one\n  - two',
  )
})

test.each([
  ['@default 3 (a few)', '`3` (a few)'],
  ["@default 'ask'", "`'ask'`"],
  ['@default `jwt` without an adapter', '`jwt` without an adapter'],
  ['@default that of the page', 'that of the page'],
])('the default of %s is %s', (tag, cell) => {
  expect(tableOf(`/** One. ${tag} */ a?: string`)).toBe(`| \`a\` | ${cell} | One. |`)
})

test('a link has the heading of its target as text', () => {
  expect(tableOf('/** One. @see docs/how-to/rotate.md */ a?: string')).toBe(
    '| `a` | | One. See [Rotate the secret](../how-to/rotate.md). |',
  )
  expect(tableOf(`/** One. @see ${PAGE}#rotate-the-secret */ a?: string`)).toBe(
    '| `a` | | One. See [Rotate the secret](#rotate-the-secret). |',
  )
})

test('types are followed through imports, modifiers and inheritance', () => {
  const files = {
    'src/deep/base.ts': `
      export interface Base<P> extends Common { /** Two. */ b: P; /** Hidden. */ hidden: string; [secret]?: 1 }
      interface Common { /** One. */ a: string }`,
    'src/user.ts': `import type { Base as Known } from './deep/base.ts'
export type UserOptions<P> = Partial<Omit<Known<P>, 'hidden' | typeof secret>> & {
        // A comment.
        /** Three. */
        // oxlint-disable-next-line
        c(x: any): void
      }`,
  }
  expect(tableOf('', 'UserOptions', files)).toBe(
    '| `a` | | One. |\n| `b` | | Two. |\n| `c` | required | Three. |',
  )
})

test('members of an option are added below it', () => {
  const inner = { 'src/inner.ts': 'export interface Inner { /** Two. */ b?: string }' }
  expect(
    tableOf(
      `/** One. */ a?: boolean | Partial<Inner> | undefined
       /** Three. */ c?: { /** Four. */ d?: string }
       } import type { Inner } from './inner.ts'
       interface Other {`,
      'Options with a, c',
      inner,
    ),
  ).toBe('| `a` | | One. |\n| `a.b` | | Two. |\n| `c` | | Three. |\n| `c.d` | | Four. |')
})

test.each([
  ['no docstring', 'a?: string', 'Options: `a` has no docstring'],
  ['only a default', '/** @default 1 */ a?: number', 'Options: `a` has no docstring'],
  ['a docstring of another member', '/** One. */ b?: 1; a?: 1', 'Options: `a` has no docstring'],
  ['no sentence', '/** seconds */ a?: number', '`a` must begin with a sentence'],
  ['a long sentence', `/** ${'long '.repeat(40)}. */ a?: 1`, '`a` has a first sentence of more'],
  ['an unknown tag', '/** One. @returns b */ a?: 1', '`a` has a tag that no table shows: @returns'],
  ['a missing page', '/** One. @see docs/x.md */ a?: 1', '`a` names a page that does not exist'],
  ['a missing section', `/** One. @see ${PAGE}#x */ a?: 1`, '`a` names a section that does not'],
  ['a value that it omits', "/** `one`. */ a?: 'one' | 'two'", '`a` accepts two, which the doc'],
])('an option with %s is refused', (_, member, message) => {
  expect(() => tableOf(member)).toThrow(message)
})

test.each([
  ['Others', 'no file exports the type Others'],
  ['Options with b', 'there is no option b'],
  ['Options with a', 'a accepts 0 kinds of objects'],
  ['Options and others', 'cannot read <!-- options: Options and others'],
])('the mark %s is refused', (mark, message) => {
  expect(() => tableOf('/** One. */ a?: string', mark)).toThrow(message)
})

test('two types with one name are told apart by their files', () => {
  const files = { 'src/b/options.ts': 'export interface Options { /** Two. */ b?: string }' }
  expect(() => tableOf('', 'Options', files)).toThrow('src/options.ts and src/b/options.ts export')
  expect(tableOf('', 'Options from b/options.ts', files)).toBe('| `b` | | Two. |')
})
