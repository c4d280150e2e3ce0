import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const tool = fileURLToPath(new URL('check-lock.mjs', import.meta.url))

function check(packages: Record<string, object>): { status: number | null; stderr: string } {
  const directory = mkdtempSync(join(tmpdir(), 'lock-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const file = join(directory, 'package-lock.json')
  writeFileSync(file, JSON.stringify({ packages }))
  const { status, stderr } = spawnSync(process.execPath, [tool, file], { encoding: 'utf8' })
  return { status, stderr }
}

const wants = { version: '1.0.0', optionalDependencies: { 'tool-arm64': '1.0.0' } }

test('an optional dependency may be locked beside its package or above it', () => {
  for (const place of ['node_modules/tool-arm64', 'node_modules/tool/node_modules/tool-arm64'])
    expect(check({ 'node_modules/tool': wants, [place]: {} }).status).toBe(0)
})

test('a package that is locked nowhere, or only for another package, is found', () => {
  expect(check({ 'node_modules/tool': wants })).toEqual({
    status: 1,
    stderr: 'not in the lockfile: tool-arm64@1.0.0, wanted by node_modules/tool\n',
  })
  const elsewhere = 'node_modules/other/node_modules/tool-arm64'
  expect(check({ 'node_modules/tool': wants, [elsewhere]: {} }).status).toBe(1)
})
