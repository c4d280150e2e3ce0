import { type AdapterUser, agentNameOf, loadOnce, type Texts } from '../../../entries/plugin.ts'
import { linkedAccounts, publicId } from '../../../entries/plugin-accounts.ts'
import type { Own } from '../own.ts'
import { type PasskeyInfo, passkeyKey } from '../records/infos.ts'
import type { AccountKey } from '../texts.ts'

/** A passkey of a user, as pages and programs see it. */
export type ShownPasskey = {
  /** A public id, which only its owner can use. */
  readonly id: string
  readonly name: string
  /** The model of the authenticator, as a UUID; missing if it is unknown. */
  readonly aaguid?: string
  /** The name of that model. */
  readonly model?: string
  /** Whether it is on one device only, and is not synced. */
  readonly deviceBound: boolean
  /** Whether its owner signs in with it. */
  readonly firstFactor: boolean
  /** Whether it is a second factor. */
  readonly secondFactor: boolean
  /** In ISO 8601. */
  readonly createdAt?: string
  readonly lastUsedAt?: string
}

/** A passkey with the id of its credential. */
export interface OwnPasskey {
  readonly credentialId: string
  readonly provider: string
  readonly shown: ShownPasskey
}

/** Returns the passkeys of a user, the newest first. */
export async function listPasskeys(
  { id: userId }: Pick<AdapterUser, 'id'>,
  { text }: Pick<Texts<AccountKey>, 'text'>,
  own: Own,
): Promise<readonly OwnPasskey[]> {
  const { host, passkeys } = own
  const accounts = await linkedAccounts(userId, host)
  const { providers } = host.providers.waysIn()
  const isUsed = (await host.plugins.factors()?.usesKeys(userId)) === true
  const stored = (await host.store?.listAuthenticatorsByUserId(userId)) ?? []
  const found = stored.flatMap((key) => {
    const account = accounts.find((each) => each.providerAccountId === key.providerAccountId)
    return account?.type === 'webauthn' ? [{ ...key, provider: account.provider }] : []
  })
  const all = await Promise.all(
    found.map(async ({ credentialID, credentialDeviceType, provider }): Promise<OwnPasskey> => {
      const info = (await passkeys.get(await passkeyKey(credentialID, own)))?.data ?? {}
      const { aaguid, createdAt, lastUsedAt } = info
      const model = await modelOf(aaguid)
      const firstFactor = providers.has(provider)
      return {
        credentialId: credentialID,
        provider,
        shown: {
          id: await publicId('passkey', credentialID, host),
          name: info.name ?? nameOf(info, model, firstFactor, text),
          ...(model !== undefined && { aaguid: aaguid ?? '', model }),
          deviceBound: credentialDeviceType === 'singleDevice',
          firstFactor,
          secondFactor: isUsed,
          ...(createdAt !== undefined && { createdAt: new Date(createdAt).toISOString() }),
          ...(lastUsedAt !== undefined && { lastUsedAt: new Date(lastUsedAt).toISOString() }),
        },
      }
    }),
  )
  return all.toSorted((one, other) =>
    (other.shown.createdAt ?? '').localeCompare(one.shown.createdAt ?? ''),
  )
}

/** Returns the name of a passkey that its owner has not named: its model, or the browser in which it was made. */
function nameOf(
  { browser }: PasskeyInfo,
  model: string | undefined,
  firstFactor: boolean,
  text: Texts<AccountKey>['text'],
): string {
  const name = model ?? text(firstFactor ? 'account:passkeys.name' : 'account:passkeys.key')
  return firstFactor && model === undefined && browser !== undefined
    ? text('account:passkeys.on', { name, browser })
    : name
}

const loadModels = loadOnce(() => import('../aaguids.generated.ts'))

async function modelOf(aaguid: string | undefined): Promise<string | undefined> {
  if (aaguid === undefined) return undefined
  const { aaguids } = await loadModels()
  return Object.hasOwn(aaguids, aaguid) ? aaguids[aaguid] : undefined
}

/** Returns the browser of a request, for the name of a passkey. */
export function browserOf({ headers }: Request): string | undefined {
  return agentNameOf(headers).browser
}
