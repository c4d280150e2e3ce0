import { describe, expect, test } from 'vitest'
import { processorTime } from '../../tests/support/processor-time.ts'
import { chooseLanguage } from './language.ts'

const LANGUAGES = ['en', 'de', 'pt-BR', 'zh-Hant'] as const

describe('I18N-2: the language of a request', () => {
  test.each([
    [null, 'en'],
    ['', 'en'],
    ['de', 'de'],
    ['DE', 'de'],
    ['de-AT', 'de'],
    ['de-CH-1996', 'de'],
    ['pt-br', 'pt-BR'],
    // Looked up from the range to the language, and never the other way round (RFC 4647 section 3.4).
    ['pt', 'en'],
    ['zh-Hant-CN-x-private1', 'zh-Hant'],
    ['zh-Hant-x', 'zh-Hant'],
    ['fr, de', 'de'],
    ['fr;q=0.9, de;q=0.8, en;q=0.1', 'de'],
    ['en;q=0.5, de', 'de'],
    ['en;q=0.5,de;q=0.7', 'de'],
    ['en, de', 'en'],
    ['de;q=0', 'en'],
    ['de;q=0.000, pt-BR;q=0.1', 'pt-BR'],
    ['de;q=much', 'en'],
    ['*', 'en'],
    ['*, de;q=0.5', 'de'],
    [' de ; q=0.3 ', 'de'],
    [',;,=,-,--,de', 'de'],
    ['__proto__, constructor', 'en'],
  ])('%j is %s', (header, language) => {
    expect(chooseLanguage(header, LANGUAGES)).toBe(language)
  })

  test('reads twenty ranges, and none that is longer than any tag', () => {
    const others = (count: number): string => Array.from({ length: count }, () => 'fr').join()
    expect(chooseLanguage(`${others(19)},de`, LANGUAGES)).toBe('de')
    expect(chooseLanguage(`${others(20)},de`, LANGUAGES)).toBe('en')
    expect(chooseLanguage(`de${'-a'.repeat(20)}`, LANGUAGES)).toBe('en')
  })

  test('costs no more for 32 kB', () => {
    const long = 32 * 1024
    const headers = ['de-', 'a-', ',', ';', ' ', 'de;q=0.1,', '-', 'q=', 'a'].map((part) =>
      part.repeat(long / part.length),
    )
    const began = processorTime()
    for (let i = 0; i < 1000; i++) for (const header of headers) chooseLanguage(header, LANGUAGES)
    // 9000 of them. What is quadratic takes a minute and more.
    expect(processorTime() - began).toBeLessThan(2000)
  })
})
