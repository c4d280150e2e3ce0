import {
  type AdapterUser,
  isTime,
  type SessionFacts,
  type SiteRequest,
} from '../../../entries/plugin.ts'
import { acrOf, hasPassword, linkedAccounts } from '../../../entries/plugin-accounts.ts'
import type { AccountInfo, AccountUser } from '../client.ts'
import type { Own } from '../own.ts'

/** Returns a user as the browser sees them. What is not known is `null`. */
export async function describeUser(
  { id, name, email, emailVerified, image }: AdapterUser,
  { host, profiles }: Own,
): Promise<AccountUser> {
  const username = await host.userNames()?.nameOf(id)
  const { locale, createdAt } = (await profiles.get(id))?.data ?? {}
  return {
    id,
    name: name ?? null,
    email: email ?? null,
    emailVerified: emailVerified !== null && emailVerified !== undefined,
    image: image ?? null,
    username: username ?? null,
    // No plugin has telephone numbers.
    phone: null,
    locale: locale ?? null,
    createdAt: isTime(createdAt) ? new Date(createdAt).toISOString() : null,
    // The earlier name of `locale`.
    ...(locale !== undefined && { language: locale }),
  }
}

/** Returns a user, how the account is protected, and what can be added. */
export async function describeAccount(
  user: AdapterUser,
  session: Pick<SessionFacts, 'known'>,
  request: SiteRequest,
  own: Own,
): Promise<AccountInfo> {
  const { host } = own
  const accounts = await linkedAccounts(user.id, host)
  const passkeys = accounts.filter(({ type }) => type === 'webauthn').length
  const factors = host.plugins.factors()
  const { apps = 0, recovery } = (await factors?.held(user.id)) ?? {}
  const grace = await factors?.grace?.(user.id, request)
  const has = {
    password: await hasPassword(user.id, host),
    passkeys,
    totp: apps,
    recoveryCodes: recovery?.left ?? 0,
    connections: accounts.length - passkeys,
  }
  const canAdd = {
    passkey: passkeys === 0 && host.providers.newPasskeys() !== undefined,
    totp: apps === 0 && factors?.takesApps === true,
    password: !has.password && host.plugins.passwords() !== undefined,
  }
  const { amr = [], auth_time: authTime } = await session.known()
  return {
    user: await describeUser(user, own),
    has,
    acr: acrOf(amr),
    ...(authTime !== undefined && { authTime }),
    secondFactorBy: grace?.until.toISOString() ?? null,
    // No plugin has groups.
    groups: [],
    offers: (['passkey', 'totp', 'password'] as const).filter((way) => canAdd[way]),
  }
}
