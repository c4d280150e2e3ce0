import * as v from 'valibot'
import type { Answer, Call } from '../../../entries/plugin.ts'
import { KEYS_PAGE, type Own } from '../own.ts'
import { keysPage } from '../pages/keys.ts'
import type { TokensKey } from '../texts.ts'
import { needCaller } from './caller.ts'
import { AGES, SCOPE_FIELD } from './keys.ts'

interface Shown {
  readonly done?: 'ended' | undefined
}

export const input: v.GenericSchema<Shown> = v.strictObject({
  done: v.optional(v.picklist(['ended'])),
})

/** `GET account/keys`: the page; the list for a program. */
export async function page(
  { request, input: { done }, current, csrfField }: Call<Shown>,
  { host, apiKeys }: Own,
): Promise<Answer> {
  const { userId } = await needCaller(current, host, host.site.path(KEYS_PAGE))
  const { keys, settings } = await apiKeys()
  const { maxAge, defaultAge } = settings
  const all = await keys.list(userId)
  const body = keysPage(all, {
    texts: await host.site.text<TokensKey>(request),
    now: host.ports.now(),
    isEnded: done === 'ended',
    create: host.site.path('api-keys/create'),
    end: host.site.path('api-keys/end'),
    replace: host.site.path('api-keys/replace'),
    csrfField,
    scopes: settings.scopes.map((scope) => ({ scope, field: SCOPE_FIELD + scope })),
    ages: AGES.filter((days) => maxAge === null || days * 86_400 <= maxAge),
    usual: Math.round(defaultAge / 86_400),
    mayBeEndless: maxAge === null,
  })
  return { page: body, json: { keys: all } }
}
