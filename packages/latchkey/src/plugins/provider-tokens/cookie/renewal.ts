import {
  definedOnly,
  type Host,
  type JsonObject,
  type ProviderClient,
  recordKind,
  renewOnce,
  scopesIn,
  type TokenAnswer,
  type TokenShelf,
} from '../../../entries/plugin.ts'
import type { CookieMemory } from '../renewal/memory.ts'
import { tellRenewed } from '../renewal/told.ts'
import type { Settings } from '../settings.ts'
import { endOf } from '../validity.ts'
import { type CookieRenewed, type Entry, newGeneration } from './content.ts'

/** Records of results that other processes need for a while. */
const KIND = 'provider-tokens-grace'
/** Milliseconds for which a renewal holds its lease. */
const LEASE = 15_000
/** Milliseconds of the pause after a failure or a refusal of the provider: the first and the longest. */
const RESTS = [5_000, 60_000] as const
/** The largest number of results that a process keeps. */
const MOST_KNOWN = 10_000

/** The tokens to renew, and their owner. */
interface Asked {
  readonly entry: Entry
  readonly client: ProviderClient
  readonly userId: string
}

export type CookieRenewer = (asked: Asked) => Promise<CookieRenewed>

interface Services {
  readonly host: Host
  readonly settings: Settings
  readonly memory: CookieMemory
}

/**
 * Creates the renewer of tokens in cookies. It renews once for each refresh token in this process, and in all processes
 * if there is a store of records. Requests with the old cookie receive the same result for a while.
 */
export function createCookieRenewer(
  host: Host,
  settings: Settings,
  memory: CookieMemory,
): CookieRenewer {
  const answers = createAnswers({ host, settings, memory })
  return async (asked) => {
    const key = await host.keys.hash('grace', asked.entry.r ?? '')
    return renewOnce(cookieShelf(key, asked, answers, { host, settings, memory }), {
      memory,
      ports: host.ports,
      refresh: (tokens) => asked.client.refresh(tokens),
    })
  }
}

/**
 * Returns a cookie as a shelf of tokens. Only the browser can store the cookie, so new tokens are returned to the
 * caller.
 */
function cookieShelf(
  key: string,
  { entry, client, userId }: Asked,
  answers: Answers,
  { host, settings, memory }: Services,
): TokenShelf<CookieRenewed> {
  const { ports, logger } = host
  const away: CookieRenewed = { kind: 'unavailable' }
  return {
    key,
    rests: RESTS,
    async acquire() {
      // A stored result needs no lease.
      if (await answers.find(key)) return null
      if (!host.hasRecords) return { release: async () => undefined }
      return host.work.lease(`provider-tokens:${key}`, LEASE)
    },
    async read(isOurs) {
      const fresh = await answers.find(key)
      if (fresh) return { result: { kind: 'ok', entry: fresh } }
      const { a, r, s, k, i } = entry
      const tokens = definedOnly({ access_token: a, refresh_token: r, scope: s, dpop: k })
      return isOurs ? { due: { tokens, subject: i } } : undefined
    },
    async write(answer) {
      const fresh = renewed(entry, answer, client, { host, settings })
      await answers.keep(key, fresh)
      await tellRenewed({ ...fresh, provider: client.id, userId }, { host, settings })
      return { kind: 'ok', entry: fresh }
    },
    async refuse({ code }) {
      const [pause] = RESTS
      // Another process may have renewed the tokens, and the browser may send them soon.
      memory.paused.set(key, { until: ports.now() + pause, pause, result: () => away })
      logger.warn('provider-tokens-refused', `${client.id}: ${code}`)
      return { kind: 'refused' }
    },
    report(error) {
      void host.tell('providerTokensUnavailable', { provider: client.id, userId })
      logger.error(
        new Error(`the tokens of the provider ${client.id} could not be renewed`, { cause: error }),
      )
    },
    unavailable: () => away,
  }
}

function renewed(
  entry: Entry,
  { tokens }: Extract<TokenAnswer, { kind: 'tokens' }>,
  client: ProviderClient,
  { host, settings }: Pick<Services, 'host' | 'settings'>,
): Entry {
  const now = host.ports.now()
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

/** The results of renewals, by a hash of the refresh token. */
interface Answers {
  find(key: string): Promise<Entry | undefined>
  /** Stores a result for requests that still have the old cookie. */
  keep(key: string, entry: Entry): Promise<void>
}

function createAnswers({ host, settings, memory: { known } }: Services): Answers {
  const sealer = host.keys.sealer(KIND)
  const records = recordKind(host, KIND, {
    shape: ({ sealed }) => (typeof sealed === 'string' ? { sealed } : undefined),
    hasSecretKeys: true,
  })
  return {
    async find(key) {
      const here = known.get(key)
      if (here && here.until > host.ports.now()) return here.entry
      const record = host.hasRecords ? await records.get(key) : null
      if (!record) return undefined
      return (await sealer.open(record.data.sealed, { key })) as unknown as Entry | undefined
    },
    async keep(key, entry) {
      const until = host.ports.now() + settings.cookie.grace * 1000
      known.set(key, { entry, until })
      for (const oldest of known.keys()) {
        if (known.size <= MOST_KNOWN) break
        known.delete(oldest)
      }
      if (!host.hasRecords) return
      const sealed = await sealer.seal({ ...entry } as unknown as JsonObject, { key })
      await records.create({ key, data: { sealed }, expires: new Date(until) })
    },
  }
}
