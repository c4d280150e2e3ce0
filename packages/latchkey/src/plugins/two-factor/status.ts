import {
  type AdapterUser,
  dateText,
  type HeldFactors,
  type SiteRequest,
} from '../../entries/plugin.ts'
import { levelOf, methodsOf } from './flows/level.ts'
import type { Own } from './own.ts'
import type { TwoFactorKey } from './texts.ts'
import type { TwoFactorStatus } from './two-factor-api.ts'

/** Returns the second factors of a user, and what is required. @param request of the browser that asks */
export async function statusOf(
  user: AdapterUser,
  own: Own,
  request?: SiteRequest,
): Promise<TwoFactorStatus> {
  const { state, hasFactors, until } = await levelOf(user, own, request)
  const isDue = until !== undefined && until <= own.host.ports.now()
  const apps = await own.totp.list(user.id)
  const trusted = await own.browsers.list(user, state, request)
  return {
    required: until !== undefined,
    level: hasFactors || isDue ? 2 : 1,
    ...(until !== undefined && !hasFactors && { until: new Date(until).toISOString() }),
    factors: apps.map(({ key, data: { name, confirmedAt, lastUsedAt } }) => ({
      id: key,
      type: 'totp',
      name,
      createdAt: new Date(confirmedAt).toISOString(),
      lastUsedAt: new Date(lastUsedAt).toISOString(),
    })),
    passkeys: state.passkeys === true,
    email: state.email !== undefined,
    recoveryCodesLeft: await own.recovery.left(user.id),
    devices: trusted.length,
    trusted: trusted.map(({ shown }) => shown),
  }
}

/** Returns until when a user who must have a second factor and has none can do without, and the sentence that says it. */
export async function graceOf(
  userId: string,
  request: SiteRequest,
  own: Own,
): Promise<{ readonly until: Date; readonly text: string } | undefined> {
  const { store, ports, site } = own.host
  const user = await store?.getUser(userId)
  if (!user) return undefined
  const { hasFactors, until } = await levelOf(user, own, request)
  if (hasFactors || until === undefined || until <= ports.now()) return undefined
  // A passkey that is only a way in serves as the second factor as soon as one is needed.
  if ((await methodsOf(user, own)).length > 0) return undefined
  const { text, lang } = await site.text<TwoFactorKey>(request)
  const end = new Date(until)
  return { until: end, text: text('twoFactor:until', { date: dateText(end.toISOString(), lang) }) }
}

/** Returns the second factors of a user that are no passkeys, for other plugins. */
export async function heldFactors(
  userId: string,
  { states, totp, recovery }: Own,
): Promise<HeldFactors> {
  const [apps, state, left, madeAt] = await Promise.all([
    totp.list(userId),
    states.get(userId),
    recovery.left(userId),
    recovery.madeAt(userId),
  ])
  return {
    apps: apps.length,
    mailSince: state?.data.email,
    recovery: madeAt === undefined || left === 0 ? undefined : { madeAt, left },
  }
}
