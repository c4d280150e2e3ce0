/**
 * Languages for all pages and mails.
 *
 * @module
 */

import { definePlugin, type PluginOption } from '../../entries/plugin.ts'
import { forgetLanguage, languageIn } from './cookie.ts'
import { languagesOf } from './languages.ts'
import { type I18nOptions, settingsOf } from './settings.ts'

export type { I18nOptions } from './settings.ts'

/**
 * Shows pages, mails and the titles of errors in the language of the visitor: English, German, French, Spanish, Portuguese,
 * Japanese, Chinese (simplified) and Arabic. Each is loaded when a visitor first needs it.
 *
 * @throws {TypeError} for an invalid option.
 */
export function i18n(options: I18nOptions = {}): PluginOption<'i18n'> {
  return definePlugin<'i18n'>({
    name: 'i18n',
    languages: languagesOf(settingsOf(options)),
    atEdge: () => ({ isWhole: true }),
    setUp: (host) => ({
      ...(host.hasRecords && {
        async afterSignIn({ user }, request) {
          const { languageOfUser } = await import('./of-profile.ts')
          return languageOfUser(String(user.id), request, host)
        },
      }),
      leave: {
        to({ request }) {
          const kept = languageIn(request.original.headers.get('cookie'))
          return kept?.isOfProfile ? { cookies: [forgetLanguage(request.secure)] } : undefined
        },
      },
    }),
  })
}
