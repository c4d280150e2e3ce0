import {
  definedOnly,
  type Host,
  isJsonObject,
  isTexts,
  isTime,
  type RecordKind,
  recordKind,
  type UnwantedChange,
} from '../../../entries/plugin.ts'

/** A link with which somebody says that a change was not theirs. The key is a keyed hash of the token. */
export interface SecureLink extends UnwantedChange {
  /** What happened, as the page says it. */
  readonly what: string
  /** The address to which it was mailed. */
  readonly address: string
  /** In milliseconds since the epoch. */
  readonly at: number
}

/** Milliseconds for which a link works. */
export const SECURE_AGE: number = 7 * 24 * 60 * 60_000

export function createSecureLinks(host: Host): RecordKind<SecureLink> {
  return recordKind<SecureLink>(host, 'secure-link', {
    shape({ what, address, at, account, apiKey }) {
      if (!isTexts([what, address]) || !isTime(at)) return undefined
      if (apiKey !== undefined && typeof apiKey !== 'string') return undefined
      const link = { what, address, at, ...definedOnly({ apiKey }) }
      if (account === undefined) return link as SecureLink
      if (!isJsonObject(account)) return undefined
      const { provider, providerAccountId } = account
      if (!isTexts([provider, providerAccountId])) return undefined
      return { ...link, account: { provider, providerAccountId } } as SecureLink
    },
    hasSecretKeys: true,
  })
}
