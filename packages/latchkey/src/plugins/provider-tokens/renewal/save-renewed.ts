import {
  type Lease,
  type ProviderClient,
  scopesIn,
  type TokenAnswer,
  toError,
} from '../../../entries/plugin.ts'
import {
  factsOf,
  type Grant,
  type GrantFacts,
  grantRecords,
  openGrant,
  sealGrant,
  type Tokens,
} from '../records/grant.ts'
import { refreshEnd } from '../records/keeper.ts'
import { endOf } from '../validity.ts'
import { failed, judged, ok, type Renewed, type RenewerServices } from './renewal-result.ts'
import { renewed } from './renewed.ts'
import { tellRenewed } from './told.ts'

/** Milliseconds for which a renewal holds its lease. A provider may take ten seconds to respond. */
export const LEASE = 15_000
/** Milliseconds for which renewed tokens are kept while the store fails. */
const KEPT = 60_000
/** Milliseconds between two attempts to store them: the first and the longest. */
const [FIRST_PAUSE, LONGEST_PAUSE] = [100, 5_000]

/** A renewal with the response of the provider. */
export interface AnsweredRenewal {
  /** The grant as it was when the request was sent. */
  readonly marked: Grant
  readonly client: ProviderClient
  readonly lease: Lease
  /** The resource of the access token, if it is not the usual one. */
  readonly resource: string | undefined
}

/** Stores renewed tokens over any change that was written meanwhile, except another grant. */
export async function saveRenewed(
  renewal: AnsweredRenewal,
  answer: Extract<TokenAnswer, { kind: 'tokens' }>,
  services: RenewerServices,
): Promise<Renewed> {
  const { marked, client, resource } = renewal
  const { host, settings } = services
  const now = host.ports.now()
  const { expires_in, scope, refresh_token } = answer.tokens
  const assumed = client.rules.assumedLifetime ?? settings.assumedLifetime
  const expires_at = endOf({ expires_in, isRenewable: true }, now, assumed)
  const tokens = renewed(marked.tokens ?? {}, answer, resource, expires_at)
  const facts: GrantFacts = {
    ...factsOf(marked),
    // A token for a resource leaves the usual one unchanged.
    ...(resource === undefined && {
      expires_at,
      scope: scope ? scopesIn(scope) : marked.scope,
      obtained: now,
    }),
    refresh_expires_at: refresh_token ? refreshEnd(answer.tokens, now) : marked.refresh_expires_at,
    error: undefined,
    trying: undefined,
  }
  const write = (): Promise<Renewed> => writeRenewed(renewal, facts, tokens, services)
  try {
    return await write()
  } catch (error) {
    host.logger.error(toError(error))
    const grant: Grant = { ...marked, ...facts, gen: marked.gen + 1, tokens }
    keepTrying(grant, renewal.lease, write, services)
    return ok(grant)
  }
}

async function writeRenewed(
  { marked, client }: AnsweredRenewal,
  facts: GrantFacts,
  tokens: Tokens,
  services: RenewerServices,
): Promise<Renewed> {
  const { host, revoker } = services
  const { record: before, key, userId } = marked
  const written = await grantRecords(host).update(before, async (data) => {
    if (data.grant !== marked.grant) return undefined
    const next = { ...facts, gen: data.gen + 1 }
    return { data: await sealGrant({ key, userId, facts: next, tokens }, host) }
  })
  if (!written?.isChanged) {
    const now = await openGrant(written?.record ?? null, host)
    // The account was disconnected or reconnected meanwhile.
    if (now?.tokens?.refresh_token !== tokens.refresh_token)
      await revoker.giveBack({ ...marked, tokens }, client)
    return now ? judged(now, host) : failed('NoToken')
  }
  const { record } = written
  const grant = { ...marked, ...facts, gen: record.data.gen, tokens, record }
  await tell(grant, services)
  return ok(grant)
}

async function tell(grant: Grant, { host, settings, keeper }: RenewerServices): Promise<void> {
  const { provider, userId, account, expires_at } = grant
  await keeper.writeRow(grant).catch((error: unknown) => host.logger.error(toError(error)))
  await tellRenewed({ provider, userId, n: account, e: expires_at }, { host, settings })
}

/** Returns tokens from memory while the store fails, and writes them as soon as it works. */
function keepTrying(
  grant: Grant,
  lease: Lease,
  write: () => Promise<Renewed>,
  { host, memory: { unsaved } }: RenewerServices,
): void {
  unsaved.set(grant.key, grant)
  void host.work.background('provider-tokens-unsaved', async () => {
    let pause = FIRST_PAUSE
    let reason: unknown
    for (
      let waited = 0;
      waited < KEPT;
      waited += pause, pause = Math.min(pause * 2, LONGEST_PAUSE)
    ) {
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

const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds)
  })
