import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Message } from '../../../base/texts/catalogue.ts'
import { en, mails, passkeys, problemTexts } from '../../../base/texts/en.ts'
import { loaders } from '../loaders.ts'

interface OwnTexts {
  readonly en: Record<string, Message>
}

/** The texts of every plugin. */
async function ofPlugins(): Promise<OwnTexts[]> {
  const plugins = new URL('../../', import.meta.url)
  return Promise.all(
    readdirSync(plugins, { recursive: true, encoding: 'utf8' })
      .filter((file) => /^[a-z-]+\/texts\.ts$/.test(file))
      .map(async (file) => {
        const { texts } = (await import(new URL(file, plugins).href)) as { texts: OwnTexts }
        return texts
      }),
  )
}

/** English, of the core and of every plugin. */
async function english(): Promise<Record<string, Message>> {
  const tables = (await ofPlugins()).map((texts) => texts.en)
  return Object.assign({}, en, mails, passkeys, problemTexts, ...tables)
}

// The texts of a plugin would replace those of i18n().
test('I18N-6: other plugins have texts in English only', async () => {
  for (const texts of await ofPlugins()) expect(Object.keys(texts)).toEqual(['en'])
})

const placesOf = (message: Message): string[] => {
  const forms = typeof message === 'string' ? [message] : Object.values(message)
  return [...new Set(forms.flatMap((form) => form.match(/\{\w+\}/g) ?? []))].sort()
}

/** Names that are the same everywhere, and lines that only have places. */
const isSameEverywhere = (message: Message): boolean =>
  typeof message !== 'string' || !/[a-z]{3}/.test(message.replaceAll(/\{\w+\}/g, ''))

describe.each(Object.entries(loaders))('I18N-6: the texts in the language %s', (tag, load) => {
  test('are those of the core and of all plugins, no more and no fewer', async () => {
    expect(Object.keys(await load()).sort()).toEqual(Object.keys(await english()).sort())
  })

  test('have the places of the English ones', async () => {
    const texts = await load()
    const wrong = Object.entries(await english()).filter(
      ([key, message]) =>
        placesOf(message).join() !== placesOf(texts[key] ?? '').join() &&
        // A form for one thing may say it without the number.
        typeof message === 'string',
    )
    expect(wrong.map(([key]) => key)).toEqual([])
  })

  test('have a form for each plural category of the language', async () => {
    const texts = await load()
    const categories = new Intl.PluralRules(tag).resolvedOptions().pluralCategories
    for (const [key, message] of Object.entries(await english())) {
      if (typeof message === 'string') continue
      const forms = texts[key]
      const given = typeof forms === 'string' ? ['other'] : Object.keys(forms ?? {})
      expect([key, ...given.sort()]).toEqual([
        key,
        // Numbers that people see here are whole and below a million.
        ...categories.filter((each) => each !== 'many' || tag === 'ar').sort(),
      ])
    }
  })

  test('are translated, and without markup', async () => {
    const texts = await load()
    const all = Object.entries(await english())
    const untranslated = all.filter(
      ([key, message]) => texts[key] === message && !isSameEverywhere(message),
    )
    // A word may be the same in two languages; many of them are an oversight.
    expect(untranslated.map(([key]) => key).length).toBeLessThan(all.length / 30)
    expect(JSON.stringify(texts)).not.toMatch(/<\/?[a-z]|&[a-z]+;/i)
  })
})
