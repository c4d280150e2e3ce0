import {
  type CreateLanguages,
  chooseLanguage,
  type TextTable,
  toError,
  trusted,
} from '../../entries/plugin.ts'
import { keepLanguage, languageIn } from './cookie.ts'
import { loaders } from './loaders.ts'
import type { Settings } from './settings.ts'

/** Further names of the built-in languages; `null` is for a script that none of them has. */
const ALIASES: ReadonlyMap<string, string | null> = new Map([
  ['zh', 'zh-Hans'],
  ['zh-cn', 'zh-Hans'],
  ['zh-sg', 'zh-Hans'],
  ['zh-hant', null],
  ['zh-tw', null],
  ['zh-hk', null],
  ['zh-mo', null],
])

type Headers = Parameters<ReturnType<CreateLanguages>['loaded']>[0]

/** Returns what creates the languages of a plan. */
export function languagesOf({ locales, choose, picker, messages }: Settings): CreateLanguages {
  return (texts, { logger, now }) => {
    const further = Object.keys(texts).filter((each) => texts[each] && !locales.includes(each))
    const all: readonly [string, ...string[]] = [locales[0], ...locales.slice(1), ...further]
    const aliases = new Map([...ALIASES].filter(([, tag]) => tag === null || all.includes(tag)))
    const tables: Record<string, TextTable> = { ...messages }
    const loaded = new Set(all.filter((each) => !(each in loaders)))
    const isLoaded = (lang: string): boolean => loaded.has(lang)

    const chosen = (headers: Headers): string => {
      const kept = languageIn(headers.get('cookie'))
      const wanted = [choose?.(headers), kept?.isOfProfile ? undefined : kept?.tag]
      const known = wanted.find((each) => each !== undefined && all.includes(each))
      if (known !== undefined) return known
      const accepted = headers.get('accept-language')
      // A profile may have a language of which the site has a relative, such as `de-AT`.
      const ranges = kept?.isOfProfile ? [kept.tag, ...(accepted ? [accepted] : [])] : undefined
      return chooseLanguage(ranges?.join(',') ?? accepted, all, aliases)
    }

    async function prepare(lang: string): Promise<undefined> {
      try {
        const builtIn = await loaders[lang]?.()
        tables[lang] = { ...builtIn, ...messages[lang] }
        loaded.add(lang)
      } catch (error) {
        // The page is shown in English, and the next one tries again.
        logger.error(toError(error))
      }
    }

    return {
      choices: picker && all.length > 1 ? all : undefined,
      all,
      tables,
      loaded(headers) {
        const lang = chosen(headers)
        if (isLoaded(lang)) return lang
        void prepare(lang)
        return 'en'
      },
      arrive({ method, headers, url }) {
        const asked = method === 'GET' && url.includes('lang=') ? new URL(url) : undefined
        const picked = asked?.searchParams.get('lang')
        if (asked && typeof picked === 'string' && all.includes(picked)) {
          asked.searchParams.delete('lang')
          const language = { tag: picked, isOfProfile: false }
          return {
            // A path that begins with two slashes would name another site.
            to: trusted(asked.pathname.replace(/^\/+/, '/') + asked.search),
            cookies: [keepLanguage(language, asked.protocol === 'https:', now())],
          }
        }
        const lang = chosen(headers)
        return isLoaded(lang) ? undefined : prepare(lang)
      },
    }
  }
}
