import { definedOnly } from '../../base/encoding/defined-only.ts'
import { isTexts, isTime } from '../../model/damaged-record.ts'
import type { Host } from '../../plugin/host.ts'
import { recordKind } from '../../plugin/record-kind.ts'
import type { DeviceFact, MethodTimes, SessionFacts } from '../../session/facts.ts'
import { acrOf } from '../../session/proof/factors.ts'
import { isMethodTimes } from '../../session/proof/method-times.ts'
import { provedBy } from '../../session/proof/proof-facts.ts'
import type { Renewal } from '../../session/strategy.ts'
import type { SessionHooks } from '../../session/watch.ts'
import { type DeviceOf, isDeviceFact } from './device-fact.ts'

/** What a stored session says about its proof. The key is the public id of the session. */
type StoredFacts = {
  readonly auth_time: number
  readonly second_time?: number
  readonly amr: readonly string[]
  readonly amr_times?: MethodTimes
  readonly device?: DeviceFact
}

/**
 * Keeps the time and the methods of the proof of stored sessions, if the plugin `sessions` does not. Reading a session does not
 * read them.
 */
export function storedFacts(
  host: Pick<Host, 'records' | 'ports' | 'logger'>,
  deviceOf: DeviceOf,
): SessionHooks {
  const kept = recordKind<StoredFacts>(host, 'session-facts', {
    shape: ({ auth_time, second_time, amr, amr_times, device }) =>
      isTime(auth_time) && isTexts(amr)
        ? {
            auth_time,
            amr,
            ...(isTime(second_time) && { second_time }),
            ...(isMethodTimes(amr_times) && { amr_times }),
            ...(isDeviceFact(device) && { device }),
          }
        : undefined,
    onDamaged: 'its session has no recent proof of identity',
  })

  async function store(
    session: SessionFacts,
    proof: Renewal,
    device: DeviceFact | undefined,
  ): Promise<void> {
    const { acr: _, ...proved } = provedBy(proof)
    const data = { ...proved, ...definedOnly({ device }) }
    const { userId, expires } = session
    await kept.create({
      key: await session.sid(),
      userId,
      data,
      expires: new Date(expires),
    })
  }

  return {
    async beforeIssue(session, proof) {
      await store(session, proof, await deviceOf(session.userId ?? '', proof))
      return undefined
    },
    async onRenew(from, to, proof) {
      await store(to, proof, (await kept.get(await from.sid()))?.data.device)
      return undefined
    },
    async afterRenew(from) {
      await kept.delete(await from.sid())
    },
    async onExtend(session, until) {
      const expires = new Date(until)
      await kept.update(await session.sid(), (data) => ({ data, expires }))
      return 'extend' as const
    },
    async onEnd(session) {
      await kept.delete(await session.sid())
    },
    async known(session) {
      const record = await kept.get(await session.sid())
      return record ? { ...record.data, acr: acrOf(record.data.amr) } : undefined
    },
  }
}
