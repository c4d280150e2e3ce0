import { describe, expect, test } from 'vitest'
import { html, htmlOf, markup } from '../../http/html.ts'
import { en } from './en.ts'
import { createTexts, ENGLISH } from './texts.ts'

describe('a text', () => {
  test('has its placeholders filled by name, once', () => {
    const { text } = createTexts<'a'>('en', {}, { en: { a: '{x} and {y}, {x}; {z} {toString}' } })
    expect(text('a', { x: '{y}', y: '$&' })).toBe('{y} and $&, {y}; {z} {toString}')
    expect(text('a')).toBe('{x} and {y}, {x}; {z} {toString}')
  })

  test('is escaped in HTML, and so are the values in it', () => {
    const { text } = createTexts<'a'>('en', {}, { en: { a: '<b> {x} {y}' } })
    expect(html`<p>${text('a', { x: '<i>', y: '&' })}</p>`).toBe('<p>&lt;b&gt; &lt;i&gt; &amp;</p>')
    const filled = htmlOf(text('a'), { x: '<i>{y}', y: markup(html`<b>bold</b>`) })
    expect(html`${filled}`).toBe('&lt;b&gt; &lt;i&gt;{y} <b>bold</b>')
  })

  test.each([
    [1, '1 minute'],
    [0, '0 minutes'],
    [5, '5 minutes'],
  ])('has the form for its number: %i', (count, expected) => {
    expect(ENGLISH.text('time.minutes', { count })).toBe(expected)
  })

  test('I18N-5: has as many forms as its language', () => {
    const forms = { zero: '-', one: 'a', two: 'b', few: 'c {count}', many: 'd', other: 'e' }
    const { text } = createTexts<'time.hours'>('ar', { ar: { 'time.hours': forms } }, { en })
    const shown = [0, 1, 2, 3, 11, 100].map((count) => text('time.hours', { count }))
    expect(shown).toEqual(['-', 'a', 'b', 'c 3', 'd', 'e'])
    const other = createTexts<'time.hours'>('ar', { ar: { 'time.hours': { other: 'o' } } }, { en })
    expect(other.text('time.hours', { count: 2 })).toBe('o')
  })
})

describe('texts of a language', () => {
  const own = { en: { a: 'own a', b: undefined }, de: { b: 'eigenes b' } }
  const builtIn = { en: { a: 'a', b: 'b', c: 'c', d: 'd' }, de: { a: 'deutsches a', d: undefined } }

  test('are those of the application, then the built-in ones, then English', () => {
    const shown = (lang: string): string[] => {
      const { text } = createTexts<'a' | 'b' | 'c' | 'd'>(lang, own, builtIn)
      return [text('a'), text('b'), text('c'), text('d')]
    }
    expect(shown('en')).toEqual(['own a', 'b', 'c', 'd'])
    expect(shown('de')).toEqual(['deutsches a', 'eigenes b', 'c', 'd'])
    expect(shown('fr')).toEqual(['own a', 'b', 'c', 'd'])
  })

  test('can be extended by a plugin, whose texts the application may change', () => {
    const texts = createTexts<'a'>('de', { de: { 'x:one': 'eins' } }, builtIn)
    const joined = texts.with({
      en: { 'x:one': 'one', 'x:two': 'two', 'x:three': 'three' },
      de: { 'x:one': 'Eins', 'x:two': 'Zwei' },
    })
    expect([joined.text('x:one'), joined.text('x:two'), joined.text('x:three')]).toEqual([
      'eins',
      'Zwei',
      'three',
    ])
    expect(joined.text('a')).toBe('deutsches a')
    expect(joined.lang).toBe('de')
  })
})

test('an unknown key does not compile', () => {
  // @ts-expect-error
  expect(ENGLISH.text('sign-in.titel')).toBe('sign-in.titel')
})
