import * as v from 'valibot'
import {
  type AdapterUser,
  type Answer,
  type Call,
  definedOnly,
  Problem,
} from '../../../entries/plugin.ts'
import { tellSecurity } from '../../../entries/plugin-accounts.ts'
import { describeAccount, describeUser } from '../flows/describe-account.ts'
import type { Own } from '../own.ts'
import { profilePage } from '../pages/profile.ts'
import type { Fault } from '../refusals.ts'
import { callerOf } from './caller.ts'
import { hasControls, typed } from './fields.ts'
import { partsOf } from './parts.ts'

interface Update {
  readonly name?: string | null | undefined
  readonly image?: string | null | undefined
  readonly locale?: string | undefined
  /** The earlier name of `locale`, for any language. */
  readonly language?: string | undefined
}

/** What nobody may change here, such as the id or the address, is an unknown field. */
export const input: v.GenericSchema<Update> = v.strictObject({
  name: v.optional(v.nullable(typed)),
  image: v.optional(v.nullable(typed)),
  locale: v.optional(v.pipe(v.string(), v.maxLength(100))),
  language: v.optional(v.pipe(v.string(), v.maxLength(35))),
})

/** `GET account/me`: the user, how the account is protected, and what can be added. */
export async function showMe(call: Call, own: Own): Promise<Answer> {
  const { user, session } = await callerOf(call, own)
  return { json: await describeAccount(user, session.facts, call.request, own) }
}

/** `GET account/security`: the overview has the password, passkeys and second factors, each a section of its plugin. */
export async function security(_: Call, { host }: Own): Promise<Answer> {
  return { to: host.site.path('account') }
}

/** `GET account/profile` */
export async function show(call: Call, own: Own): Promise<Answer> {
  const { user } = await callerOf(call, own)
  const form = { typed: typedOf(user), faults: [] }
  const isDone = call.notice?.id === 'saved'
  const locale = await localeOf(user.id, own)
  return { page: profilePage(form, { isDone, locale }, await partsOf(call, own)) }
}

/** `POST account/update` */
export async function update(call: Call<Update>, own: Own): Promise<Answer> {
  const { host, settings, profiles } = own
  const { user } = await callerOf(call, own)
  const { name, image, locale, language } = trimmed(call.input)
  const { all } = await host.site.text(call.request)
  const faults = faultsOf({ name, image, locale, language }, all, own)
  if (faults.length > 0) throw await refusal(faults, call, user, own)
  const changed: Partial<AdapterUser> = {
    ...(settings.changeName && name !== undefined && { name: name || null }),
    ...(settings.changeImage && image !== undefined && { image: image || null }),
  }
  const next = { ...user, ...changed }
  const isChanged = next.name !== user.name || next.image !== user.image
  if (isChanged) await host.store?.updateUser({ id: user.id, ...changed })
  const chosen = locale ?? language
  if (chosen !== undefined)
    await profiles.upsert(user.id, (data) => ({
      data: { ...data, locale: chosen },
      userId: user.id,
    }))
  if (isChanged || chosen !== undefined) {
    await host.tell('updateUser', { user: next })
    await tellSecurity(host, { type: 'user.updated', outcome: 'success', userId: user.id })
  }
  return {
    json: { user: await describeUser(next, own) },
    to: host.site.path('account/profile', await pickedLanguage(chosen, call, own)),
    notice: { id: 'saved' },
    cookies: isChanged ? ((await host.sessions.describe(call.request, next)) ?? []) : [],
  }
}

function trimmed({ name, image, locale, language }: Update): Update {
  return {
    name: name?.trim() ?? name,
    image: image?.trim() ?? image,
    // A form sends an empty one if nothing was chosen.
    locale: locale?.trim() || undefined,
    language: language?.trim() || undefined,
  }
}

/** @param languages those of the site, if they are known. */
function faultsOf(
  { name, image, locale, language }: Update,
  languages: readonly string[] | undefined,
  { settings }: Own,
): Fault[] {
  const faults: Fault[] = []
  if (name !== undefined && !settings.changeName) faults.push({ field: 'name', code: 'fixed' })
  else if (name && Array.from(name).length > 200) faults.push({ field: 'name', code: 'too_long' })
  else if (name && hasControls(name)) faults.push({ field: 'name', code: 'invalid_name' })
  if (image !== undefined && !settings.changeImage) faults.push({ field: 'image', code: 'fixed' })
  else if (image && !isPicture(image)) faults.push({ field: 'image', code: 'invalid_image' })
  if (locale !== undefined && !(languages?.includes(locale) ?? isLanguage(locale)))
    faults.push({ field: 'locale', code: 'invalid_language' })
  if (language !== undefined && !isLanguage(language))
    faults.push({ field: 'language', code: 'invalid_language' })
  return faults
}

/** Returns whether a text is the https address of a picture. */
function isPicture(text: string): boolean {
  if (text.length > 2000 || !URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return protocol === 'https:' && username === '' && password === ''
}

/** Returns whether a text is a language tag (BCP 47). */
function isLanguage(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1
  } catch {
    return false
  }
}

async function refusal(
  errors: readonly Fault[],
  call: Call<Update>,
  user: AdapterUser,
  own: Own,
): Promise<Problem> {
  const { name, image } = call.input
  const kept = {
    ...typedOf(user),
    ...definedOnly({ name: name ?? undefined, image: image ?? undefined }),
  }
  const page = profilePage(
    { typed: kept, faults: errors },
    { isDone: false, locale: await localeOf(user.id, own) },
    await partsOf(call, own),
  )
  return new Problem('invalid_input', 'the profile has invalid fields', { errors, page })
}

function typedOf({ name, image }: AdapterUser): Record<string, string> {
  return { name: name ?? '', image: image ?? '' }
}

/** Returns the parameter with which a page sets the language of this browser, if the site has the language. */
async function pickedLanguage(
  language: string | undefined,
  { request }: Call<Update>,
  { host }: Own,
): Promise<Readonly<Record<string, string>>> {
  if (language === undefined) return {}
  const { choices = [] } = await host.site.text(request)
  return choices.includes(language) ? { lang: language } : {}
}

async function localeOf(userId: string, { profiles }: Own): Promise<string | undefined> {
  return (await profiles.get(userId))?.data.locale
}
