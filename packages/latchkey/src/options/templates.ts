import { withoutEndSlashes } from '../base/encoding/end-slashes.ts'
import type { EndpointHandler, OAuth2Config } from './provider-options.ts'

/** A placeholder `{name}`, but not the beginning of a JSON object. */
const PLACEHOLDER = /\{([A-Za-z]\w*)\}/g

/** Members of a provider that may contain placeholders. */
const FILLED = [
  'issuer',
  'wellKnown',
  'jwks_endpoint',
  'authorization',
  'token',
  'userinfo',
] as const

/**
 * Replaces the placeholders in a text by members.
 *
 * @returns `undefined` if a member has no value.
 */
export function fillPlaces(
  text: string,
  members: Readonly<Record<string, unknown>>,
): string | undefined {
  const isComplete = [...text.matchAll(PLACEHOLDER)].every(
    ([, name = '']) => textOf(members[name]) !== undefined,
  )
  return isComplete ? fill(text, members) : undefined
}

/** Replaces the placeholders of a provider by its members. Returns the same object if there are none. */
export function fillTemplates<P>(config: OAuth2Config<P>): OAuth2Config<P> {
  if (!FILLED.some((name) => mayHavePlaceholders(config[name]))) return config
  const filled: Partial<OAuth2Config<P>> = {}
  const values = { ...config } as Record<string, unknown>
  for (const name of FILLED) {
    const value = filledIn(config[name], values)
    // The issuer is first, since the others may contain it.
    values[name] = value
    Object.assign(filled, value === undefined ? {} : { [name]: value })
  }
  return { ...config, ...filled }
}

/** Returns the names of placeholders for which a provider has no member. */
export function missingMembers(config: OAuth2Config<unknown>): string[] {
  if (!FILLED.some((name) => mayHavePlaceholders(config[name]))) return []
  const members = config as unknown as Record<string, unknown>
  const names = FILLED.flatMap((name) => textsOf(config[name])).flatMap((text) =>
    [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name),
  )
  return [...new Set(names)].filter((name) => textOf(members[name]) === undefined)
}

/** A fast check: most providers have no placeholders, and each new configuration checks all of them. */
function mayHavePlaceholders(value: string | EndpointHandler | undefined): boolean {
  if (typeof value !== 'object') return hasBrace(value)
  const { url, params, body, headers } = value as Record<string, unknown>
  return hasBrace(url) || isAnyWithBrace(params) || isAnyWithBrace(body) || isAnyWithBrace(headers)
}

function isAnyWithBrace(texts: unknown): boolean {
  return typeof texts === 'object' && texts !== null && Object.values(texts).some(hasBrace)
}

function hasBrace(text: unknown): boolean {
  return typeof text === 'string' && text.includes('{')
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
  if (value === undefined || !mayHavePlaceholders(value)) return value
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

/** @param members values by name; names may have dots, for example `tokens.access_token`. */
function fill(text: string, members: Readonly<Record<string, unknown>>): string {
  return text.replace(PLACEHOLDER, (place, name: string, at: number) => {
    const value = textOf(members[name])
    if (value === undefined) return place
    // A URL may end with the slash that follows the placeholder.
    return text[at + place.length] === '/' ? withoutEndSlashes(value) : value
  })
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
