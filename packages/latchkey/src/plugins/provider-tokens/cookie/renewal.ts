import {
  definedOnly,
  type Host,
  type JsonObject,
  type ProviderClient,
  scopesIn,
  type TokenAnswer,
  WITH_DAMAGED,
} from '../../../entries/plugin.ts'
import type { CookieMemory } from '../memory.ts'
import { isAboutAnother } from '../renewed.ts'
import type { Settings } from '../settings.ts'
import { tellRenewed } from '../told.ts'
import { endOf } from '../validity.ts'
import { type CookieRenewed, type Entry, newGeneration } from './content.ts'

/** Records of answers that other processes need for a while. */
const KIND = 'provider-tokens-grace'
/** Milliseconds within which nobody else renews. */
const LEASE = 15_000
/** Milliseconds that somebody waits for another process, and between two looks. */
const [LONGEST_WAIT, PAUSE, JITTER] = [16_000, 100, 200]
/** Milliseconds for which a provider is left alone that could not be asked, or refused. */
const REST = 5_000
/** Of so many renewals a process knows the answer. */
const MOST_KNOWN = 10_000

/** What is renewed, and whose it is. */
interface Asked {
  readonly entry: Entry
  readonly client: ProviderClient
  readonly userId: string
}

export type CookieRenewer = (asked: Asked) => Promise<CookieRenewed>

/**
 * Renews tokens of cookies: once for each refresh token in this process, and with a store of records in all others. Who
 * still brings the old cookie for a while is given the same answer.
 */
export function createCookieRenewer(
  host: Host,
  settings: Settings,
  memory: CookieMemory,
): CookieRenewer {
  const { ports, records, logger } = host
  const { running, known, paused } = memory
  const sealer = host.keys.sealer(KIND)

  async function ask({ entry, client, userId }: Asked, key: string): Promise<CookieRenewed> {
    const answer = await client.refresh(
      definedOnly({
        access_token: entry.a,
        refresh_token: entry.r,
        scope: entry.s,
        dpop: entry.k,
      }),
    )
    if (answer.kind === 'tokens' && !isAboutAnother(answer, { subject: entry.i })) {
      const fresh = renewed(entry, answer, client)
      await keep(key, fresh)
      await tellRenewed({ ...fresh, provider: client.id, userId }, { host, settings })
      return { kind: 'ok', entry: fresh }
    }
    paused.set(key, ports.now() + REST)
    if (answer.kind === 'unavailable') {
      void host.tell('providerTokensUnavailable', { provider: client.id, userId })
      logger.error(
        new Error(`the tokens of the provider ${client.id} could not be renewed`, {
          cause: answer.error,
        }),
      )
      return { kind: 'unavailable' }
    }
    const code = answer.kind === 'refused' ? answer.code : 'id_token_of_another'
    logger.warn('provider-tokens-refused', `${client.id}: ${code}`)
    return { kind: 'refused' }
  }

  function renewed(
    entry: Entry,
    { tokens }: Extract<TokenAnswer, { kind: 'tokens' }>,
    client: ProviderClient,
  ): Entry {
    const now = ports.now()
    return definedOnly({
      ...entry,
      a: tokens.access_token,
      r: tokens.refresh_token ?? entry.r,
      e: endOf(
        { expires_in: tokens.expires_in, isRenewable: true },
        now,
        client.rules.assumedLifetime ?? settings.assumedLifetime,
      ),
      s: tokens.scope ? scopesIn(tokens.scope).join(' ') : entry.s,
      t: tokens.token_type ?? entry.t,
      g: newGeneration(host),
      o: now,
      x: undefined,
    }) as Entry
  }

  async function keep(key: string, entry: Entry): Promise<void> {
    const until = ports.now() + settings.cookie.grace * 1000
    known.set(key, { entry, until })
    for (const oldest of known.keys()) {
      if (known.size <= MOST_KNOWN) break
      known.delete(oldest)
    }
    if (!host.hasRecords) return
    const sealed = await sealer.seal({ ...entry } as unknown as JsonObject, { key })
    await records.create({ kind: KIND, key, data: { sealed }, expires: new Date(until) })
  }

  async function kept(key: string): Promise<Entry | undefined> {
    const here = known.get(key)
    if (here && here.until > ports.now()) return here.entry
    const record = host.hasRecords ? await records.get(KIND, key, WITH_DAMAGED) : null
    if (!record) return undefined
    const opened = await sealer.open(String(record.data['sealed']), { key })
    return opened as unknown as Entry | undefined
  }

  async function attempt(asked: Asked, key: string): Promise<CookieRenewed> {
    for (let waited = 0; ; ) {
      const fresh = await kept(key)
      if (fresh) return { kind: 'ok', entry: fresh }
      if (!host.hasRecords) return ask(asked, key)
      const lease = await host.work.lease(`provider-tokens:${key}`, LEASE)
      if (lease) {
        try {
          const other = await kept(key)
          return other ? { kind: 'ok', entry: other } : await ask(asked, key)
        } finally {
          await lease.release().catch(() => undefined)
        }
      }
      if (waited >= LONGEST_WAIT) return { kind: 'unavailable' }
      const pause = PAUSE + Math.random() * JITTER
      await new Promise((resolve) => {
        setTimeout(resolve, pause)
      })
      waited += pause
    }
  }

  return async (asked) => {
    const key = await host.keys.hash('grace', asked.entry.r ?? '')
    const resting = paused.get(key)
    if (resting !== undefined && resting > ports.now()) return { kind: 'unavailable' }
    paused.delete(key)
    let work = running.get(key)
    if (!work) {
      work = attempt(asked, key).finally(() => running.delete(key))
      running.set(key, work)
    }
    return work
  }
}
