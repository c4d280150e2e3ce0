import {
  type Budget,
  type EventMessages,
  encodeBase64url,
  type Host,
  type JsonObject,
  type ProviderClient,
  recordKind,
} from '../../../entries/plugin.ts'
import type { Grant, Tokens } from '../records/grant.ts'
import type { Settings } from '../settings.ts'

/** Records of tokens whose revocation failed. */
const KIND = 'token-revocation'

const MINUTE = 60_000
/** Milliseconds for which a revocation is repeated. */
const LIFETIME = 24 * 60 * MINUTE
/** Milliseconds between two attempts. */
const PAUSES = [MINUTE, 5 * MINUTE, 30 * MINUTE, 60 * MINUTE] as const

export type RevokedBy = EventMessages['providerTokensRevoked']['by']

/** Revokes tokens at providers. */
export interface Revoker {
  /**
   * Revokes deleted tokens, if the settings allow it, without delaying the response for long.
   *
   * @returns whether the provider has confirmed it.
   */
  revoke(grant: Pick<Grant, 'provider' | 'userId' | 'tokens'>, by: RevokedBy): Promise<boolean>
  /** Revokes tokens that were replaced before use, once. */
  giveBack(grant: Grant, client: ProviderClient): Promise<void>
  /** Repeats failed revocations. */
  retry(budget: Budget): Promise<void>
}

interface Waiting {
  readonly token: string
  readonly hint: 'access_token' | 'refresh_token'
}

/** The stored data of tokens whose revocation failed. */
interface FailedData {
  readonly provider: string
  /** The sealed tokens, bound to the record. */
  readonly sealed: string
  readonly tries: number
  /** When to try again, in milliseconds since the epoch. */
  readonly next: number
}

export function createRevoker(host: Host, settings: Settings): Revoker {
  const { ports } = host
  const failed = recordKind(host, KIND, {
    shape: failedData,
    onDamaged(_, report) {
      report('its tokens were not revoked at the provider')
      // A record without a provider is deleted.
      return { provider: '', sealed: '', tries: 0, next: 0 }
    },
  })

  async function store(provider: string, tokens: readonly Waiting[]): Promise<void> {
    const key = encodeBase64url(ports.random(24))
    const sealed = await host.keys.sealer(KIND).seal({ tokens: tokens as never }, { key })
    const now = ports.now()
    const data = { provider, sealed, tries: 1, next: now + PAUSES[0] }
    await failed.create({ key, data, expires: new Date(now + LIFETIME) })
  }

  return {
    async revoke(grant, by) {
      const { provider, userId, tokens = {} } = grant
      await host.tell('providerTokensRevoked', { provider, userId, by })
      const client = await host.providers.client(provider)
      if (!client || (client.rules.revoke ?? settings.revoke) === 'never') return false
      let isDone = false
      await host.work.background('provider-tokens-revoke', async () => {
        const waiting = [...tokensOf(tokens)]
        try {
          if (!(await client.canRevoke())) return
          while (waiting[0]) {
            await client.revoke(waiting[0].token, waiting[0].hint)
            waiting.shift()
          }
          isDone = true
        } catch (error) {
          if (host.hasRecords) await store(provider, waiting)
          throw error
        }
      })
      return isDone
    },
    async giveBack({ tokens = {} }, client) {
      // Revoking them would also revoke the tokens of the sign-in that replaced them.
      if (client.rules.revokesAll || settings.revoke === 'never') return
      const { refresh_token: token } = tokens
      if (token === undefined) return
      await host.work.background('provider-tokens-give-back', async () => {
        if (await client.canRevoke()) await client.revoke(token, 'refresh_token')
      })
    },
    async retry(budget) {
      if (!host.hasRecords) return
      for await (const record of failed.each()) {
        if (budget.isOver()) return
        const { key, data } = record
        if (data.next > ports.now()) continue
        const client = await host.providers.client(data.provider)
        const opened = await host.keys.sealer(KIND).open(data.sealed, { key })
        if (!client || !opened) {
          await failed.delete(key)
          continue
        }
        try {
          for (const { token, hint } of opened['tokens'] as unknown as Waiting[])
            await client.revoke(token, hint)
          await failed.delete(key)
        } catch {
          const pause = PAUSES[Math.min(data.tries, PAUSES.length - 1)] ?? MINUTE
          const next = ports.now() + pause
          await failed.replace(record, { data: { ...data, tries: data.tries + 1, next } })
        }
      }
    },
  }
}

function failedData({ provider, sealed, tries, next }: JsonObject): FailedData | undefined {
  const areTexts = typeof provider === 'string' && typeof sealed === 'string'
  return areTexts ? { provider, sealed, tries: Number(tries), next: Number(next) } : undefined
}

/** The refresh token first, since revoking it may also revoke the access token. */
function* tokensOf({ refresh_token, access_token }: Tokens): Iterable<Waiting> {
  if (refresh_token !== undefined) yield { token: refresh_token, hint: 'refresh_token' }
  if (access_token !== undefined) yield { token: access_token, hint: 'access_token' }
}
