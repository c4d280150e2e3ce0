import { expect, test } from 'vitest'
import { isCommon } from '../packages/latchkey/src/plugins/passwords/rules/blocklist.ts'
import { committedBlocklist, common, makeBlocklist } from './make-blocklist.ts'

test('the list of common passwords is up to date', () => {
  expect(makeBlocklist()).toBe(committedBlocklist())
})

test('the list holds each common password of 8 characters or more, and no other (PW-4)', async () => {
  expect(common).toHaveLength(17_950)
  const found = await Promise.all(common.map(isCommon))
  expect(found.every(Boolean)).toBe(true)
  for (const each of ['', 'horse', 'correct horse battery staple', 'passwore'])
    expect(await isCommon(each)).toBe(false)
})
