import * as v from 'valibot'
import { type Answer, type Call, type JsonObject, Problem } from '../../../entries/plugin.ts'
import type { MadeKey } from '../api-keys/keys.ts'
import type { ApiKeysSettings } from '../api-keys/settings.ts'
import { KEYS_PAGE, type Own } from '../own.ts'
import { madePage } from '../pages/keys.ts'
import type { TokensKey } from '../texts.ts'
import { needCaller } from './caller.ts'

/** Prefix of the field of a scope's checkbox. */
export const SCOPE_FIELD = 'scope:'

/** Lifetimes that the form offers, in days. */
export const AGES = [7, 30, 90, 365] as const

interface New {
  readonly name: string
  readonly scopes?: readonly string[] | undefined
  readonly expires?: string | null | undefined
  /** In a form: days, or `never`. */
  readonly age?: string | undefined
  /** In a form: one field for each scope. */
  readonly [scope: `scope:${string}`]: unknown
}

/** At least one character, without controls and marks that change the direction of text. */
const VISIBLE = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+$/u

/** Returns the schema of a new key. JSON has lists and dates; a form has checkboxes and days. */
export function inputOfNew({ scopes }: ApiKeysSettings): v.GenericSchema<New> {
  const boxes = scopes.map((scope) => [SCOPE_FIELD + scope, v.optional(v.literal('1'))] as const)
  return v.strictObject({
    name: v.pipe(v.string(), v.trim(), v.maxLength(60), v.regex(VISIBLE)),
    scopes: v.optional(v.pipe(v.array(v.pipe(v.string(), v.maxLength(100))), v.maxLength(100))),
    expires: v.optional(v.nullable(v.pipe(v.string(), v.isoTimestamp()))),
    age: v.optional(v.picklist([...AGES.map(String), 'never'])),
    ...Object.fromEntries(boxes),
  })
}

/** The id of a key. */
export const idField: v.GenericSchema<string> = v.pipe(v.string(), v.regex(/^[0-9A-Za-z]{16}$/))

export const inputOfOne: v.GenericSchema<{ id: string }> = v.strictObject({ id: idField })

/** `GET api-keys/list` */
export async function list({ current }: Call, { host, apiKeys }: Own): Promise<Answer> {
  const { userId } = await needCaller(current, host, host.site.path(KEYS_PAGE))
  return { json: { keys: await (await apiKeys()).keys.list(userId) } }
}

/** `POST api-keys/create` */
export async function create(call: Call<New>, own: Own): Promise<Answer> {
  const { host, apiKeys } = own
  const { keys, settings } = await apiKeys()
  const { userId } = await needCaller(call.current, host, host.site.path(KEYS_PAGE))
  await host.sessions.needFresh(call.current, settings.freshAge, host.site.path(KEYS_PAGE))
  const { name, scopes, expires, age } = call.input
  const ticked = settings.scopes.filter((scope) => call.input[`${SCOPE_FIELD}${scope}`] === '1')
  const made = await keys.create(userId, {
    name,
    scopes: scopes ?? ticked,
    expires: endOf(expires, age, host.ports.now()),
  })
  await tell(userId, made, call, own)
  return answer(made, 201, call, own)
}

/** `POST api-keys/replace` */
export async function replace(call: Call<{ id: string }>, own: Own): Promise<Answer> {
  const { host, apiKeys } = own
  const { keys, settings } = await apiKeys()
  const { userId } = await needCaller(call.current, host, host.site.path(KEYS_PAGE))
  await host.sessions.needFresh(call.current, settings.freshAge, host.site.path(KEYS_PAGE))
  const made = await keys.replace(userId, call.input.id, 0)
  if (!made) throw new Problem('not_found', 'the user has no such key')
  await tell(userId, made, call, own)
  return answer(made, 200, call, own)
}

/** `POST api-keys/end` */
export async function end(
  { current, input }: Call<{ id: string }>,
  { host, apiKeys }: Own,
): Promise<Answer> {
  const { userId } = await needCaller(current, host, host.site.path(KEYS_PAGE))
  if (!(await (await apiKeys()).keys.end(userId, input.id)))
    throw new Problem('not_found', 'the user has no such key')
  return { json: { ended: 1 }, to: host.site.path(KEYS_PAGE), notice: { id: 'ended' } }
}

async function tell(
  userId: string,
  { key }: MadeKey,
  { request }: Pick<Call, 'request'>,
  own: Own,
): Promise<void> {
  const { tellNewKey } = await import('../mails.ts')
  await tellNewKey(userId, key, request, own)
}

/** Returns the text of the key in the response and in no URL, so it is not shown again if the page is reloaded. */
async function answer(
  { token, key }: MadeKey,
  status: number,
  { request }: Pick<Call, 'request'>,
  { host }: Own,
): Promise<Answer> {
  const texts = await host.site.text<TokensKey>(request)
  return {
    status,
    json: { token, key: key as unknown as JsonObject },
    page: madePage(key, token, { texts, page: host.site.path(KEYS_PAGE) }),
  }
}

function endOf(
  expires: string | null | undefined,
  age: string | undefined,
  now: number,
): Date | null | undefined {
  if (typeof expires === 'string') return new Date(expires)
  if (expires === null || age === 'never') return null
  return age === undefined ? undefined : new Date(now + Number(age) * 86_400_000)
}
