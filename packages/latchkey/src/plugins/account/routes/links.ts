import * as v from 'valibot'
import { type AdapterAccount, type Answer, type Call, Problem } from '../../../entries/plugin.ts'
import {
  endSessions,
  findPublic,
  linkedAccounts,
  nameOfWay,
  publicId,
  removeWayIn,
  tellSecurity,
} from '../../../entries/plugin-accounts.ts'
import { type Markup, providerMark } from '../../../entries/plugin-pages.ts'
import type { ShownLink, ShownProvider } from '../flows/shown-links.ts'
import { tellChange } from '../mails.ts'
import type { Own } from '../own.ts'
import { linksPage, unlinkPage } from '../pages/links.ts'
import { linkKey } from '../records/infos.ts'
import { callerOf, needSensitive } from './caller.ts'
import { publicIdField } from './fields.ts'
import { partsOf } from './parts.ts'

interface Shown {
  readonly confirm?: string | undefined
}

const providerId = v.pipe(v.string(), v.minLength(1), v.maxLength(100))

export const shownInput: v.GenericSchema<Shown> = v.strictObject({
  confirm: v.optional(publicIdField),
})

export const linkInput: v.GenericSchema<{ readonly provider: string }> = v.strictObject({
  provider: providerId,
})

export const unlinkInput: v.GenericSchema<{ readonly id: string }> = v.strictObject({
  id: publicIdField,
})

const PAGE = 'account/links'

/** Seconds within which the browser comes back from a provider. */
const LINKING = 15 * 60

/** `GET account/links` */
export async function show(call: Call<Shown>, own: Own): Promise<Answer> {
  const { host } = own
  const caller = await callerOf(call, own)
  const parts = await partsOf(call, own)
  const accounts = await accountsOf(caller.user.id, own)
  const { confirm } = call.input
  if (confirm !== undefined) {
    const asked = await named(confirm, accounts, own)
    await needSensitive(caller, PAGE, own, { confirm })
    return { page: unlinkPage(await describe(asked, own), parts) }
  }
  const linking = await own.linking.newest(call.request)
  const links = await Promise.all(accounts.map((account) => describe(account, own)))
  const { available, marks } = await providersOf(own)
  const nameOf = (id: string | undefined): string | undefined =>
    available.find((each) => each.id === id)?.name
  const has = (id: string | undefined): boolean => links.some(({ provider }) => provider === id)
  return {
    page: linksPage(
      {
        links,
        available: available.filter(({ id }) => !has(id)),
        marks,
        // The provider may have refused.
        added: has(linking?.provider) ? nameOf(linking?.provider) : undefined,
        removed: call.notice?.id === 'removed' ? call.notice.params?.[0] : undefined,
      },
      parts,
    ),
    json: { links, available: available.filter(({ id }) => !has(id)) },
    cookies: linking && (await own.linking.end(call.request)),
  }

  async function providersOf({ host: { providers } }: Own): Promise<{
    available: ShownProvider[]
    marks: ReadonlyMap<string, Markup>
  }> {
    const { providers: usable } = providers.waysIn()
    const ids = providers.ids().filter((id) => usable.has(id))
    const clients = (await Promise.all(ids.map((id) => host.providers.client(id)))).flatMap(
      (client) => client ?? [],
    )
    return {
      available: clients.map(({ id, name }) => ({ id, name })),
      marks: new Map(clients.map((client) => [client.id, providerMark(client)])),
    }
  }
}

/** `POST account/link`: redirects to the provider. */
export async function link(call: Call<{ readonly provider: string }>, own: Own): Promise<Answer> {
  const { host } = own
  const caller = await callerOf(call, own)
  const { provider } = call.input
  if (!host.providers.waysIn().providers.has(provider))
    throw new Problem('not_found', 'there is no such provider')
  await needSensitive(caller, PAGE, own)
  const callbackUrl = host.site.path(PAGE)
  const answer = await host.providers.connect({ ...call, callbackUrl }, provider, {})
  const kept = await own.linking.keep({ provider }, call.request, LINKING)
  return { ...answer, cookies: [...(answer.cookies ?? []), ...kept] }
}

/** `POST account/unlink` */
export async function unlink(call: Call<{ readonly id: string }>, own: Own): Promise<Answer> {
  const { host, links } = own
  const { request, input } = call
  const caller = await callerOf(call, own)
  const { user, session } = caller
  const account = await named(input.id, await accountsOf(user.id, own), own)
  await needSensitive(caller, PAGE, own, { confirm: input.id })
  const { provider, providerAccountId } = account
  const { name } = await describe(account, own)
  await removeWayIn(user.id, nameOfWay({ kind: 'provider', account }), host, async () => {
    const stored = await host.store?.getAccount(providerAccountId, provider)
    if (stored?.userId !== user.id)
      throw new Problem('not_found', 'the account was unlinked meanwhile')
    await host.users.unlink(account)
    await links.delete(await linkKey(account, own))
  })
  await endSessions(user.id, 'account-unlinked', host, session.facts)
  await tellSecurity(host, { type: 'account.unlinked', outcome: 'success', userId: user.id })
  await tellChange(user, { kind: 'connection-removed', provider: name }, request, own)
  return {
    status: 204,
    to: host.site.path(PAGE),
    notice: { id: 'removed', params: [name] },
  }
}

async function accountsOf(userId: string, { host }: Own): Promise<readonly AdapterAccount[]> {
  const accounts = await linkedAccounts(userId, host)
  return accounts.filter(({ type }) => type === 'oauth' || type === 'oidc')
}

async function describe(account: AdapterAccount, own: Own): Promise<ShownLink> {
  const { host, links } = own
  const { provider } = account
  const name = (await host.providers.client(provider))?.name ?? provider
  const info = (await links.get(await linkKey(account, own)))?.data
  return {
    id: await publicId('account', keyOf(account), host),
    provider,
    name,
    ...(info && { linkedAt: new Date(info.linkedAt).toISOString() }),
  }
}

const keyOf = ({ provider, providerAccountId }: AdapterAccount): string =>
  JSON.stringify([provider, providerAccountId])

/** @throws {Problem} `not_found`, also for the account of somebody else. */
async function named(
  id: string,
  accounts: readonly AdapterAccount[],
  { host }: Own,
): Promise<AdapterAccount> {
  const account = await findPublic(id, 'account', accounts, keyOf, host)
  if (!account) throw new Problem('not_found', 'the user has no such account')
  return account
}
