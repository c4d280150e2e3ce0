import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { badgeFiles } from './badges.ts'

test('the badges in the repository have the values of the package', () => {
  for (const { file, svg } of badgeFiles()) expect(readFileSync(file, 'utf8')).toBe(svg)
})

test('README.md shows each badge', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  for (const { file } of badgeFiles()) {
    const name = file.pathname.split('/').at(-1)
    expect(readme).toContain(`](docs/images/${name})`)
  }
})
