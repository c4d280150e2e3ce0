import { type AdapterAccount, type Host, toError } from '../../../entries/plugin.ts'
import type { Settings } from '../settings.ts'
import type { MovedTokens } from '../tokens-api.ts'
import { type Grant, grantRecords, openGrant } from './grant.ts'
import { rowsOf } from './rows.ts'
import type { UserTokens } from './tokens.ts'

type Outcome = keyof MovedTokens

/** Moves the tokens of a user between the columns of the account table and records. */
export interface Columns {
  seal(userId: string): Promise<MovedTokens>
  restore(userId: string): Promise<MovedTokens>
}

export function createColumns(host: Host, settings: Settings, tokens: UserTokens): Columns {
  const { ports } = host
  const records = grantRecords(host)
  const rows = rowsOf(host, settings)

  async function sealRow(row: AdapterAccount): Promise<Outcome> {
    const { provider } = row
    // Sessions have renewed the tokens of the row since. A strict provider would revoke the grant if the old ones were
    // used.
    const isAdopted = settings.adopted.some((each) => each.provider === provider)
    if (isAdopted || !tokens.isKept(provider) || !(await host.providers.client(provider)))
      return 'left'
    if (await tokens.moveRow(row)) return 'moved'
    throw new TypeError(
      `the tokens of an account at the provider ${provider} stay in the account table: their record belongs to another user, or is sealed with a secret that is not configured; add that secret to the list`,
    )
  }

  async function restoreGrant(key: string): Promise<Outcome> {
    // Only the record that was written back is deleted, since another process may have renewed the tokens meanwhile.
    const restored = await records.update(key, async (_, record) => {
      const grant = await openGrant(record, host)
      return grant && (await writeBack(grant)) ? { expires: new Date(ports.now()) } : undefined
    })
    return restored?.isChanged ? 'moved' : 'left'
  }

  /** Writes the tokens of a record into the row of its account. @returns whether the row should have them. */
  async function writeBack(grant: Grant): Promise<boolean> {
    if (!grant.tokens)
      throw new TypeError(
        `the tokens of an account at the provider ${grant.provider} are sealed with a secret that is not configured; add that secret to the list`,
      )
    const row = await rows.of(grant)
    const isNeeded = row && (settings.columns === 'clear' || !rows.hasTokens(row))
    // Other applications do not have the key to which these tokens are bound.
    if (!isNeeded || grant.tokens.dpop) return false
    await rows.restore(grant)
    if (await isWritten(grant)) return true
    throw new TypeError(
      `the tokens of an account at the provider ${grant.provider} stay sealed: the account table has no column for all of them; add access_token and refresh_token`,
    )
  }

  async function isWritten(grant: Grant): Promise<boolean> {
    const row = await rows.of(grant)
    const { access_token, refresh_token } = grant.tokens ?? {}
    return (
      row !== undefined &&
      (access_token === undefined || row.access_token === access_token) &&
      (refresh_token === undefined || row.refresh_token === refresh_token)
    )
  }

  async function moveEach<Thing>(
    things: readonly Thing[],
    move: (thing: Thing) => Promise<Outcome>,
  ): Promise<MovedTokens> {
    const count = { moved: 0, left: 0, failed: 0 }
    for (const thing of things) {
      try {
        count[await move(thing)]++
      } catch (error) {
        host.logger.error(toError(error))
        count.failed++
      }
    }
    return count
  }

  return {
    async seal(userId) {
      if (settings.columns === 'keep')
        throw new TypeError(
          "providerTokens: `columns` is 'keep', so the columns are not cleared; set it to 'clear' first",
        )
      return moveEach((await rows.list(userId)).filter(rows.hasTokens), sealRow)
    },
    async restore(userId) {
      const keys = (await tokens.all(userId)).map(({ key }) => key)
      return moveEach(keys, restoreGrant)
    },
  }
}
