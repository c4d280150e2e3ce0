import { expect, test } from 'vitest'
import { withApplications } from '../../../../bench/types-cost.ts'

test('all plugins create few types in an application with all providers', () => {
  const { plain, plugins } = withApplications((compile) => ({
    plain: compile('plain').instantiations,
    plugins: compile('plugins').instantiations,
  }))
  expect(plain).toBeGreaterThan(0)
  expect(plain).toBeLessThan(10_000)
  expect(plugins - plain).toBeLessThan(2000)
})
