import {
  type Account,
  type AdapterAccount,
  definedOnly,
  encodeBase64url,
  type Host,
  type ProofKey,
  scopesIn,
  type TokenSet,
  type TokenSubject,
} from '../../../entries/plugin.ts'
import type { Memory } from '../renewal/memory.ts'
import type { Settings } from '../settings.ts'
import { endOf, isNarrower, isRenewable } from '../validity.ts'
import {
  claimsIn,
  factsOf,
  type Grant,
  type GrantData,
  type GrantFacts,
  grantRecords,
  keyOf,
  openGrant,
  sealGrant,
  type Tokens,
} from './grant.ts'
import { rowsOf, type TokenRows } from './rows.ts'

/** Stores the tokens of accounts as records. */
export interface Keeper {
  /**
   * Stores the tokens of a sign-in.
   *
   * @param answer the complete token response.
   * @param asked the requested scopes.
   * @param dpop the key to which the tokens are bound.
   */
  keep(account: AdapterAccount, answer: Account, asked?: string, dpop?: ProofKey): Promise<void>
  /** Stores tokens from another place, unless there is a record already. */
  move(account: AdapterAccount): Promise<void>
  /**
   * Moves the tokens of a row into a record, unless there is one already. Of concurrent calls, one moves them.
   *
   * @returns whether there is a record of this user that can be opened. Otherwise the row stays as it is.
   */
  moveRow(row: AdapterAccount): Promise<boolean>
  /**
   * Returns the tokens of a user from a provider. If there are several accounts, it returns those of the latest
   * sign-in.
   */
  find(userId: string, provider: string): Promise<Grant | undefined>
  /** Returns the tokens of a user from all providers. */
  all(userId: string): Promise<Grant[]>
  /** Returns the stored tokens. */
  read(key: string): Promise<Grant | undefined>
  /** Deletes tokens, and returns them to one of any number of concurrent calls. */
  forget(key: string): Promise<Grant | undefined>
  /**
   * Changes tokens of the same generation.
   *
   * @param change called again if another call was faster, unless the grant was replaced.
   */
  rewrite(grant: Grant, change: (tokens: Tokens) => Tokens): Promise<void>
  /** Writes renewed tokens into the row, if the row has tokens. */
  writeRow(grant: Grant): Promise<void>
}

export function createKeeper(host: Host, settings: Settings, memory: Memory): Keeper {
  const { ports } = host
  const records = grantRecords(host)
  const rows: TokenRows = rowsOf(host, settings)

  const read: Keeper['read'] = async (key) => openGrant(await records.get(key), host)

  const all: Keeper['all'] = async (userId) => {
    const grants: Grant[] = []
    for await (const record of records.each(userId)) {
      const grant = await openGrant(record, host)
      if (grant) grants.push(memory.unsaved.get(grant.key) ?? grant)
    }
    return grants
  }

  const moveRow = async (row: AdapterAccount): Promise<Grant | undefined> => {
    const { userId } = row
    const { key, data } = await recordOf({ account: row, answer: row, before: undefined })
    await records.create({ key, userId, data })
    const grant = await read(key)
    if (grant?.userId !== userId || !grant.tokens) return undefined
    await rows.clear(row)
    return grant
  }

  async function adopt(userId: string, provider: string): Promise<Grant | undefined> {
    // Sessions have renewed the tokens of the row since. A strict provider would revoke the grant if the old ones were
    // used.
    if (settings.adopted.some((each) => each.provider === provider)) return undefined
    const row = await rows.find(userId, provider)
    const client = row && (await host.providers.client(provider))
    return row && client ? moveRow(row) : undefined
  }

  async function recordOf({
    account,
    answer,
    before,
    asked,
    dpop,
  }: {
    account: AdapterAccount
    answer: TokenSet
    asked?: string | undefined
    dpop?: ProofKey | undefined
    before: Pick<Grant, 'tokens'> | undefined
  }): Promise<{ key: string; data: GrantData }> {
    const { provider, providerAccountId, userId } = account
    const client = await host.providers.client(provider)
    const key = await keyOf(provider, providerAccountId)
    const tokens = tokensOf(account, settings)
    // Google sends a refresh token at the first consent only.
    const refresh_token = tokens.refresh_token ?? before?.tokens?.refresh_token
    const now = ports.now()
    const facts: GrantFacts = {
      provider,
      account: providerAccountId,
      grant: encodeBase64url(ports.random(16)),
      gen: 0,
      expires_at:
        numberOf(account.expires_at) ??
        endOf(
          { expires_in: undefined, isRenewable: refresh_token !== undefined },
          now,
          client?.rules.assumedLifetime ?? settings.assumedLifetime,
        ),
      refresh_expires_at: refreshEnd(answer, now),
      scope: scopesOf(account, client?.scopes ?? []),
      obtained: now,
      ...(asked !== undefined && { asked: scopesIn(asked) }),
    }
    const kept = { ...tokens, refresh_token, dpop }
    const data = await sealGrant({ key, userId, facts, tokens: kept }, host)
    return { key, data }
  }

  return {
    all,
    read,
    moveRow: async (row) => (await moveRow(row)) !== undefined,
    writeRow: (grant) => rows.write(grant),
    async rewrite(grant, change) {
      await records.update(grant.record, async (_, record) => {
        const now = await openGrant(record, host)
        if (!now?.tokens || now.grant !== grant.grant) return undefined
        const { key, userId } = now
        const tokens = change(now.tokens)
        return { data: await sealGrant({ key, userId, facts: factsOf(now), tokens }, host) }
      })
    },
    async keep(account, answer, asked, dpop) {
      const { provider, providerAccountId, userId } = account
      if (!(await host.providers.client(provider))) return
      const key = await keyOf(provider, providerAccountId)
      const scope = scopesOf(account, (await host.providers.client(provider))?.scopes ?? [])
      const row = await rows.leftover(account)
      let isEmpty = false
      const isKept = await records.upsert(key, async (known, stored) => {
        const found = stored && known && (await openGrant({ ...stored, data: known }, host))
        // The account belonged to another user before, or the record is damaged.
        if (stored && found?.userId !== userId) await records.delete(key)
        const before = found?.userId === userId ? found : undefined
        const old = before ?? (row && { tokens: tokensOf(row, settings) })
        const refresh = account.refresh_token ?? old?.tokens?.refresh_token
        isEmpty = !(account.access_token ?? refresh)
        if (isEmpty || (before && keepsOld(before, scope, settings, ports.now()))) return undefined
        const { data } = await recordOf({ account, answer, before: old, asked, dpop })
        return { data, userId }
      })
      if (isEmpty) return
      if (isKept) {
        memory.unsaved.delete(key)
        memory.paused.delete(key)
      }
      if (row) await rows.clear(row)
    },
    async move(account) {
      const { key, data } = await recordOf({ account, answer: account, before: undefined })
      await records.create({ key, userId: account.userId, data })
      const row = await rows.leftover(account)
      if (row) await rows.clear(row)
    },
    async find(userId, provider) {
      for (const grant of memory.unsaved.values())
        if (grant.userId === userId && grant.provider === provider) return grant
      const grants = (await all(userId)).filter((grant) => grant.provider === provider)
      const [latest] = grants.toSorted((one, other) => other.obtained - one.obtained)
      return latest ?? adopt(userId, provider)
    },
    async forget(key) {
      memory.unsaved.delete(key)
      const grant = await openGrant(await records.take(key), host)
      if (grant && settings.columns === 'keep') await rows.forget(grant)
      return grant
    },
  }
}

/** Returns whether the stored tokens stay, because the sign-in granted fewer scopes. */
function keepsOld(
  before: Grant,
  scope: readonly string[],
  { onNarrower }: Settings,
  now: number,
): boolean {
  return onNarrower === 'keep' && isRenewable(before, now) && isNarrower(scope, before.scope)
}

function tokensOf(account: AdapterAccount, settings: Settings): Tokens {
  const { access_token, refresh_token, token_type, id_token } = account
  return definedOnly({
    access_token: access_token || undefined,
    refresh_token: refresh_token || undefined,
    token_type: token_type || undefined,
    id_token: (settings.idToken && id_token) || undefined,
    subject: subjectOf(id_token),
  })
}

/** Returns the subject of an ID token that was verified before. */
function subjectOf(idToken: unknown): TokenSubject | undefined {
  const { iss, sub, aud } = typeof idToken === 'string' ? claimsIn(idToken) : {}
  return typeof iss === 'string' && typeof sub === 'string'
    ? { iss, sub, aud: aud as TokenSubject['aud'] }
    : undefined
}

/** Returns the scopes of the response, otherwise the requested ones (RFC 6749 section 5.1). */
function scopesOf({ scope }: AdapterAccount, asked: readonly string[]): readonly string[] {
  return scope ? scopesIn(scope) : asked
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/**
 * Returns when the refresh token expires, in seconds since the epoch, if the provider reports it. This is not in the
 * standard.
 */
export function refreshEnd(answer: TokenSet, now: number): number | undefined {
  const { refresh_token_expires_in: one, refresh_expires_in: other } = answer
  const seconds = Number(one ?? other ?? Number.NaN)
  return Number.isFinite(seconds) && seconds > 0 ? Math.floor(now / 1000 + seconds) : undefined
}
