import { encodeBase64url } from '../../base/encoding/base64url.ts'
import { definedOnly } from '../../base/encoding/defined-only.ts'
import { scopesIn } from '../../base/encoding/scopes.ts'
import type { Host } from '../../entries/plugin.ts'
import type { Account, AdapterAccount, TokenSet } from '../../model/account.ts'
import { WITH_DAMAGED } from '../../model/damaged-record.ts'
import type { ProofKey } from '../../model/proof-key.ts'
import {
  claimsIn,
  factsOf,
  type Grant,
  type GrantFacts,
  grantRecord,
  KIND,
  keyOf,
  openGrant,
  type Subject,
  sealGrant,
  type Tokens,
} from './grant.ts'
import type { Memory } from './memory.ts'
import { rowsOf, type TokenRows } from './rows.ts'
import type { Settings } from './settings.ts'
import { endOf, isNarrower, isRenewable } from './validity.ts'

/** Keeps the tokens of accounts as records. */
export interface Keeper {
  /**
   * Keeps what a sign-in brought.
   *
   * @param answer everything that the provider answered.
   * @param asked scopes.
   * @param dpop what the tokens are bound to.
   */
  keep(account: AdapterAccount, answer: Account, asked?: string, dpop?: ProofKey): Promise<void>
  /** Keeps tokens that were elsewhere before, unless there are some already. */
  move(account: AdapterAccount): Promise<void>
  /**
   * Moves the tokens of a row into a record, unless there is one already. Of parallel calls one does it.
   *
   * @returns whether there is a record of this user now that can be opened; otherwise the row stays as it is.
   */
  moveRow(row: AdapterAccount): Promise<boolean>
  /** The tokens of a user from a provider; of several accounts there, those of the latest sign-in. */
  find(userId: string, provider: string): Promise<Grant | undefined>
  /** The tokens of a user from all providers. */
  all(userId: string): Promise<Grant[]>
  /** The tokens as they are stored now. */
  read(key: string): Promise<Grant | undefined>
  /** Forgets tokens. @returns what they were, for one call of any number. */
  forget(key: string): Promise<Grant | undefined>
  /** Writes other tokens of the same generation. @returns whether this call did it. */
  rewrite(grant: Grant, tokens: Tokens): Promise<boolean>
  /** Writes renewed tokens into the row as well, where it has them. */
  writeRow(grant: Grant): Promise<void>
}

/** How often a record is written over, when others write it, too. */
const TRIES = 20

export function createKeeper(host: Host, settings: Settings, memory: Memory): Keeper {
  const { records, ports } = host
  const rows: TokenRows = rowsOf(host, settings)

  const read: Keeper['read'] = async (key) => openGrant(await grantRecord(key, host), host)

  const all: Keeper['all'] = async (userId) => {
    const grants: Grant[] = []
    let after: string | undefined
    do {
      const query = { kind: KIND, userId, limit: 100, ...(after && { after }) }
      const page = await records.list(query, WITH_DAMAGED)
      for (const record of page.records) {
        const grant = await openGrant(record, host)
        if (grant) grants.push(memory.unsaved.get(grant.key) ?? grant)
      }
      after = page.next ?? undefined
    } while (after !== undefined)
    return grants
  }

  const moveRow = async (row: AdapterAccount): Promise<Grant | undefined> => {
    const { userId } = row
    const { key, data } = await recordOf({ account: row, answer: row, before: undefined })
    await records.create({ kind: KIND, key, userId, data })
    const grant = await read(key)
    if (grant?.userId !== userId || !grant.tokens) return undefined
    await rows.clear(row)
    return grant
  }

  async function adopt(userId: string, provider: string): Promise<Grant | undefined> {
    // Sessions renewed them since: those of the row may have been used, and a strict provider would end the grant.
    if (settings.adopted.some((each) => each.provider === provider)) return undefined
    const row = await rows.find(userId, provider)
    const client = row && (await host.provider(provider))
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
  }): Promise<{ key: string; data: Awaited<ReturnType<typeof sealGrant>> }> {
    const { provider, providerAccountId, userId } = account
    const client = await host.provider(provider)
    const key = await keyOf(provider, providerAccountId)
    const tokens = tokensOf(account, settings)
    // Google sends one at the first consent only.
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
    async rewrite(grant, tokens) {
      const { key, userId, record } = grant
      const data = await sealGrant({ key, userId, facts: factsOf(grant), tokens }, host)
      return (await records.replace(record, { data })) !== null
    },
    async keep(account, answer, asked, dpop) {
      const { provider, providerAccountId, userId } = account
      if (!(await host.provider(provider))) return
      const key = await keyOf(provider, providerAccountId)
      const scope = scopesOf(account, (await host.provider(provider))?.scopes ?? [])
      const row = await rows.leftover(account)
      for (let attempt = 0; attempt < TRIES; attempt++) {
        const record = await grantRecord(key, host)
        const found = await openGrant(record, host)
        // The account was another user's, and is not any more; or the record is damaged.
        if (record && found?.userId !== userId) await records.take(KIND, key, WITH_DAMAGED)
        const before = found?.userId === userId ? found : undefined
        const old = before ?? (row && { tokens: tokensOf(row, settings) })
        const hasTokens =
          account.access_token ?? account.refresh_token ?? old?.tokens?.refresh_token
        if (!hasTokens) return
        if (before && keepsOld(before, scope, settings, ports.now())) break
        const { data } = await recordOf({ account, answer, before: old, asked, dpop })
        const isKept = before
          ? (await records.replace(before.record, { data })) !== null
          : await records.create({ kind: KIND, key, userId, data })
        if (isKept) {
          memory.unsaved.delete(key)
          memory.paused.delete(key)
          break
        }
        if (attempt === TRIES - 1)
          throw new Error(
            `too many requests write the tokens of the provider ${provider} at the same time`,
          )
      }
      if (row) await rows.clear(row)
    },
    async move(account) {
      const { key, data } = await recordOf({ account, answer: account, before: undefined })
      await records.create({ kind: KIND, key, userId: account.userId, data })
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
      const record = await records.take(KIND, key, WITH_DAMAGED)
      const grant = record ? await openGrant(record, host) : undefined
      if (grant && settings.columns === 'keep') await rows.forget(grant)
      return grant
    },
  }
}

/** Do the tokens stay, since a sign-in granted less than they have? */
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

/** Whom an ID token is about, which was verified when it came. */
function subjectOf(idToken: unknown): Subject | undefined {
  const { iss, sub, aud } = typeof idToken === 'string' ? claimsIn(idToken) : {}
  return typeof iss === 'string' && typeof sub === 'string'
    ? { iss, sub, aud: aud as Subject['aud'] }
    : undefined
}

/** Those that the answer names, else those that were asked for (RFC 6749 section 5.1). */
function scopesOf({ scope }: AdapterAccount, asked: readonly string[]): readonly string[] {
  return scope ? scopesIn(scope) : asked
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** When the refresh token ends, where the provider says so; not in the standard. Seconds since the epoch. */
export function refreshEnd(answer: TokenSet, now: number): number | undefined {
  const { refresh_token_expires_in: one, refresh_expires_in: other } = answer
  const seconds = Number(one ?? other ?? Number.NaN)
  return Number.isFinite(seconds) && seconds > 0 ? Math.floor(now / 1000 + seconds) : undefined
}
