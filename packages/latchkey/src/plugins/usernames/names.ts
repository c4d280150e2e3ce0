import {
  type Host,
  type KindRecord,
  loadOnce,
  recordKind,
  type UserNames,
} from '../../entries/plugin.ts'
import type { Rules } from './rules.ts'
import type { Settings } from './settings.ts'

/** The data of a name. */
export interface NameData {
  /** The name as it was typed. */
  readonly shown: string
  /** When the user received it, in milliseconds. The latest name of a user is the valid one. */
  readonly since: number
  /** The user gave it up: it is kept for a while, and nobody signs in with it. */
  readonly former?: true
}

interface GivenName {
  readonly key: string
  readonly userId: string
  readonly data: NameData
}

/** The names of users, and those that sign-ups reserve. */
export interface Names extends Omit<UserNames, 'faultOf' | 'faultText'> {
  /** Returns whether nobody has or had the name recently, and no sign-up reserves it. */
  isFree(name: string): Promise<boolean>
  /** Returns the record of the valid name of a user. Names that an interrupted change left over are given up. */
  current(userId: string): Promise<KindRecord<NameData> | undefined>
  /** Returns all names of a user, also former ones. */
  allOf(userId: string): Promise<readonly string[]>
  /** Takes all names from a user. Others can have them at once. */
  remove(userId: string): Promise<void>
  /** Forgets what the names of a deleted user look like. */
  forget(names: readonly string[]): Promise<void>
}

/** A name that somebody gave up stays theirs for so long. */
const KEPT = 90 * 24 * 60 * 60 * 1000
/** The names of one user that are read: the valid one, and those that were given up. */
const MOST_NAMES = 100

export function createNames(host: Host, { signIn }: Settings, rules: Rules): Names {
  const { fold, shown, faultOf } = rules
  const names = recordKind<NameData>(host, 'username', {
    shape: ({ shown, since, former }) =>
      typeof shown === 'string' && typeof since === 'number'
        ? { shown, since, ...(former === true && { former }) }
        : undefined,
  })
  const holds = recordKind<{ holder: string }>(host, 'username-hold', {
    shape: ({ holder }) => (typeof holder === 'string' ? { holder } : undefined),
  })

  const isUsed = async (key: string): Promise<boolean> =>
    (await names.get(key)) !== null || (await holds.get(key)) !== null

  /** Without letters beyond ASCII, names are not compared by their look. */
  const looks = loadOnce(async () => {
    if (!rules.isWide) return undefined
    const { createLooks } = await import('./looks.ts')
    return createLooks(host, rules.reserved, isUsed)
  })
  /** Takes the look of a name. @returns `false` if another name looks like it. */
  const claimLook = async (key: string): Promise<boolean> =>
    (await (await looks())?.claim(key)) ?? true
  const isLookOf = async (key: string): Promise<boolean> =>
    (await (await looks())?.isOf(key)) ?? true

  const newestFirst = (a: KindRecord<NameData>, b: KindRecord<NameData>): number =>
    b.data.since - a.data.since || (a.key < b.key ? -1 : 1)

  async function current(userId: string): Promise<KindRecord<NameData> | undefined> {
    const all = await names.some(userId, MOST_NAMES)
    const valid = all.filter(({ data }) => !data.former).sort(newestFirst)
    const [newest, ...older] = valid
    const expires = new Date(host.ports.now() + KEPT)
    for (const record of older)
      await names.replace(record, { data: { ...record.data, former: true }, expires })
    return newest
  }

  /** The clocks of two processes differ, so a later name is made later than all before. */
  async function nextMoment(userId: string): Promise<number> {
    const all = await names.some(userId, MOST_NAMES)
    return Math.max(host.ports.now(), ...all.map(({ data }) => data.since + 1))
  }

  /** Returns whether a sign-up other than this one reserves a name. */
  async function isHeld(key: string, holder: string | undefined): Promise<boolean> {
    const held = await holds.get(key)
    return held !== null && held.data.holder !== holder
  }

  /** @returns whether the user had the name before, or has it. */
  async function takeAgain(
    { key, userId, data }: GivenName,
    holder: string | undefined,
  ): Promise<boolean> {
    const kept = await names.get(key)
    if (kept?.userId !== userId) return false
    if (kept.data.former) {
      // The record loses its expiry, which the kind of records never takes away.
      const change = { data: { ...data }, expires: undefined }
      return (await host.records.replace({ ...kept, data: {} }, change)) !== null
    }
    // The call that made the record may be about to give the name up for a reservation.
    if (await isHeld(key, holder)) return false
    // Another spelling of the same name is no new name. The new version is what that call sees.
    const { shown: typed } = data
    const again = await names.update(key, (found, record) =>
      record.userId === userId ? { data: { ...found, shown: typed } } : undefined,
    )
    return again?.isChanged === true
  }

  /** Removes a record that was just made, unless another call of its user has relied on it. */
  async function undo({ key, userId, data }: GivenName): Promise<boolean> {
    const made = await names.get(key)
    if (made?.userId !== userId || made.version !== 1 || made.data.since !== data.since)
      return false
    const expires = new Date(host.ports.now() - KEPT)
    return (await names.replace(made, { expires })) !== null
  }

  const allOf = async (userId: string): Promise<readonly string[]> =>
    (await names.some(userId, MOST_NAMES)).map(({ key }) => key)

  return {
    current,
    async isFree(name) {
      const key = fold(name)
      if (faultOf(name) !== undefined || (await isUsed(key))) return false
      return (await (await looks())?.isFree(key)) ?? true
    },
    async find(name) {
      if (!signIn || faultOf(name) === 'too_long') return undefined
      const found = await names.get(fold(name))
      return found && !found.data.former ? found.userId : undefined
    },
    async nameOf(userId) {
      return (await current(userId))?.data.shown
    },
    async reserve(name, holder, expires) {
      if (faultOf(name) !== undefined) return false
      const key = fold(name)
      if (!(await claimLook(key))) return false
      if (!(await holds.create({ key, data: { holder }, expires }))) {
        const held = await holds.update(key, (data) =>
          data.holder === holder ? { expires } : undefined,
        )
        if (!held?.isChanged) return false
      }
      // The one who takes a name looks for reservations afterwards, so at least one of the two sees the other.
      if ((await names.get(key)) === null && (await isLookOf(key))) return true
      await holds.delete(key)
      return false
    },
    async give(name, userId, holder) {
      if (faultOf(name) !== undefined) return false
      const key = fold(name)
      if (!(await claimLook(key))) return false
      const data: NameData = { shown: shown(name), since: await nextMoment(userId) }
      const given = { key, userId, data }
      if (await names.create(given)) {
        const isRefused = (await isHeld(key, holder)) || !(await isLookOf(key))
        if (isRefused && (await undo(given))) return false
        if (holder !== undefined && !isRefused) await holds.delete(key)
      } else if (!(await takeAgain(given, holder))) {
        return false
      }
      return (await current(userId))?.key === key
    },
    allOf,
    async remove(userId) {
      const keys = await allOf(userId)
      for (const key of keys) await names.delete(key)
      await (await looks())?.forget(keys)
    },
    async forget(former) {
      await (await looks())?.forget(former)
    },
  }
}
