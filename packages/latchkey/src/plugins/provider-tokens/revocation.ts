import {
  type Budget,
  type EventMessages,
  encodeBase64url,
  type Host,
  type JsonObject,
  type ProviderClient,
  recordKind,
} from '../../entries/plugin.ts'
import type { Grant, Tokens } from './grant.ts'
import type { Settings } from './settings.ts'

/** Records of tokens that a provider could not be told to revoke. */
const KIND = 'token-revocation'

const MINUTE = 60_000
/** Milliseconds for which it is tried. */
const LIFETIME = 24 * 60 * MINUTE
/** Milliseconds between one try and the next. */
const PAUSES = [MINUTE, 5 * MINUTE, 30 * MINUTE, 60 * MINUTE] as const

export type RevokedBy = EventMessages['providerTokensRevoked']['by']

/** Revokes tokens at providers. */
export interface Revoker {
  /**
   * Revokes tokens that were forgotten, as far as they are to be, without letting an answer wait for long.
   *
   * @returns whether the provider has done it already.
   */
  revoke(grant: Pick<Grant, 'provider' | 'userId' | 'tokens'>, by: RevokedBy): Promise<boolean>
  /** Revokes tokens that nobody will use, once: others took their place. */
  giveBack(grant: Grant, client: ProviderClient): Promise<void>
  /** Tries again what failed. */
  retry(budget: Budget): Promise<void>
}

interface Waiting {
  readonly token: string
  readonly hint: 'access_token' | 'refresh_token'
}

/** What is stored of tokens that could not be revoked. */
interface FailedData {
  readonly provider: string
  /** The tokens, bound to the record. */
  readonly sealed: string
  readonly tries: number
  /** When to try again, milliseconds since the epoch. */
  readonly next: number
}

export function createRevoker(host: Host, settings: Settings): Revoker {
  const { ports } = host
  const failed = recordKind(host, KIND, {
    shape: failedData,
    onDamaged(_, report) {
      report('its tokens were not revoked at the provider')
      // The record of no provider is removed.
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
      // The tokens of the sign-in that took their place would end, too.
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

/** The refresh token first: with it others end, too. */
function* tokensOf({ refresh_token, access_token }: Tokens): Iterable<Waiting> {
  if (refresh_token !== undefined) yield { token: refresh_token, hint: 'refresh_token' }
  if (access_token !== undefined) yield { token: access_token, hint: 'access_token' }
}
