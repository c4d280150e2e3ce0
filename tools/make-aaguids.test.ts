import { expect, test } from 'vitest'
import { aaguids } from '../packages/latchkey/src/plugins/account/aaguids.generated.ts'
import { committedAaguids, makeAaguids } from './make-aaguids.ts'

test('the names of authenticators are up to date', () => {
  expect(makeAaguids()).toBe(committedAaguids())
})

test('SS-8: the names of authenticators have keys in small letters and texts that fit into a line', () => {
  expect(Object.keys(aaguids).length).toBeGreaterThan(300)
  for (const [id, name] of Object.entries(aaguids)) {
    expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    expect(name).toMatch(/^\P{Cc}{1,60}$/u)
  }
  expect(aaguids['fbfc3007-154e-4ecc-8c0b-6e020557d7bd']).toMatch(/iCloud|Apple/)
})
