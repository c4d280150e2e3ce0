import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { tooOld } from './node-version.ts'

test.each(['22.18.0', '22.19.1', '23.0.0', '26.10.0', '100.0.0', '24.0.0-nightly2025'])(
  'Node.js %s runs the command line',
  (version) => {
    expect(tooOld(version)).toBeUndefined()
  },
)

test.each(['22.17.9', '22.2.0', '20.20.2', '8.17.0', '0.10.48'])(
  'Node.js %s gets a message with the required version',
  (version) => {
    expect(tooOld(version)).toBe(
      `latchkey needs Node.js 22.18 or later, this is v${version} (latchkey/docs/reference/errors.md#command-line-of-the-service)`,
    )
  },
)

test('the required version of Node.js is that of package.json', () => {
  const file = new URL('../../package.json', import.meta.url)
  const { engines } = JSON.parse(readFileSync(file, 'utf8')) as { engines: { node: string } }
  const needed = engines.node.replace('>=', '')
  expect(tooOld('0.0.0')).toContain(`Node.js ${needed} or later`)
})

test('no module that an older Node.js cannot load is loaded before the check', () => {
  const text = readFileSync(new URL('main.ts', import.meta.url), 'utf8')
  expect([...text.matchAll(/^import .* from '(.*)'$/gm)].map(([, name]) => name)).toEqual([
    './node-version.ts',
    './quiet.ts',
  ])
  for (const name of ['node-version.ts', 'quiet.ts'])
    expect(readFileSync(new URL(name, import.meta.url), 'utf8')).not.toMatch(/^import /m)
})
