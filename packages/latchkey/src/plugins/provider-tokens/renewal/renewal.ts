import {
  definedOnly,
  encodeBase64url,
  type Host,
  type Lease,
  type ProviderClient,
  renewOnce,
  type TokenShelf,
} from '../../../entries/plugin.ts'
import { type Grant, type GrantFacts, grantRecords, openGrant } from '../records/grant.ts'
import { furtherToken, works } from '../validity.ts'
import { failed, judged, ok, type Renewed, type RenewerServices } from './renewal-result.ts'
import { LEASE, saveRenewed } from './save-renewed.ts'

/** Milliseconds of the pause after a failure of the provider: the first and the longest. */
const RESTS = [5_000, 60_000] as const

export interface Renewer {
  /**
   * Renews tokens, once for all concurrent callers in this process and others.
   *
   * @param seen the grant that the caller read.
   * @param takesOld whether the caller accepts the old access token while it is valid.
   * @param resource the resource of a separate access token (RFC 8707).
   */
  renew(seen: Grant, client: ProviderClient, takesOld: boolean, resource?: string): Promise<Renewed>
}

/** The parameters of {@link Renewer.renew}. */
interface Asked {
  readonly seen: Grant
  readonly client: ProviderClient
  readonly takesOld: boolean
  readonly resource: string | undefined
}

export function createRenewer(services: RenewerServices): Renewer {
  const { host, memory } = services
  const { ports } = host
  return {
    async renew(seen, client, takesOld, resource) {
      const result = await renewOnce(recordShelf({ seen, client, takesOld, resource }, services), {
        memory,
        ports,
        refresh: (tokens) => client.refresh(tokens, resource === undefined ? {} : { resource }),
      })
      const isAway = result.kind === 'failed' && result.error === 'ProviderUnavailable'
      return isAway && takesOld && works(seen, ports.now()) ? ok(seen) : result
    },
  }
}

/** Returns the record of an account as a shelf of tokens. */
function recordShelf(asked: Asked, services: RenewerServices): TokenShelf<Renewed> {
  const { client, takesOld, resource } = asked
  const { host, memory, keeper } = services
  const { ports, logger } = host
  const { key, provider, userId } = asked.seen
  let { seen } = asked
  let lease: Lease | null = null
  /** The grant as it was when the request was sent, and whether an earlier renewal was left unfinished. */
  let begun: { readonly marked: Grant; readonly wasTrying: boolean } | undefined
  return {
    // Attempts for a resource are separate from those for the usual token.
    key: resource === undefined ? key : `${key} ${resource}`,
    rests: RESTS,
    async acquire() {
      const held = await host.work.lease(`provider-tokens:${key}`, LEASE)
      lease = held
      return (
        held && {
          async release() {
            if (!memory.unsaved.has(key)) await held.release()
          },
        }
      )
    },
    async read(isOurs) {
      const now = await keeper.read(key)
      if (!now) return { result: failed('NoToken') }
      const result = isOther(now, seen) ? since(now, resource, host) : undefined
      if (result) return { result }
      if (!isOurs) {
        seen = now
        return takesOld && works(now, ports.now()) ? { result: ok(now) } : undefined
      }
      if (!now.tokens?.refresh_token) return { result: judged(now, host) }
      const marked = await mark(now, host)
      // Another process wrote the record meanwhile.
      if (!marked) return undefined
      begun = { marked, wasTrying: now.trying !== undefined }
      const { subject } = now.tokens
      return { due: { tokens: definedOnly(now.tokens), subject } }
    },
    async write(answer) {
      if (!begun || !lease) throw new TypeError('tokens are written after they are read')
      return saveRenewed({ marked: begun.marked, client, lease, resource }, answer, services)
    },
    async refuse({ code }) {
      if (!begun) throw new TypeError('tokens are refused after they are read')
      // The response to an earlier renewal may have been lost.
      const isLost = begun.wasTrying && code !== 'id_token_of_another'
      return refuse(begun.marked, code, isLost, host)
    },
    report(error) {
      void host.tell('providerTokensUnavailable', { provider, userId })
      logger.error(
        new Error(`the tokens of the provider ${provider} could not be renewed`, { cause: error }),
      )
    },
    unavailable: () => failed('ProviderUnavailable'),
  }
}

/** Returns the result of another process; `undefined` if it is not the wanted one. */
function since(now: Grant, resource: string | undefined, host: Host): Renewed | undefined {
  if (resource === undefined || now.error) return judged(now, host)
  return furtherToken(now, resource, host.ports.now()) ? ok(now) : undefined
}

/** Marks the beginning of a renewal. @returns `undefined` if another process wrote the record meanwhile. */
async function mark(grant: Grant, host: Host): Promise<Grant | undefined> {
  const trying = { at: host.ports.now(), fence: encodeBase64url(host.ports.random(12)) }
  const data = { ...grant.record.data, trying }
  const record = await grantRecords(host).replace(grant.record, { data })
  return record ? { ...grant, trying, record } : undefined
}

/** Stores a refusal of the provider. No request is sent until the next sign-in. */
async function refuse(grant: Grant, code: string, lost: boolean, host: Host): Promise<Renewed> {
  const { provider, userId, gen } = grant
  const wasLost = lost && { lost: true as const }
  const error = { code, at: host.ports.now(), gen, ...wasLost }
  const written = await grantRecords(host).update(grant.record, (data) =>
    isOther(data, grant) ? undefined : { data: { ...data, error, trying: undefined } },
  )
  if (!written?.isChanged) {
    const now = await openGrant(written?.record ?? null, host)
    return now ? judged(now, host) : failed('RefreshTokenError')
  }
  host.logger.warn('provider-tokens-refused', `${provider}: ${code}`)
  await host.tell('providerTokensFailed', { provider, userId, error: code, ...wasLost })
  return failed('RefreshTokenError')
}

/** Returns whether the grant was renewed, replaced or refused since. */
function isOther(now: GrantFacts, seen: GrantFacts): boolean {
  return now.grant !== seen.grant || now.gen !== seen.gen || now.error !== undefined
}
