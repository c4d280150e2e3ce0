import * as v from 'valibot'
import { type Answer, type Call, Problem } from '../../../entries/plugin.ts'
import { KEYS_PAGE, type Own } from '../own.ts'
import { keysPage, newKeyPage, questionPage } from '../pages/keys.ts'
import type { TokensKey } from '../texts.ts'
import { needCaller } from './caller.ts'
import { AGES, idField, SCOPE_FIELD } from './keys.ts'

interface Shown {
  /** Whether to show the form for a new key. */
  readonly new?: '1' | undefined
  /** The key that the page asks to delete. */
  readonly confirm?: string | undefined
}

export const input: v.GenericSchema<Shown> = v.strictObject({
  new: v.optional(v.literal('1')),
  confirm: v.optional(idField),
})

/** `GET account/keys`: the page; the list for a program. */
export async function page(call: Call<Shown>, { host, apiKeys }: Own): Promise<Answer> {
  const { request, input: asked, current, csrfField } = call
  const { userId } = await needCaller(current, host, host.site.path(KEYS_PAGE))
  const { keys, settings } = await apiKeys()
  const { maxAge, defaultAge } = settings
  const parts = {
    texts: await host.site.text<TokensKey>(request),
    page: host.site.path(KEYS_PAGE),
    csrfField,
  }
  if (asked.new === '1') {
    return {
      page: newKeyPage({
        ...parts,
        create: host.site.path('api-keys/create'),
        scopes: settings.scopes.map((scope) => ({ scope, field: SCOPE_FIELD + scope })),
        ages: AGES.filter((days) => maxAge === null || days * 86_400 <= maxAge),
        usual: Math.round(defaultAge / 86_400),
        mayBeEndless: maxAge === null,
      }),
      json: {},
    }
  }
  const all = await keys.list(userId)
  const listed = {
    ...parts,
    now: host.ports.now(),
    isEnded: call.notice?.id === 'ended',
    another: host.site.path(KEYS_PAGE, { new: '1' }),
    end: host.site.path('api-keys/end'),
    replace: host.site.path('api-keys/replace'),
  }
  if (asked.confirm === undefined) return { page: keysPage(all, listed), json: { keys: all } }
  const key = all.find(({ id }) => id === asked.confirm)
  if (!key) throw new Problem('not_found', 'the user has no such key')
  return { page: questionPage(key, listed), json: { key } }
}
