import { type Host, isTime, type RecordKind, recordKind } from '../../../entries/plugin.ts'

/** What is known of a passkey besides its key. The key of the record is a keyed hash of the credential id. */
export interface PasskeyInfo {
  /** The name that the user gave. */
  readonly name?: string | undefined
  /** The model of the authenticator, as a UUID. */
  readonly aaguid?: string | undefined
  /** The browser in which it was created. */
  readonly browser?: string | undefined
  /** The name of that browser in the plugin `limits`, if the device of the browser made the passkey itself. */
  readonly madeIn?: string | undefined
  /** In milliseconds since the epoch. */
  readonly createdAt?: number | undefined
  readonly lastUsedAt?: number | undefined
  /** Whether its owner was told about it. */
  readonly isTold?: boolean | undefined
}

export function createPasskeyInfos(host: Host): RecordKind<PasskeyInfo> {
  return recordKind<PasskeyInfo>(host, 'passkey-info', {
    shape({ name, aaguid, browser, madeIn, createdAt, lastUsedAt, isTold }) {
      return {
        name: textOf(name),
        aaguid: textOf(aaguid),
        browser: textOf(browser),
        madeIn: textOf(madeIn),
        createdAt: timeOf(createdAt),
        lastUsedAt: timeOf(lastUsedAt),
        isTold: isTold === true,
      }
    },
  })
}

/** Returns the key of the record of a passkey. */
export async function passkeyKey(
  credentialId: string,
  { host, passkeys }: Keyed & { readonly passkeys: RecordKind<PasskeyInfo> },
): Promise<string> {
  return storedKey(await host.keys.hashes('passkey', credentialId), passkeys)
}

/** When an account of a provider was linked. The key of the record is a keyed hash of both ids. */
export interface LinkInfo {
  /** In milliseconds since the epoch. */
  readonly linkedAt: number
  /** Whether its owner was told about it. */
  readonly isTold?: boolean | undefined
}

export function createLinkInfos(host: Host): RecordKind<LinkInfo> {
  return recordKind<LinkInfo>(host, 'account-link', {
    shape: ({ linkedAt, isTold }) =>
      isTime(linkedAt) ? { linkedAt, isTold: isTold === true } : undefined,
  })
}

/** Returns the key of the record of a linked account. */
export async function linkKey(
  account: { readonly provider: string; readonly providerAccountId: string },
  { host, links }: Keyed & { readonly links: RecordKind<LinkInfo> },
): Promise<string> {
  const { provider, providerAccountId } = account
  return storedKey(await host.keys.hashes('account-link', provider, providerAccountId), links)
}

interface Keyed {
  readonly host: Pick<Host, 'keys'>
}

/** Returns the key that has a record, which may be of an earlier secret; without a record, that of the present one. */
async function storedKey(
  [current = '', ...older]: readonly string[],
  kind: Pick<RecordKind<object>, 'get'>,
): Promise<string> {
  if (older.length === 0) return current
  for (const key of [current, ...older]) if (await kind.get(key)) return key
  return current
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function timeOf(value: unknown): number | undefined {
  return isTime(value) ? value : undefined
}
