import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { withOptionsTable } from '../tests/support/options-table.ts'

const file = new URL('../README.md', import.meta.url)

test('README.md has the table of options (vitest -u writes it)', async () => {
  const text = readFileSync(file, 'utf8')
  await expect(withOptionsTable(text)).toMatchFileSnapshot(file.pathname)
})
