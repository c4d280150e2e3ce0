import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../../../', import.meta.url))

test('the adapter of "Write an adapter", built step by step, passes the kit', {
  timeout: 120_000,
}, () => {
  const page = readFileSync(join(root, 'docs/how-to/write-an-adapter.md'), 'utf8')
  // Inside of the repository, where the package is found by its name.
  const folder = mkdtempSync(join(root, '.docs-adapter-'))
  try {
    for (const [, indent = '', code = ''] of page.matchAll(/^( *)```ts\n([\s\S]*?)^ *```$/gm)) {
      const text = code.replaceAll(new RegExp(`^${indent}`, 'gm'), '')
      const name = /^\/\/ ([\w.-]+)\n/.exec(text)?.[1]
      if (name === undefined) throw new Error(`a block of the page names no file: ${text}`)
      writeFileSync(join(folder, name), text)
    }
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    const args = ['--conditions=source', '--test', '--test-reporter=tap', 'adapter.test.ts']
    const { status, stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
    const count = (what: string) => Number(new RegExp(`^# ${what} (\\d+)$`, 'm').exec(stdout)?.[1])
    expect(stdout.match(/^ *not ok .*$/gm) ?? []).toEqual([])
    expect([status, count('fail'), count('skipped')]).toEqual([0, 0, 0])
    expect(count('pass')).toBeGreaterThan(60)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
