import {
  definedOnly,
  encodeBase64url,
  type Host,
  type Lease,
  type ProviderClient,
  scopesIn,
  type TokenAnswer,
  toError,
} from '../../entries/plugin.ts'
import {
  factsOf,
  type Grant,
  type GrantFacts,
  grantRecords,
  openGrant,
  sealGrant,
  type Tokens,
} from './grant.ts'
import { type Keeper, refreshEnd } from './keeper.ts'
import type { Memory, Renewed } from './memory.ts'
import { isAboutAnother, renewed } from './renewed.ts'
import type { Revoker } from './revocation.ts'
import type { Settings } from './settings.ts'
import { tellRenewed } from './told.ts'
import { endOf, furtherToken, works } from './validity.ts'

/** Milliseconds within which nobody else renews: a provider may take ten seconds to answer. */
const LEASE = 15_000
/** Milliseconds that somebody waits for another process. */
const LONGEST_WAIT = 16_000
/** Milliseconds between two looks, and what is added by chance, so that not all look at once. */
const [PAUSE, JITTER] = [100, 200]
/** Milliseconds for which a provider that could not be asked is left alone: the first time, and at most. */
const [FIRST_REST, LONGEST_REST] = [5_000, 60_000]
/** Milliseconds for which an answer is kept that the store cannot take. */
const KEPT = 60_000

export interface Renewer {
  /**
   * Renews tokens, once however many ask, in this process and others.
   *
   * @param seen what the caller found.
   * @param takesOld may the caller use the old access token while it works?
   * @param resource for which another access token is wanted (RFC 8707), beside the usual one.
   */
  renew(seen: Grant, client: ProviderClient, takesOld: boolean, resource?: string): Promise<Renewed>
}

interface Services {
  readonly host: Host
  readonly settings: Settings
  readonly memory: Memory
  readonly keeper: Keeper
  readonly revoker: Revoker
}

export function createRenewer({ host, settings, memory, keeper, revoker }: Services): Renewer {
  const { ports, logger } = host
  const records = grantRecords(host)
  const { running, paused, unsaved } = memory

  const ok = (grant: Grant): Renewed => ({ kind: 'ok', grant })
  const failed = (error: Extract<Renewed, { kind: 'failed' }>['error']): Renewed => ({
    kind: 'failed',
    error,
  })
  const judged = (grant: Grant): Renewed =>
    works(grant, ports.now()) ? ok(grant) : failed('RefreshTokenError')

  /** What another process brought; `undefined` where that is not what is wanted. */
  const since = (now: Grant, resource: string | undefined): Renewed | undefined => {
    if (resource === undefined || now.error) return judged(now)
    return furtherToken(now, resource, ports.now()) ? ok(now) : undefined
  }

  /** When the access token of an answer ends, seconds since the epoch. */
  const endFor = (
    { tokens }: Pick<Extract<TokenAnswer, { kind: 'tokens' }>, 'tokens'>,
    client: ProviderClient,
  ): number | undefined =>
    endOf(
      { expires_in: tokens.expires_in, isRenewable: true },
      ports.now(),
      client.rules.assumedLifetime ?? settings.assumedLifetime,
    )

  async function attempt(
    first: Grant,
    client: ProviderClient,
    takesOld: boolean,
    resource: string | undefined,
  ): Promise<Renewed> {
    const { key } = first
    let seen = first
    for (let waited = 0; ; ) {
      const lease = await host.work.lease(`provider-tokens:${key}`, LEASE)
      if (lease) {
        try {
          const result = await holding(lease, seen, client, resource)
          if (result) return result
          continue
        } finally {
          if (!unsaved.has(key)) await lease.release().catch(() => undefined)
        }
      }
      const now = await keeper.read(key)
      if (!now) return failed('NoToken')
      if (isOther(now, seen)) {
        const done = since(now, resource)
        if (done) return done
        seen = now
      }
      if (takesOld && works(now, ports.now())) return ok(now)
      if (waited >= LONGEST_WAIT) return failed('ProviderUnavailable')
      const pause = PAUSE + Math.random() * JITTER
      await sleep(pause)
      waited += pause
    }
  }

  /** Renews under the lease; `undefined` where somebody wrote the record meanwhile, to look again. */
  async function holding(
    lease: Lease,
    seen: Grant,
    client: ProviderClient,
    resource: string | undefined,
  ): Promise<Renewed | undefined> {
    const now = await keeper.read(seen.key)
    if (!now) return failed('NoToken')
    const done = isOther(now, seen) ? since(now, resource) : undefined
    if (done) return done
    if (!now.tokens?.refresh_token) return judged(now)
    const fence = encodeBase64url(ports.random(12))
    const trying = { at: ports.now(), fence }
    const record = await records.replace(now.record, { data: { ...now.record.data, trying } })
    if (!record) return undefined
    const marked: Grant = { ...now, trying, record }
    const answer = await client.refresh(
      definedOnly(now.tokens),
      resource === undefined ? {} : { resource },
    )
    switch (answer.kind) {
      case 'unavailable':
        return rest(now, answer.error, resource)
      case 'refused':
        return refuse(marked, answer.code, now.trying !== undefined)
      case 'tokens':
        paused.delete(pauseKey(now.key, resource))
        if (isAboutAnother(answer, now.tokens)) return refuse(marked, 'id_token_of_another', false)
        return save(marked, renewed(now.tokens, answer, resource, endFor(answer, client)), answer, {
          lease,
          client,
          resource,
        })
    }
  }

  /** The provider could not be asked: it is left alone for a while, and nothing is stored. */
  function rest(grant: Grant, error: Error, resource: string | undefined): Renewed {
    const key = pauseKey(grant.key, resource)
    const before = paused.get(key)?.pause ?? FIRST_REST / 2
    const pause = Math.min(before * 2, LONGEST_REST)
    paused.set(key, { until: ports.now() + pause, pause })
    const { provider, userId } = grant
    void host.tell('providerTokensUnavailable', { provider, userId })
    logger.error(
      new Error(`the tokens of the provider ${provider} could not be renewed`, {
        cause: error,
      }),
    )
    return failed('ProviderUnavailable')
  }

  /** The provider will not. Nobody asks again until there is another sign-in. */
  async function refuse(grant: Grant, code: string, lost: boolean): Promise<Renewed> {
    const error = { code, at: ports.now(), gen: grant.gen, ...(lost && { lost: true as const }) }
    const written = await records.update(grant.record, (data) =>
      isOther(data, grant) ? undefined : { data: { ...data, error, trying: undefined } },
    )
    if (!written?.isChanged) {
      const now = await openGrant(written?.record ?? null, host)
      return now ? judged(now) : failed('RefreshTokenError')
    }
    const { provider, userId } = grant
    logger.warn('provider-tokens-refused', `${provider}: ${code}`)
    await host.tell('providerTokensFailed', {
      provider,
      userId,
      error: code,
      ...(lost && { lost: true as const }),
    })
    return failed('RefreshTokenError')
  }

  /** Stores what came, over whatever was written meanwhile, but another grant. */
  async function save(
    marked: Grant,
    tokens: Tokens,
    { tokens: answer }: Extract<TokenAnswer, { kind: 'tokens' }>,
    {
      lease,
      client,
      resource,
    }: { lease: Lease; client: ProviderClient; resource: string | undefined },
  ): Promise<Renewed> {
    const now = ports.now()
    const facts: GrantFacts = {
      ...factsOf(marked),
      // A token for a resource leaves the usual one as it is.
      ...(resource === undefined && {
        expires_at: endFor({ tokens: answer }, client),
        scope: answer.scope ? scopesIn(answer.scope) : marked.scope,
        obtained: now,
      }),
      refresh_expires_at: answer.refresh_token
        ? refreshEnd(answer, now)
        : marked.refresh_expires_at,
      error: undefined,
      trying: undefined,
    }
    const write = async (): Promise<Renewed> => {
      const written = await records.update(marked.record, async (data, { key, userId = '' }) => {
        if (data.grant !== marked.grant) return undefined
        const next = { ...facts, gen: data.gen + 1 }
        return { data: await sealGrant({ key, userId, facts: next, tokens }, host) }
      })
      if (!written?.isChanged) {
        const base = await openGrant(written?.record ?? null, host)
        // Disconnected meanwhile, or connected again.
        if (base?.tokens?.refresh_token !== tokens.refresh_token)
          await revoker.giveBack({ ...marked, tokens }, client)
        return base ? judged(base) : failed('NoToken')
      }
      const { record } = written
      const grant = { ...marked, ...facts, gen: record.data.gen, tokens, record }
      await told(grant)
      return ok(grant)
    }
    try {
      return await write()
    } catch (error) {
      logger.error(toError(error))
      const grant: Grant = { ...marked, ...facts, gen: marked.gen + 1, tokens }
      keepTrying(grant, lease, write)
      return ok(grant)
    }
  }

  /** The store is away: the tokens are handed out from memory, and written as soon as it is back. */
  function keepTrying(grant: Grant, lease: Lease, write: () => Promise<Renewed>): void {
    unsaved.set(grant.key, grant)
    void host.work.background('provider-tokens-unsaved', async () => {
      let pause = PAUSE
      let reason: unknown
      for (let waited = 0; waited < KEPT; waited += pause, pause = Math.min(pause * 2, 5_000)) {
        await sleep(pause)
        if (unsaved.get(grant.key) !== grant) return
        try {
          await lease.extend(LEASE)
          await write()
          unsaved.delete(grant.key)
          await lease.release()
          return
        } catch (error) {
          reason = error
        }
      }
      unsaved.delete(grant.key)
      throw new Error(
        `renewed tokens of the provider ${grant.provider} could not be stored within a minute, and are lost`,
        { cause: reason },
      )
    })
  }

  async function told(grant: Grant): Promise<void> {
    const { provider, userId, account, expires_at } = grant
    await keeper.writeRow(grant).catch((error: unknown) => logger.error(toError(error)))
    await tellRenewed({ provider, userId, n: account, e: expires_at }, { host, settings })
  }

  return {
    async renew(seen, client, takesOld, resource) {
      const key = pauseKey(seen.key, resource)
      const resting = paused.get(key)
      if (resting && resting.until > ports.now() && !running.has(key))
        return takesOld && works(seen, ports.now()) ? ok(seen) : failed('ProviderUnavailable')
      let work = running.get(key)
      if (!work) {
        work = attempt(seen, client, takesOld, resource).finally(() => running.delete(key))
        running.set(key, work)
      }
      const result = await work
      const isAway = result.kind === 'failed' && result.error === 'ProviderUnavailable'
      return isAway && takesOld && works(seen, ports.now()) ? ok(seen) : result
    },
  }
}

/** Was it renewed, replaced or refused since? */
function isOther(now: GrantFacts, seen: GrantFacts): boolean {
  return now.grant !== seen.grant || now.gen !== seen.gen || now.error !== undefined
}

/** Attempts for resources are others than those for the usual token. */
function pauseKey(key: string, resource: string | undefined): string {
  return resource === undefined ? key : `${key} ${resource}`
}

const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds)
  })
