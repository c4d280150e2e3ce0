import { nearest } from '../../base/encoding/nearest.ts'
import { AuthError } from '../../base/errors.ts'
import { en, mails, passkeys, problemTexts } from '../../base/texts/en.ts'
import type { AuthConfig } from '../../options/auth-config.ts'
import { judge } from '../judge.ts'

/** Checks the languages, keys and values of the texts of the application. */
export function checkTexts({ texts, plugins }: AuthConfig): AuthError | undefined {
  const known = [
    en,
    mails,
    passkeys,
    problemTexts,
    ...(plugins ?? []).map((plugin) => plugin.texts?.en ?? {}),
  ]
  const keys = known.flatMap((table) => Object.keys(table))
  for (const [language, table = {}] of Object.entries(texts ?? {})) {
    const fault =
      judge([language], isLanguage, 'the keys of `texts` must be languages, such as de or pt-BR') ??
      judge([table], isObject, `\`texts.${language}\` must be an object of texts by key`)
    if (fault) return fault
    for (const [key, message] of Object.entries(table)) {
      if (!keys.includes(key)) {
        const meant = nearest(key, keys)
        const hint = meant === undefined ? '' : `; did you mean ${JSON.stringify(meant)}?`
        return new AuthError(`\`texts.${language}\`: unknown key ${JSON.stringify(key)}${hint}`)
      }
      const odd = judge(
        [message],
        isMessage,
        `\`texts.${language}\`: ${key} must be a string, or an object with a string for each plural category and \`other\``,
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
