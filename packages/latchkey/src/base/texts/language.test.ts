import { describe, expect, test } from 'vitest'
import { growth, LINEAR } from '../../../tests/support/growth.ts'
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
  ])('for %j is %s', (header, language) => {
    expect(chooseLanguage(header, LANGUAGES)).toBe(language)
  })

  test('reads at most twenty ranges, and skips those that are longer than any tag', () => {
    const others = (count: number): string => Array.from({ length: count }, () => 'fr').join()
    expect(chooseLanguage(`${others(19)},de`, LANGUAGES)).toBe('de')
    expect(chooseLanguage(`${others(20)},de`, LANGUAGES)).toBe('en')
    expect(chooseLanguage(`de${'-a'.repeat(20)}`, LANGUAGES)).toBe('en')
  })

  test.each(['de-', 'a-', ',', ';', ' ', 'de;q=0.1,', '-', 'q=', 'a'])(
    'is chosen in linear time for %j over and over',
    async (part) => {
      const choosing = (length: number) => {
        const header = part.repeat(length / part.length)
        return () => {
          for (let i = 0; i < 100; i++) chooseLanguage(header, LANGUAGES)
        }
      }
      expect(await growth(choosing, 32 * 1024)).toBeLessThan(LINEAR)
    },
  )
})
