import type { AdapterAccount, Host, TokenSet } from '../../../entries/plugin.ts'
import type { Settings } from '../settings.ts'
import type { Grant } from './grant.ts'

/** The columns of an account row that contain a secret. */
const COLUMNS = ['access_token', 'refresh_token', 'id_token'] as const

/** The token columns of accounts. */
export interface TokenRows {
  /** Returns the row of a user's account at a provider, if it has tokens. */
  find(userId: string, provider: string): Promise<AdapterAccount | undefined>
  /** Returns the row of an account that has tokens but no record. */
  leftover(account: AdapterAccount): Promise<AdapterAccount | undefined>
  /** Returns all accounts of a user. */
  list(userId: string): Promise<AdapterAccount[]>
  hasTokens(row: AdapterAccount): boolean
  /** Returns the row of the account of these tokens, also if the row has no tokens. */
  of(grant: Grant): Promise<AdapterAccount | undefined>
  /** Removes the tokens of a row after they were moved into a record. */
  clear(row: AdapterAccount): Promise<void>
  /** Removes deleted tokens from their row, where they would count as new ones. */
  forget(grant: Grant): Promise<void>
  /** Writes tokens into the row, for other applications that read them. */
  write(grant: Grant): Promise<void>
  /** Writes tokens into the row, also if the plugin empties the columns. */
  restore(grant: Grant): Promise<void>
}

/** Returns an account without its tokens, as its row is stored. */
export function withoutTokens(account: AdapterAccount): AdapterAccount {
  return { ...account, ...emptied(account) }
}

/** Returns `null` for each token of the row. A table may lack unused columns. */
function emptied(account: AdapterAccount): TokenSet {
  const there = COLUMNS.filter((name) => (account[name] ?? null) !== null)
  return Object.fromEntries(there.map((name) => [name, null]))
}

export function rowsOf({ store }: Pick<Host, 'store'>, { columns }: Settings): TokenRows {
  const list = async (userId: string): Promise<AdapterAccount[]> =>
    (await store?.atomic.listAccountsByUserId?.(userId)) ?? []
  const hasTokens = (row: AdapterAccount): boolean => Object.keys(emptied(row)).length > 0
  const restore: TokenRows['restore'] = async ({
    provider,
    account,
    tokens,
    expires_at,
    scope,
  }) => {
    const { access_token, refresh_token, id_token } = tokens ?? {}
    await store?.atomic.updateAccount?.({
      provider,
      providerAccountId: account,
      ...(access_token !== undefined && { access_token }),
      ...(refresh_token !== undefined && { refresh_token }),
      ...(id_token !== undefined && { id_token }),
      ...(expires_at !== undefined && { expires_at }),
      ...(scope.length > 0 && { scope: scope.join(' ') }),
    })
  }
  const of: TokenRows['of'] = async ({ userId, provider, account }) =>
    (await list(userId)).find(
      (row) => row.provider === provider && row.providerAccountId === account,
    )
  const empty = async (row: AdapterAccount): Promise<void> => {
    const { provider, providerAccountId } = row
    await store?.atomic.updateAccount?.({ provider, providerAccountId, ...emptied(row) })
  }
  return {
    list,
    hasTokens,
    restore,
    of,
    find: async (userId, provider) =>
      (await list(userId)).find((row) => row.provider === provider && hasTokens(row)),
    leftover: async ({ userId, provider, providerAccountId }) =>
      (await list(userId)).find(
        (row) =>
          row.provider === provider &&
          row.providerAccountId === providerAccountId &&
          hasTokens(row),
      ),
    async clear(row) {
      if (columns !== 'keep' && hasTokens(row)) await empty(row)
    },
    async forget(grant) {
      const row = await of(grant)
      if (row && hasTokens(row)) await empty(row)
    },
    async write(grant) {
      if (columns === 'keep') await restore(grant)
    },
  }
}
