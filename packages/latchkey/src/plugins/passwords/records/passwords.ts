import {
  type Host,
  type KindRecord,
  loadOnce,
  type RecordKind,
  type RecordSealer,
  recordKind,
} from '../../../entries/plugin.ts'
import type { Settings } from '../settings.ts'
import { sealerOf } from './pepper.ts'

/** Who set a password. */
export type SetBy = 'user' | 'reset' | 'admin' | 'import'

/** The data of a record. Its key is the id of the user. */
export interface StoredPassword {
  /** The PHC string, sealed unless `pepper` is `false`. */
  readonly hash: string
  /** Milliseconds since the epoch. */
  readonly setAt: number
  readonly by: SetBy
  /** Whether the user has to choose another one at the next sign-in. */
  readonly mustChange?: boolean
  /** Raised with each new password. Links to reset a password name it. */
  readonly rev: number
}

/** A password as it was read. */
export interface ReadPassword {
  readonly record: KindRecord<StoredPassword>
  /** The PHC string; `undefined` if no key opens it. */
  readonly phc: string | undefined
  /** Whether it is sealed with the first key, or unsealed as configured. */
  readonly isSealedNow: boolean
}

/** A new password. */
export interface NewPassword {
  readonly phc: string
  readonly by: SetBy
  readonly mustChange?: boolean | undefined
}

/** The passwords of users. */
export interface Passwords {
  readonly kind: RecordKind<StoredPassword>
  read(userId: string): Promise<ReadPassword | undefined>
  /**
   * Stores a password.
   *
   * @param read the password that it replaces; `undefined` for the first one.
   * @returns whether nobody was faster.
   */
  write(userId: string, read: ReadPassword | undefined, next: NewPassword): Promise<boolean>
  /** Stores another hash of the same password, unless somebody was faster. */
  rehash(read: ReadPassword, phc: string): Promise<boolean>
  /** Seals a hash for another record, for example of a sign-up. @param key of that record */
  seal(phc: string, key: string): Promise<string>
  open(sealed: string, key: string): Promise<string | undefined>
}

export function createPasswords(host: Host, { pepper }: Pick<Settings, 'pepper'>): Passwords {
  const { now } = host.ports
  const kind = recordKind<StoredPassword>(host, 'password', {
    shape: shapeOf,
    onDamaged: 'its user cannot sign in with the password until it is reset',
  })
  const sealer: RecordSealer | undefined = sealerOf(host, pepper)

  async function seal(phc: string, key: string, userId?: string): Promise<string> {
    if (!sealer) return phc
    return sealer.seal({ phc }, { key, ...(userId !== undefined && { userId }) })
  }

  // Not by the sealer of passwords, which notes each of its keys in the store.
  const another = host.keys.sealer('nobody')
  const ofNobody = loadOnce(() => another.seal({ phc: '$'.padEnd(97, '0') }, { key: 'nobody' }))
  /** Opens what is sealed and of nobody, so that it takes as long to read that there is no password. */
  async function openNothing(): Promise<void> {
    if (sealer) await another.open(await ofNobody(), { key: 'nobody' })
  }

  async function open(hash: string, key: string, userId?: string): Promise<string | undefined> {
    if (hash.startsWith('$') || !isSealed(hash)) return hash
    // A sealed hash stays readable after `pepper` was turned off.
    const by = sealer ?? sealerOf(host, 'secret')
    const opened = await by?.open(hash, { key, ...(userId !== undefined && { userId }) })
    return typeof opened?.['phc'] === 'string' ? opened['phc'] : undefined
  }

  return {
    kind,
    async read(userId) {
      const record = await kind.get(userId)
      if (!record) {
        await openNothing()
        return undefined
      }
      const { hash } = record.data
      const phc = await open(hash, userId, userId)
      const isSealedNow = sealer
        ? isSealed(hash) && (await sealer.isCurrent(hash))
        : !isSealed(hash)
      return { record, phc, isSealedNow }
    },
    async write(userId, read, { phc, by, mustChange }) {
      const data: StoredPassword = {
        hash: await seal(phc, userId, userId),
        setAt: now(),
        by,
        ...(mustChange && { mustChange }),
        rev: (read?.record.data.rev ?? 0) + 1,
      }
      if (!read) return kind.create({ key: userId, userId, data })
      return (await kind.replace(read.record, { data })) !== null
    },
    async rehash({ record }, phc) {
      const hash = await seal(phc, record.key, record.key)
      return (await kind.replace(record, { data: { ...record.data, hash } })) !== null
    },
    seal: (phc, key) => seal(phc, key),
    open: (sealed, key) => open(sealed, key),
  }
}

/** A compact JWE has five parts; no hash has. */
function isSealed(hash: string): boolean {
  return hash.split('.').length === 5 && !hash.startsWith('$')
}

function shapeOf(data: Readonly<Record<string, unknown>>): StoredPassword | undefined {
  const { hash, setAt, by, mustChange, rev } = data
  if (typeof hash !== 'string' || typeof setAt !== 'number' || typeof rev !== 'number')
    return undefined
  return {
    hash,
    setAt,
    by: BY.find((each) => each === by) ?? 'user',
    ...(mustChange === true && { mustChange }),
    rev,
  }
}

const BY: readonly SetBy[] = ['user', 'reset', 'admin', 'import']
