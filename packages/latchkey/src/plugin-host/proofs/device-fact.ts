import { definedOnly } from '../../base/encoding/defined-only.ts'
import type { HostAttempts } from '../../plugin/attempts.ts'
import type { FactorControl } from '../../plugin/provides.ts'
import type { DeviceFact } from '../../session/facts.ts'
import type { Proof } from '../../session/strategy.ts'
import type { SessionHooks } from '../../session/watch.ts'

/** Returns what the browser was to its user before; `undefined` for a program, and if no plugin knows browsers. */
export async function deviceFact(
  userId: string,
  { user: { email }, request, holder }: Proof,
  attempts: Pick<HostAttempts, 'areLimited' | 'isKnownBrowser'>,
  factors: FactorControl | undefined,
): Promise<DeviceFact | undefined> {
  if (holder || !attempts.areLimited) return undefined
  if (!(await attempts.isKnownBrowser(userId, request))) return 'new'
  const isTrusted = await factors?.isTrusted({ id: userId, email: email ?? '' }, request)
  return isTrusted ? 'trusted' : 'known'
}

/** Returns whether a value says what a browser was to its user. */
export function isDeviceFact(value: unknown): value is DeviceFact {
  return value === 'known' || value === 'new' || value === 'trusted'
}

/** Returns what a browser was to a user who signs in. */
export type DeviceOf = (userId: string, proof: Proof) => Promise<DeviceFact | undefined>

/** Keeps it in sealed sessions, if the plugin `sessions` does not. */
export function sealedFacts(deviceOf: DeviceOf): SessionHooks {
  return {
    claims: ['device'],
    beforeIssue: async ({ userId = '' }, proof) =>
      definedOnly({ device: await deviceOf(userId, proof) }),
    async onRenew(from) {
      const { device } = await from.known()
      return definedOnly({ device })
    },
  }
}
