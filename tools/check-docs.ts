/**
 * Compiles every `ts` block of the documentation, all in one run of the compiler, as an application
 * that installed the packages would.
 *
 *     node tools/check-docs.ts
 *
 * A block is a module. One that begins with a comment like `// auth.ts` is that file for the other
 * blocks of its page. Mistakes are reported with the page's own line.
 */
import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const scratch = join(root, '.docs-check')

const pages = globSync(
  ['README.md', 'docs/**/*.md', 'packages/*/README.md', 'packages/*/src/**/*.md'],
  {
    cwd: root,
  },
).sort()

rmSync(scratch, { recursive: true, force: true })
const pageOf = new Map<string, string>()
for (const page of pages)
  for (const { line, code } of blocksOf(readFileSync(join(root, page), 'utf8'))) {
    const folder = join(scratch, page.replaceAll(/[^\w-]/g, '_'))
    const named = join(folder, code.match(/^\/\/ ([\w./-]+\.ts)\n/)?.[1] ?? `line-${line}.ts`)
    const file = pageOf.has(named) ? join(folder, `line-${line}.ts`) : named
    pageOf.set(file, page)
    mkdirSync(dirname(file), { recursive: true })
    // The same lines as in the page, and a module whatever is in it.
    writeFileSync(file, `${'\n'.repeat(line)}${code}\nexport {}\n`)
  }
if (pageOf.size > 0) compile()
rmSync(scratch, { recursive: true, force: true })

/** Fenced blocks that say `ts` or `tsx`; `line` is the fence's, counted from 1. */
function blocksOf(text: string): { line: number; code: string }[] {
  const fences = text.matchAll(/^([ \t]*)```tsx?[ \t]*\n([\s\S]*?)^[ \t]*```[ \t]*$/gm)
  return [...fences].map(({ index, 1: indent = '', 2: code = '' }) => ({
    line: text.slice(0, index).split('\n').length,
    code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }))
}

function compile(): void {
  const config = {
    extends: '../tsconfig.base.json',
    compilerOptions: {
      noEmit: true,
      declaration: false,
      noPropertyAccessFromIndexSignature: false,
      exactOptionalPropertyTypes: false,
      jsx: 'preserve',
    },
    include: ['**/*.ts'],
  }
  writeFileSync(join(scratch, 'tsconfig.json'), JSON.stringify(config))
  const { status, stdout } = spawnSync('tsc', ['-p', scratch, '--pretty', 'false'], {
    cwd: root,
    encoding: 'utf8',
  })
  if (status === 0) return
  process.exitCode = 1
  console.error(
    stdout.replaceAll(
      /^(\S+?)\((\d+),(\d+)\)/gm,
      (place, file: string, line: string, column: string) => {
        const page = pageOf.get(join(root, file))
        return page === undefined ? place : `${relative(root, join(root, page))}:${line}:${column}`
      },
    ),
  )
}
