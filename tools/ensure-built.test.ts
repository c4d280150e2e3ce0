import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

test('no test builds the packages while other tests use the build', () => {
  const tests = globSync('{packages,interop,examples,site}/**/tests/**/*.ts', {
    cwd: root,
    exclude: (name) => name.endsWith('node_modules'),
  })
  expect(tests.length).toBeGreaterThan(300)
  const building = tests.filter((file) =>
    /tools\/build\.ts|npm run build/.test(readFileSync(join(root, file), 'utf8')),
  )
  expect(building).toEqual([])
})
