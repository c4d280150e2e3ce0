import { withoutEndSlashes } from '../encoding/end-slashes.ts'
import type { EndpointHandler, OAuth2Config } from './provider-options.ts'

/** `{name}`, but not the beginning of a JSON object. */
const PLACE = /\{([A-Za-z]\w*)\}/g

/** Members of a provider whose texts have places. */
const FILLED = [
  'issuer',
  'wellKnown',
  'jwks_endpoint',
  'authorization',
  'token',
  'userinfo',
] as const

/**
 * A text with members in its places.
 *
 * @returns `undefined` if one of them has no value.
 */
export function fillPlaces(
  text: string,
  members: Readonly<Record<string, unknown>>,
): string | undefined {
  const isComplete = [...text.matchAll(PLACE)].every(
    ([, name = '']) => textOf(members[name]) !== undefined,
  )
  return isComplete ? fill(text, members) : undefined
}

/** A provider whose texts have the members of the provider in their places; the same one if there are none. */
export function fillTemplates<P>(config: OAuth2Config<P>): OAuth2Config<P> {
  if (!FILLED.some((name) => mayHavePlaces(config[name]))) return config
  const filled: Partial<OAuth2Config<P>> = {}
  const values = { ...config } as Record<string, unknown>
  for (const name of FILLED) {
    const value = filledIn(config[name], values)
    // The issuer first: the others may contain it.
    values[name] = value
    Object.assign(filled, value === undefined ? {} : { [name]: value })
  }
  return { ...config, ...filled }
}

/** Names that texts of a provider contain and that it has no member for. */
export function missingMembers(config: OAuth2Config<unknown>): string[] {
  const members = config as unknown as Record<string, unknown>
  const names = FILLED.filter((name) => mayHavePlaces(config[name]))
    .flatMap((name) => textsOf(config[name]))
    .flatMap((text) => [...text.matchAll(PLACE)].map(([, name = '']) => name))
  return [...new Set(names)].filter((name) => textOf(members[name]) === undefined)
}

/** Most providers have no places, and each is asked with each new configuration. */
function mayHavePlaces(value: string | EndpointHandler | undefined): boolean {
  if (value === undefined) return false
  if (typeof value === 'string') return value.includes('{')
  return textsOf(value).some((text) => text.includes('{'))
}

function textsOf(value: string | EndpointHandler | undefined): string[] {
  if (typeof value === 'string') return [value]
  const { url, params, body, headers } = (value ?? {}) as Record<string, unknown>
  return [url, ...[params, body, headers].flatMap((each) => Object.values(each ?? {}))].filter(
    (text): text is string => typeof text === 'string',
  )
}

function filledIn(
  value: string | EndpointHandler | undefined,
  members: Record<string, unknown>,
): unknown {
  if (typeof value === 'string') return fill(value, members)
  if (value === undefined || !mayHavePlaces(value)) return value
  const handler = { ...value } as Record<string, unknown>
  if (value.url !== undefined) handler['url'] = fill(value.url, members)
  for (const name of ['params', 'body', 'headers']) {
    const entries = Object.entries((handler[name] as Record<string, unknown> | undefined) ?? {})
    if (entries.length === 0) continue
    handler[name] = Object.fromEntries(
      entries.map(([key, text]) => [key, typeof text === 'string' ? fill(text, members) : text]),
    )
  }
  return handler
}

/** @param members also text with dots in their names, `tokens.access_token` say. */
function fill(text: string, members: Readonly<Record<string, unknown>>): string {
  return text.replace(PLACE, (place, name: string, at: number) => {
    const value = textOf(members[name])
    if (value === undefined) return place
    // An address may be given with or without the slash that follows it here.
    return text[at + place.length] === '/' ? withoutEndSlashes(value) : value
  })
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
