import { describe, expect, test } from 'vitest'
import { isExpected } from '../expected.ts'

const about = {
  email: 'ada.byron@example.com',
  username: 'enchantress',
  name: 'Augusta Ada King',
  siteNames: ['Acme', 'login.acme.example'],
}

describe('a password that is expected (PW-5)', () => {
  test.each([
    ['the name of the service, repeated', 'acmeacmeacmeacme'],
    ['the name of the service between digits and punctuation', '1acme2024!!'],
    ['the address without its domain', 'ada.byron123456'],
    ['the whole address', 'Ada.Byron@Example.com'],
    ['the domain', '12 example 12!'],
    ['a label of the host', 'login 2024 2025'],
    ['the user name', 'Enchantress1815'],
    ['a part of the name', '!augusta!augusta'.replaceAll('!', '')],
    ['the name', 'AUGUSTA ADA KING'],
    ['the name without spaces', 'augustaadaking1'],
    ['full-width letters', '\uff41\uff43\uff4d\uff45 2024 2024 20'],
    ['rows of a keyboard', 'qwertyuiopasdfg'],
    ['rows of a QWERTZ keyboard', 'qwertzuiopyxcvbn'],
    ['rows of an AZERTY keyboard, back', 'poiuytrezanbvcxw'],
    ['digits that go on with 0', '123456789012345'],
    ['digits back', '321098765432109'],
    ['runs forward, back and of one character', 'abc123cba321aaa'],
    ['a part of 3 characters, repeated', 'abcabcabcabcabc'],
    ['a part of 4 characters, cut off at the end', 'x7q!x7q!x7q!x7q'],
    ['one character', '\u00e9'.repeat(20)],
    ['an emoji', '\u{1f600}'.repeat(15)],
    ['the alphabet in capitals', 'ABCDEFGHIJKLMNO'],
  ])('is %s', (_, password) => {
    expect(isExpected(password, about)).toBe(true)
  })

  test.each([
    ['the name of the service among words', 'acme has nice horses'],
    ['pairs of letters and digits', 'ab12cd34ef56gh7'],
    ['runs of two characters', 'abbaabqqabbaqqz'],
    ['a run that breaks off', 'abcdefghijklmn!'],
    ['a run that turns round in its middle', 'abcbabcbabcbax7'],
    ['a part of 5 characters, repeated', 'horsehorsehorse'],
    ['a name of 3 letters', 'ada ada ada 1815'],
    ['a word with another', 'acme enchantress'],
    ['words', 'correct horse battery staple'],
  ])('is not %s', (_, password) => {
    expect(isExpected(password, about)).toBe(false)
  })

  test.each([
    ['an empty name', { name: '', email: '', siteNames: [''] }],
    ['a name of digits', { username: '123456', siteNames: ['2024'] }],
    ['no address', { email: null, name: null }],
  ])('is nothing more with %s', (_, known) => {
    expect(isExpected('correct horse battery', known)).toBe(false)
    expect(isExpected('!!!! ????  2024', known)).toBe(false)
  })

  test('is found in a moment, however long the text is', () => {
    expect(isExpected(`${'abc'.repeat(1300)}!`, about)).toBe(false)
    expect(isExpected(`${'a'.repeat(4000)}!`, about)).toBe(false)
  })
})
