import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const tool = fileURLToPath(new URL('check-docs.ts', import.meta.url))

/** The lines of the errors that the tool reports for a page. */
function faultsOfPage(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'docs-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const page = join(folder, 'page.md')
  writeFileSync(page, text)
  const { stderr } = spawnSync(process.execPath, [tool, page], { encoding: 'utf8' })
  return stderr.replaceAll(/^\S*page\.md:/gm, '')
}

/** The lines of the errors that the tool reports for a page with these blocks. */
function faultsOf(...blocks: readonly (readonly [language: string, ...lines: string[]])[]): string {
  const text = blocks.map(
    ([language, ...lines]) => `\`\`\`${language}\n${lines.join('\n')}\n\`\`\`\n`,
  )
  return faultsOfPage(text.join('\n'))
}

test('reports links that lead to no file, outside of code', () => {
  const faults = faultsOfPage(`
[here](page.md#part), [elsewhere](https://example.com), [gone](gone.md)
\`[code](gone.md)\`

\`\`\`md
[code](gone.md)
\`\`\`
`)
  expect(faults).toBe('2: the link leads to no file: gone.md\n')
})

test('accepts a page whose blocks compile, and files of the page that import each other', () => {
  const faults = faultsOf(
    ['ts', '// src/one.ts', 'export const one: number = 1'],
    [
      'tsx',
      '// src/routes/page.tsx',
      "import { one } from '@/one'",
      'export default () => <p>{one}</p>',
    ],
    ['js', 'export const add = (a, b) => a + b'],
    ['svelte', '<script lang="ts">', 'let n: number = $state(1)', '</script>', '<p>{n}</p>'],
    ['vue', '<script setup>', 'const n = 1', '</script>', '<template>{{ n }}</template>'],
    ['astro', '---', 'const n = 1', '---', '<p>{n}</p>'],
    ['json', '{ "a": 1 }'],
    ['sh', 'echo "'],
  )
  expect(faults).toBe('')
})

const wrong = [
  ['ts', 2, 'const a = 1', "export const b: number = 'one'"],
  ['ts', 1, "import { nothing } from 'svelte'"],
  ['tsx', 2, 'const a = 1', 'export default () => <p onClick={1}>{a}</p>'],
  ['js', 2, 'const a = 1', 'a.missing()'],
  ['jsx', 2, 'const a = 1', 'export default () => <p>{a + b}</p>'],
  ['svelte', 2, '<script lang="ts">', "let n: number = 'one'", '</script>', '<p>{n}</p>'],
  ['svelte', 2, '<p>one</p>', '{#if}', '<p></p>'],
  ['vue', 2, '<script setup>', 'missing()', '</script>', '<template><p /></template>'],
  ['vue', 2, '<script setup>const n = 1</script>', '<template>{{ m }}</template>'],
  ['astro', 2, '---', 'const n = missing', '---', '<p>{n}</p>'],
  ['astro', 4, '---', 'const n = 1', '---', '<p>{n + m}</p>'],
  ['json', 0, '{ a: 1 }'],
  ['typescript', 0, 'const a = 1'],
] as const

test('reports an error of each language, with its line', () => {
  const faults = faultsOf(...wrong.map(([language, , ...code]) => [language, ...code] as const))
  let start = 1
  const expected = wrong.map(([, line, ...code]) => {
    const at = start + line
    start += code.length + 3
    return String(at)
  })
  const lines = [...faults.matchAll(/^(\d+): /gm)].map(([, line]) => line)
  expect(
    lines.sort((a, b) => Number(a) - Number(b)),
    faults,
  ).toEqual(expected)
})
