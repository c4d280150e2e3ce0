import { nearest } from '../encoding/nearest.ts'
import { AuthError } from '../errors.ts'
import { en, mails, passkeys, problemTexts } from '../texts/en.ts'
import type { AuthConfig } from './auth-config.ts'
import { judge } from './judge.ts'

/** What is wrong with the texts of the application: languages, keys, and what is no text. */
export function checkTexts({ texts = {}, plugins = [] }: AuthConfig): AuthError | undefined {
  const known = [
    en,
    mails,
    passkeys,
    problemTexts,
    ...plugins.map((plugin) => plugin.texts?.en ?? {}),
  ]
  const keys = known.flatMap((table) => Object.keys(table))
  for (const [language, table = {}] of Object.entries(texts ?? {})) {
    const fault =
      judge([language], isLanguage, '`texts` is by language, such as de or pt-BR') ??
      judge([table], isObject, `\`texts.${language}\` is by key`)
    if (fault) return fault
    for (const [key, message] of Object.entries(table)) {
      if (!keys.includes(key)) {
        const meant = nearest(key, keys)
        const hint = meant === undefined ? '' : `; did you mean ${JSON.stringify(meant)}?`
        return new AuthError(
          `\`texts.${language}\`: there is no text ${JSON.stringify(key)}${hint}`,
        )
      }
      const odd = judge(
        [message],
        isMessage,
        `\`texts.${language}\`: ${key} is a text, or one by plural category with \`other\``,
      )
      if (odd) return odd
    }
  }
  return undefined
}

function isLanguage(tag: unknown): boolean {
  try {
    return Intl.getCanonicalLocales(tag as string).length === 1
  } catch {
    return false
  }
}

function isMessage(message: unknown): boolean {
  if (message === undefined || typeof message === 'string') return true
  return isObject(message) && Object.values(message).every(isText) && isText(message['other'])
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}
