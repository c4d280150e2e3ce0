import type { AdapterAccount, Host, TokenSet } from '../../entries/plugin.ts'
import type { Grant } from './grant.ts'
import type { Settings } from './settings.ts'

/** The columns of an account's row that hold a secret. */
const COLUMNS = ['access_token', 'refresh_token', 'id_token'] as const

/** The token columns of accounts. */
export interface TokenRows {
  /** The row of a user's account at a provider, if it has tokens. */
  find(userId: string, provider: string): Promise<AdapterAccount | undefined>
  /** What is in the row of this account still, if there is no record of it. */
  leftover(account: AdapterAccount): Promise<AdapterAccount | undefined>
  /** All accounts of a user. */
  list(userId: string): Promise<AdapterAccount[]>
  hasTokens(row: AdapterAccount): boolean
  /** The row of the account that has these tokens, whether there are tokens in it or not. */
  of(grant: Grant): Promise<AdapterAccount | undefined>
  /** Removes the tokens of a row, which are in a record now. */
  clear(row: AdapterAccount): Promise<void>
  /** Removes tokens that were forgotten from their row: they would be taken for new ones. */
  forget(grant: Grant): Promise<void>
  /** Writes tokens into the row, for who reads them there. */
  write(grant: Grant): Promise<void>
  /** Writes tokens into the row, also where its columns are empty from now on. */
  restore(grant: Grant): Promise<void>
}

/** An account without its tokens, as its row is stored. */
export function withoutTokens(account: AdapterAccount): AdapterAccount {
  return { ...account, ...emptied(account) }
}

/** `null` for each token that is there: a table may lack columns that nobody uses. */
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
