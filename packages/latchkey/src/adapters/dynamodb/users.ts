import { AdapterConflict, type UserPage } from '../../model/adapter.ts'
import type { AdapterUser } from '../../model/user.ts'
import { checkPage } from '../paging.ts'
import { missing } from '../problems.ts'
import { given } from '../records.ts'
import type { Item } from './client.ts'
import { fromItem, toItem } from './items.ts'
import { guardKeys, single, tokensOf, userKey } from './keys.ts'
import {
  accountPlaces,
  authenticatorPlaces,
  findByEmail,
  findUser,
  indexKeys,
  listOwned,
  type OwnedName,
  type Places,
  STAYING,
  type Store,
  sessionPlaces,
} from './owned.ts'
import { removeRecordsOf } from './records.ts'
import { ABSENT, type Part } from './table.ts'

export async function createUser(store: Store, user: AdapterUser): Promise<AdapterUser> {
  const { table, shape } = store
  const { id, email } = user
  const item = toItem('user', user)
  if (store.index && email && (await findByEmail(store, email))) {
    throw new AdapterConflict('user.email')
  }
  const refused = await table.commit([
    // Required by the types, but a provider may return none.
    ...(email ? [table.putting(await guardKeys.email(email), { userId: id }, ABSENT)] : []),
    table.putting(await userKey(id), { ...item, ...given(indexKeysOf(store, email)) }, ABSENT),
  ])
  if (refused === undefined) return fromItem('user', item, shape)
  throw new AdapterConflict(email && refused === 0 ? 'user.email' : 'user')
}

function indexKeysOf(store: Store, email: string | null | undefined): Item {
  return indexKeys(store, email ? single(`USER#${email}`) : undefined)
}

/**
 * Updates a user. Another address needs another guard, so both change in one transaction, which is repeated if the user
 * changed meanwhile.
 */
export async function updateUser(
  store: Store,
  { id, ...changes }: Partial<AdapterUser> & Pick<AdapterUser, 'id'>,
): Promise<AdapterUser> {
  const { table } = store
  for (;;) {
    const found = await findUser(store, id)
    if (!found) throw missing('user')
    const { type: _, ...members } = toItem('user', given(changes))
    const { email = found.item['email'] } = members
    const moves = email !== found.item['email']
    const all = { ...members, ...(moves ? indexKeysOf(store, email as string | null) : {}) }
    if (Object.keys(all).length === 0) return found.record
    if (!moves) {
      const item = await table.update(found.key, all, STAYING)
      if (item) return fromItem('user', item, store.shape)
      continue
    }
    if (await move(store, id, found.item, all)) {
      const moved = await findUser(store, id)
      if (moved) return moved.record
    }
  }
}

/** @returns `false` if the user has another address by now, or was deleted. */
async function move(store: Store, id: string, before: Item, changes: Item): Promise<boolean> {
  const { table } = store
  const [from, to] = [before['email'], changes['email']]
  const own = {
    condition: 'attribute_not_exists(#partition) OR #userId = :id',
    values: { id },
  }
  const unmoved =
    from === undefined
      ? { condition: `${STAYING.condition} AND attribute_not_exists(#email)` }
      : { condition: `${STAYING.condition} AND #email = :email`, values: { email: from } }
  const parts: Part[] = []
  if (typeof to === 'string' && to !== '') {
    const owner = store.index ? await findByEmail(store, to) : undefined
    if (owner && owner.record.id !== id) throw new AdapterConflict('user.email')
    parts.push(table.putting(await guardKeys.email(to), { userId: id }, own))
  }
  const guarded = parts.length
  parts.push(table.updating(await userKey(id), changes, unmoved))
  if (typeof from === 'string' && from !== '') {
    parts.push(table.removing(await guardKeys.email(from), own))
  }
  const refused = await table.commit(parts)
  if (refused !== undefined && refused < guarded) throw new AdapterConflict('user.email')
  return refused === undefined
}

/**
 * Deletes a user. It marks the user first, who then is not found, removes everything else, and the user last. If it
 * fails in between, another call completes it.
 */
export async function deleteUser(store: Store, id: string): Promise<AdapterUser | null> {
  const { table, shape } = store
  const key = await userKey(id)
  const item = await table.update(key, { deleting: true })
  await removeRecordsOf(table, id)
  const sessions = await listOwned(store, 'session', id)
  await removeAll(
    store,
    id,
    sessions.map(({ sessionToken }) => sessionPlaces(sessionToken)),
  )
  await removeAll(store, id, (await listOwned(store, 'account', id)).map(accountPlaces))
  const passkeys = await listOwned(store, 'authenticator', id)
  await removeAll(
    store,
    id,
    passkeys.map(({ credentialID }) => authenticatorPlaces(credentialID)),
  )
  if (!item) return null
  const user = fromItem('user', item, shape)
  if (user.email) {
    for await (const token of table.partition(await tokensOf(user.email), 'VT#')) {
      await table.remove(table.keyOf(token))
    }
    const guard = await guardKeys.email(user.email)
    await table.commit([table.removing(guard, { condition: '#userId = :id', values: { id } })])
  }
  await table.remove(key)
  return user
}

/** The number of concurrent removals. */
const BATCH = 25

/** Removes the guards first: without its guard a record is not found, and the partition of the user still lists it. */
async function removeAll(
  { table }: Store,
  userId: string,
  all: readonly Pick<Places<OwnedName>, 'guard' | 'owned'>[],
): Promise<void> {
  for (let start = 0; start < all.length; start += BATCH) {
    await Promise.all(
      all.slice(start, start + BATCH).map(async ({ guard, owned }) => {
        await table.remove(await guard())
        await table.remove(await owned(userId))
      }),
    )
  }
}

/** Returns users in the order of the table, which is stable. It reads all items in between. */
export async function listUsers(
  { table, shape }: Store,
  { limit, after }: { limit: number; after?: string | undefined },
): Promise<UserPage> {
  checkPage({ limit, after })
  const users: AdapterUser[] = []
  const start = after === undefined ? undefined : await userKey(after)
  const filter = '#type = :type AND attribute_not_exists(#deleting)'
  const all = table.scan(filter, ['type', 'deleting'], { type: 'USER' }, start)
  for await (const item of all) {
    if (users.length === limit) return { users, next: users.at(-1)?.id ?? null }
    users.push(fromItem('user', item, shape))
  }
  return { users, next: null }
}
