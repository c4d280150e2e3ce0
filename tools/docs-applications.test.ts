import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { applicationFaults, OTHER_FILES } from './docs-applications.ts'
import { applicationsOf } from './docs-blocks.ts'

const page = 'docs/how-to/page.md'
const store = 'export const latchkey = createLatchkey({ adapter: memoryAdapter() })'

function pageOf(...blocks: readonly string[]): string {
  return blocks.map((code) => `1. A step:\n\n   \`\`\`ts\n   ${code}\n   \`\`\`\n`).join('\n')
}

function linesOf(text: string, others?: Readonly<Record<string, string>>): number[] {
  return applicationFaults(page, text, others).map(({ line }) => line)
}

test('reports a page with two stores, with the line of the second one', () => {
  expect(linesOf(pageOf(store, store))).toEqual([9])
  expect(linesOf(pageOf(`// auth.ts\n   ${store}`, store))).toEqual([10])
  expect(linesOf(pageOf(store, `// auth.ts\n   ${store}`))).toEqual([9])
  expect(linesOf(pageOf(`// auth.ts\n   ${store}`, `// api.ts\n   ${store}`))).toEqual([10])
  expect(linesOf(pageOf(store, 'export const pool = new pg.Pool()'))).toEqual([9])
})

test('accepts blocks that import the instance, or replace its file', () => {
  const auth = `// auth.ts\n   ${store}`
  const api = "import { latchkey } from './auth.ts'\n   export const { handler } = latchkey"
  expect(linesOf(pageOf(auth, api, auth, api))).toEqual([])
  expect(linesOf(pageOf(store, '// as before: createLatchkey(…)'))).toEqual([])
  expect(linesOf(pageOf(store, `// notes.test.ts\n   ${store}`))).toEqual([])
})

test('accepts another file of the list, and reports an unnecessary one', () => {
  const edge = pageOf(`// auth.ts\n   ${store}`, `// middleware.ts\n   ${store}`)
  expect(linesOf(edge, { 'middleware.ts': 'why' })).toEqual([])
  expect(linesOf(pageOf(store), { 'middleware.ts': 'why' })).toEqual([1])
})

test('takes the parts for frameworks as an application each, whose lines keep their numbers', () => {
  const parts = (first: string, second: string) =>
    `before\n\n<!-- by framework -->\n\n**Hono**\n\n${first}\n\n**Express**\n\n${second}\n\n<!-- end -->\nafter`
  expect(applicationsOf(parts('one', 'two'))).toEqual([
    {
      name: 'Hono',
      text: 'before\n\n<!-- by framework -->\n\n**Hono**\n\none\n\n\n\n\n\n<!-- end -->\nafter',
    },
    {
      name: 'Express',
      text: 'before\n\n<!-- by framework -->\n\n\n\n\n\n**Express**\n\ntwo\n\n<!-- end -->\nafter',
    },
  ])
  expect(applicationsOf(parts('one', 'two').replace('Hono', 'Hono, Koa'))).toHaveLength(2)
  expect(applicationsOf('one\n\n**two**')).toEqual([{ name: '', text: 'one\n\n**two**' }])
  const file = (name: string) => `\`\`\`ts\n// ${name}\n${store}\n\`\`\``
  expect(linesOf(parts(file('auth.ts'), file('server.ts')))).toEqual([])
  expect(linesOf(parts(`${file('auth.ts')}\n${file('api.ts')}`, ''))).toEqual([11])
})

test('the list names pages that exist', () => {
  for (const name of Object.keys(OTHER_FILES))
    expect(existsSync(fileURLToPath(new URL(`../${name}`, import.meta.url))), name).toBe(true)
})
