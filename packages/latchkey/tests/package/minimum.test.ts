import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { minimum, minimumOf } from './minimum.ts'
import { root } from './packed.ts'

test('both packages and every page name the same oldest Node.js', () => {
  expect(minimum).toMatch(/^\d+\.\d+$/)
  expect(minimumOf('packages/server')).toBe(minimum)
  const pages = globSync(
    ['README.md', 'packages/*/README.md', 'docs/**/*.md', 'examples/*/README.md'],
    {
      cwd: root,
    },
  )
  const named = pages.flatMap((page) => {
    const text = readFileSync(join(root, page), 'utf8')
    return [...text.matchAll(/Node\.js (\d[\d.]*) or later/g)].map(([, version]) => [page, version])
  })
  const stated = named.map(([page]) => page)
  for (const folder of ['packages/latchkey', 'packages/server'])
    expect(stated).toContain(join(folder, 'README.md'))
  expect(named.filter(([, version]) => version !== minimum)).toEqual([])
})
