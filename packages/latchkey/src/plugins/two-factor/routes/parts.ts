import {
  type AdapterUser,
  type Call,
  type CurrentSession,
  type Html,
  Problem,
  type SafeUrl,
  siteNameOf,
  type TextKey,
  type Texts,
} from '../../../entries/plugin.ts'
import type { Own } from '../own.ts'
import type { TwoFactorKey } from '../texts.ts'

/** What every page of the plugin is made with. */
export interface PageParts {
  readonly texts: Texts<TwoFactorKey | TextKey>
  readonly csrfField: Html
  /** The name of the site. */
  readonly name: string
  path(route: string, params?: Readonly<Record<string, string>>): SafeUrl
}

export async function partsOf(
  { request, csrfField }: Pick<Call<unknown>, 'request' | 'csrfField'>,
  { host, settings }: Own,
): Promise<PageParts> {
  const { theme } = host.site
  return {
    texts: await host.site.text<TwoFactorKey>(request),
    csrfField,
    name: settings.issuer ?? siteNameOf({ theme, origin: request.origin }),
    path: (...asked) => host.site.path(...asked),
  }
}

/** Somebody who is signed in. */
export interface Caller {
  readonly user: AdapterUser
  readonly session: CurrentSession
}

/** @throws {Problem} `unauthenticated` without a session of a person. */
export async function callerOf(
  { current }: Pick<Call<unknown>, 'current'>,
  { host }: Own,
): Promise<Caller> {
  if (!current || current.holder !== undefined) throw new Problem('unauthenticated')
  const user = await host.store?.getUser(String(current.user.id))
  if (!user) throw new Problem('unauthenticated', 'the user is deleted')
  return { user, session: current }
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
