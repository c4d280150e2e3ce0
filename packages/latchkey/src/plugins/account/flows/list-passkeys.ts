import {
  type AdapterUser,
  agentNameOf,
  loadOnce,
  type SiteRequest,
  type Texts,
} from '../../../entries/plugin.ts'
import { linkedAccounts, publicId } from '../../../entries/plugin-accounts.ts'
import type { AccountPasskey } from '../client.ts'
import type { Own } from '../own.ts'
import { type PasskeyInfo, passkeyKey } from '../records/infos.ts'
import type { AccountKey } from '../texts.ts'

/** A passkey with the id of its credential. */
export interface OwnPasskey {
  readonly credentialId: string
  readonly provider: string
  readonly shown: AccountPasskey
}

/**
 * Returns the passkeys of a user, the newest first.
 *
 * @param request of the browser that is this device; without it, no passkey is of this device.
 */
export async function listPasskeys(
  { id: userId }: Pick<AdapterUser, 'id'>,
  { text }: Pick<Texts<AccountKey>, 'text'>,
  own: Own,
  request?: SiteRequest,
): Promise<readonly OwnPasskey[]> {
  const { host, passkeys } = own
  const accounts = await linkedAccounts(userId, host)
  const { providers } = host.providers.waysIn()
  const here = request && (await host.attempts.poolOf(userId, request))
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
          aaguid: model === undefined ? null : (aaguid ?? null),
          model: model ?? null,
          deviceBound: credentialDeviceType === 'singleDevice',
          firstFactor,
          secondFactor: isUsed,
          createdAt: timeText(createdAt),
          lastUsedAt: timeText(lastUsedAt),
          thisDevice: here !== undefined && info.madeIn === here,
        },
      }
    }),
  )
  return all.toSorted((one, other) =>
    (other.shown.createdAt ?? '').localeCompare(one.shown.createdAt ?? ''),
  )
}

const timeText = (time: number | undefined): string | null =>
  time === undefined ? null : new Date(time).toISOString()

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
