import { type AdapterUser, type Call, Problem } from '../../../entries/plugin.ts'
import { type PageParts as Parts, pageParts } from '../../../entries/plugin-accounts.ts'
import type { Own } from '../own.ts'
import type { TwoFactorKey } from '../texts.ts'

/** What every page of the plugin is made with. */
export type PageParts = Parts<TwoFactorKey>

export async function partsOf(
  call: Pick<Call<unknown>, 'request' | 'csrfField'>,
  { host, settings }: Own,
): Promise<PageParts> {
  const parts = await pageParts<TwoFactorKey>(call, host)
  return { ...parts, name: settings.issuer ?? parts.name }
}

/** @throws {Problem} `unauthenticated` without a sign-in that waits. */
export function waitingOf({ pending }: Pick<Call<unknown>, 'pending'>): AdapterUser {
  if (!pending) throw new Problem('unauthenticated')
  return pending.user as AdapterUser
}

/** How people call an account: by its user name, its address or its name. */
export async function accountNameOf(
  { id, email, name }: Pick<AdapterUser, 'id' | 'email' | 'name'>,
  { host }: Own,
): Promise<string> {
  return (await host.userNames()?.nameOf(id)) || email || name || id
}
