import { expect, test } from 'vitest'
import { faultsOfNames, testNamesIn } from './check-test-names.ts'

const reasonsOf = (source: string): string[] =>
  faultsOfNames('a.test.ts', source).map((fault) =>
    fault.replace(/^a\.test\.ts:\d+: the name /, ''),
  )

test('the name of a test begins with the titles around it, without ids of requirements', () => {
  const source = `
    describe('T-KEY-1: a secret', () => {
      describe.each(['a'])('of %s', () => {
        test.concurrent(\`SEC-2, GHSA-aaaa-bbbb-cccc: has \${length} bytes\`, () => {})
      })
    })
    it.each\`a\`('a row of %s bytes', () => {})
    it.get('a path of a world', {})`
  expect(testNamesIn('a.test.ts', source)).toEqual([
    { line: 4, title: 'has ${…} bytes', name: 'a secret of %s has ${…} bytes' },
    { line: 7, title: 'a row of %s bytes', name: 'a row of %s bytes' },
  ])
})

test.each([
  ['works %s', 'has fewer than three words'],
  ['is not read by others', 'begins without a subject'],
  ['it ends after a minute', 'begins without a subject'],
  ['who asks gets an answer', 'begins with a clause in place of a noun'],
  ['a form is refused, too', 'compares with something that it does not name'],
  ['a cookie beside ours', 'refers to something that it does not name'],
  ['a page for whoever comes', 'has "whoever" in place of a noun'],
  ['a date that is none', 'has "none" in place of what is wrong'],
])('refuses the name "%s", which %s', (name, reason) => {
  expect(reasonsOf(`test('${name}', () => {})`)).toEqual([`"${name}" ${reason}`])
})

test('refuses a title that continues another test, and a name that a file has twice', () => {
  const source = `
    describe('the cookies of a site', () => {
      test('nor over plain http', () => {})
    })
    test('a name of two tests', () => {})
    test('a name of two tests', () => {})`
  expect(reasonsOf(source)).toEqual([
    '"the cookies of a site nor over plain http" continues the name of another test',
    '"a name of two tests" is also the name of the test in line 5',
  ])
})

test('accepts names that a reader understands alone', () => {
  const source = `
    describe('an ID token', () => {
      test('is refused if its \`kid\` is unknown', () => {})
    })
    test('rejects an ID token with an unknown \`kid\`', () => {})`
  expect(reasonsOf(source)).toEqual([])
})
