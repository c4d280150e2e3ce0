import {
  encodeBase64url,
  type Host,
  type KindRecord,
  Problem,
  type RecordKind,
  recordKind,
} from '../../../entries/plugin.ts'
import { decodeBase32, encodeBase32 } from '../../../protocols/totp/base32.ts'
import { stepOf } from '../../../protocols/totp/hotp.ts'
import { type FactorState, NO_FACTORS } from './state.ts'

/** A confirmed authenticator. Its key is a random id. Times are milliseconds since the epoch. */
export interface Authenticator {
  /** The sealed secret. */
  readonly secret: string
  readonly name: string
  readonly confirmedAt: number
  /** The step of the last code that was used. No code of this step or of one before it works again. */
  readonly lastStep: number
  readonly lastUsedAt: number
}

/** A secret that was shown, and is not confirmed yet. Its key is the id of the authenticator. */
export interface Enrolment {
  readonly secret: string
  readonly name: string
}

/** Bytes of a secret, as RFC 4226 section 4 recommends. */
const SECRET_LENGTH = 20
const ID_LENGTH = 16
/** Milliseconds within which an enrolment must be confirmed. */
const ENROLMENT_AGE: number = 15 * 60 * 1000
/** Most enrolments of a user at once. */
const MOST_ENROLMENTS = 3

/** A secret that is shown once. */
export interface NewSecret {
  readonly id: string
  /** Base32 */
  readonly secret: string
  readonly name: string
}

/** The authenticators of users. */
export interface Totp {
  readonly kind: RecordKind<Authenticator>
  /** Returns the confirmed authenticators of a user, the oldest first. */
  list(userId: string): Promise<KindRecord<Authenticator>[]>
  /** Makes a secret. The oldest of too many enrolments ends. */
  begin(userId: string, name: string): Promise<NewSecret>
  /** Returns a secret that is not confirmed yet. @throws {Problem} `not_found` also for one of another user. */
  enrolment(userId: string, id: string): Promise<NewSecret>
  /** Stores an authenticator whose code was typed. @returns whether the code is right. It works for nothing else then. */
  confirm(enrolment: NewSecret, userId: string, code: string): Promise<boolean>
  /** Returns whether a code is one of the user's authenticators, and marks it as used. */
  prove(userId: string, code: string): Promise<boolean>
  endEnrolments(userId: string): Promise<void>
  remove(ids: readonly string[]): Promise<void>
}

/** Creates the records of authenticators. */
export function createTotp(host: Host, states: RecordKind<FactorState>): Totp {
  const { ports, keys, logger } = host
  const kind = recordKind<Authenticator>(host, 'totp', {
    shape: ({ secret, name, confirmedAt, lastStep, lastUsedAt }) =>
      typeof secret === 'string' &&
      typeof name === 'string' &&
      typeof confirmedAt === 'number' &&
      typeof lastStep === 'number' &&
      typeof lastUsedAt === 'number'
        ? { secret, name, confirmedAt, lastStep, lastUsedAt }
        : undefined,
    onDamaged: 'its codes are wrong',
  })
  const enrolments = recordKind<Enrolment>(host, 'totp-enrolment', {
    shape: ({ secret, name }) =>
      typeof secret === 'string' && typeof name === 'string' ? { secret, name } : undefined,
  })
  const sealer = keys.sealer('totp')

  async function open(
    text: string,
    bound: { key: string; userId: string },
  ): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const secret = (await sealer.open(text, bound))?.['secret']
    const bytes = typeof secret === 'string' ? decodeBase32(secret) : undefined
    if (!bytes)
      logger.error(
        new Error(
          `the secret of the authenticator ${bound.key} cannot be opened: it was sealed with a secret that is no longer configured, or changed`,
        ),
      )
    return bytes
  }

  /** Marks the step of a code as used. @returns whether no other call was faster. */
  async function spend(found: KindRecord<Authenticator>, step: number): Promise<boolean> {
    let record: KindRecord<Authenticator> | null = found
    for (let tries = 0; tries < 2 && record; tries++) {
      if (step <= record.data.lastStep) return false
      const data = { ...record.data, lastStep: step, lastUsedAt: ports.now() }
      if (await kind.replace(record, { data })) return true
      record = await kind.get(found.key)
    }
    return false
  }

  async function list(userId: string): Promise<KindRecord<Authenticator>[]> {
    const { totp } = (await states.get(userId))?.data ?? NO_FACTORS
    const all = await Promise.all(totp.map((id) => kind.get(id)))
    return all.flatMap((each) => (each?.userId === userId ? each : []))
  }

  return {
    kind,
    list,
    async begin(userId: string, name: string): Promise<NewSecret> {
      const open = await enrolments.some(userId, 100)
      const oldest = open.toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
      for (const { key } of oldest.slice(0, Math.max(0, open.length - MOST_ENROLMENTS + 1)))
        await enrolments.delete(key)
      const id = encodeBase64url(ports.random(ID_LENGTH))
      const secret = encodeBase32(ports.random(SECRET_LENGTH))
      const sealed = await sealer.seal({ secret }, { key: id, userId })
      const expires = new Date(ports.now() + ENROLMENT_AGE)
      await enrolments.create({ key: id, userId, data: { secret: sealed, name }, expires })
      return { id, secret, name }
    },
    async enrolment(userId: string, id: string): Promise<NewSecret> {
      const record = await enrolments.get(id)
      const bytes =
        record?.userId === userId ? await open(record.data.secret, { key: id, userId }) : undefined
      if (!record || !bytes) throw new Problem('not_found', 'there is no such enrolment')
      return { id, secret: encodeBase32(bytes), name: record.data.name }
    },
    async confirm({ id, secret, name }: NewSecret, userId: string, code: string): Promise<boolean> {
      const bytes = decodeBase32(secret)
      const now = ports.now()
      const step = bytes && (await stepOf(code, bytes, now))
      if (step === undefined) return false
      const sealed = await sealer.seal({ secret }, { key: id, userId })
      const data = { secret: sealed, name, confirmedAt: now, lastStep: step, lastUsedAt: now }
      const isCreated = await kind.create({ key: id, userId, data })
      await enrolments.delete(id)
      return isCreated
    },
    async prove(userId: string, code: string): Promise<boolean> {
      const now = ports.now()
      const all = await list(userId)
      const steps = await Promise.all(
        all.map(async ({ key, data }) => {
          const bytes = await open(data.secret, { key, userId })
          return bytes && stepOf(code, bytes, now)
        }),
      )
      const at = steps.findIndex((step) => step !== undefined)
      const [record, step] = [all[at], steps[at]]
      return record !== undefined && step !== undefined && spend(record, step)
    },
    async endEnrolments(userId: string): Promise<void> {
      for await (const { key } of enrolments.each(userId)) await enrolments.delete(key)
    },
    async remove(ids) {
      for (const id of ids) await kind.delete(id)
    },
  }
}
