import type { EventMessages, PendingSignIn, SiteRequest } from '../../../entries/plugin.ts'
import { tellSecurity } from '../../../entries/plugin-accounts.ts'
import { tellChange } from '../mails.ts'
import type { Own } from '../own.ts'
import { linkKey, passkeyKey } from '../records/infos.ts'
import type { AccountKey } from '../texts.ts'
import { listPasskeys } from './list-passkeys.ts'

const HOUR: number = 60 * 60_000

/** Notes when an account was linked or a passkey was added, wherever that happened. */
export async function noteLinked(
  { user, account }: EventMessages['linkAccount'],
  own: Own,
): Promise<void> {
  const { host, passkeys, links } = own
  const { provider, providerAccountId, type } = account
  const userId = String(user.id)
  const now = host.ports.now()
  if (type === 'webauthn') {
    const key = await passkeyKey(providerAccountId, own)
    // What is left of a key that was removed, perhaps from another account, says nothing about this one.
    await passkeys.delete(key)
    await passkeys.upsert(key, (data = {}) => ({ data: { ...data, createdAt: now }, userId }))
    return
  }
  const key = await linkKey({ provider, providerAccountId }, own)
  await links.delete(key)
  await links.upsert(key, () => ({ data: { linkedAt: now }, userId }))
}

/** Notes that a passkey was used, at most once an hour, and tells the owner of an account about a new way into it. */
export async function noteSignIn(
  { user, account, isNewUser }: PendingSignIn,
  request: SiteRequest,
  own: Own,
): Promise<void> {
  const { host, passkeys, links } = own
  const { provider, providerAccountId, type } = account
  const userId = String(user.id)
  const now = host.ports.now()
  // However late: a sign-in may wait for a second factor. A new user has nobody to be told.
  const tell = (): Promise<unknown> =>
    isNewUser
      ? isFirstToTell(providerAccountId, provider, type, own)
      : tellAdded(userId, account, request, own)
  if (type === 'webauthn') {
    const key = await passkeyKey(providerAccountId, own)
    const before = (await passkeys.get(key))?.data
    await passkeys.upsert(key, (data = {}) =>
      now - (data.lastUsedAt ?? 0) < HOUR
        ? undefined
        : { data: { ...data, lastUsedAt: now }, userId },
    )
    if (before?.createdAt !== undefined && !before.isTold) await tell()
  } else if (type === 'oauth' || type === 'oidc') {
    const link = await links.get(await linkKey({ provider, providerAccountId }, own))
    if (link && !link.data.isTold) await tell()
  }
}

/** Tells the owner of an account about a new way into it, once. */
export async function tellAdded(
  userId: string,
  {
    provider,
    providerAccountId,
    type,
  }: Pick<PendingSignIn['account'], 'provider' | 'providerAccountId' | 'type'>,
  request: SiteRequest,
  own: Own,
): Promise<void> {
  const { host } = own
  const user = await host.store?.getUser(userId)
  if (!user || !(await isFirstToTell(providerAccountId, provider, type, own))) return
  const change = { account: { provider, providerAccountId } }
  if (type !== 'webauthn') {
    const name = (await host.providers.client(provider))?.name ?? provider
    await tellSecurity(host, { type: 'account.linked', outcome: 'success', userId })
    return tellChange(user, { kind: 'connection-added', provider: name }, request, own, change)
  }
  const texts = await host.site.text<AccountKey>(request)
  const all = await listPasskeys(user, texts, own)
  const passkey =
    all.find(({ credentialId }) => credentialId === providerAccountId)?.shown.name ?? ''
  await tellSecurity(host, { type: 'factor.added', outcome: 'success', userId })
  return tellChange(user, { kind: 'passkey-added', passkey }, request, own, change)
}

/** Returns whether nobody has told the owner yet. Of several calls at once, one receives `true`. */
async function isFirstToTell(
  providerAccountId: string,
  provider: string,
  type: string,
  own: Own,
): Promise<boolean> {
  const { passkeys, links } = own
  const told =
    type === 'webauthn'
      ? await passkeys.update(await passkeyKey(providerAccountId, own), (data) =>
          data.isTold ? undefined : { data: { ...data, isTold: true } },
        )
      : await links.update(await linkKey({ provider, providerAccountId }, own), (data) =>
          data.isTold ? undefined : { data: { ...data, isTold: true } },
        )
  return told?.isChanged === true
}
