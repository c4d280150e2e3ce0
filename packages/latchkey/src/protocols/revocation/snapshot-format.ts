/** The first bytes of a snapshot. */
const MAGIC = 0x4c4b_5231
const HEADER = 24
const SESSION = 4
const USER = 10
/** A flag: there were too many entries, so each session may have ended. */
const FULL = 1

/** The maximum size of a snapshot that is read, in bytes. */
export const LONGEST_SNAPSHOT: number = 64 * 1024 * 1024

/** The ended sessions for verifiers without a store: the first four bytes of names and ids. */
export interface PackedSnapshot {
  /** The number of the last entry of the log that was read. */
  readonly seq: number
  readonly isFull: boolean
  /** In ascending order, each once. */
  readonly sessions: Iterable<number> & { readonly length: number }
  /** Epochs in milliseconds, in ascending order of fingerprints, each once. */
  readonly users: readonly (readonly [fingerprint: number, epoch: number])[]
}

/** All numbers are big-endian. */
export function packSnapshot({
  seq,
  isFull,
  sessions,
  users,
}: PackedSnapshot): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(HEADER + SESSION * sessions.length + USER * users.length)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, MAGIC)
  view.setUint32(4, isFull ? FULL : 0)
  setUint48(view, 10, seq)
  view.setUint32(16, sessions.length)
  view.setUint32(20, users.length)
  let at = HEADER
  for (const fingerprint of sessions) {
    view.setUint32(at, fingerprint)
    at += SESSION
  }
  for (const [fingerprint, epoch] of users) {
    view.setUint32(at, fingerprint)
    setUint48(view, at + 4, epoch)
    at += USER
  }
  return bytes
}

/** @throws {TypeError} for an invalid snapshot. */
export function unpackSnapshot(bytes: Uint8Array): PackedSnapshot {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const isThere = bytes.length >= HEADER && view.getUint32(0) === MAGIC
  const [many, manyUsers] = isThere ? [view.getUint32(16), view.getUint32(20)] : [0, 0]
  if (!isThere || bytes.length !== HEADER + SESSION * many + USER * manyUsers) {
    throw new TypeError('the snapshot of ended sessions is incomplete or has another format')
  }
  const ascending = (at: number, step: number): number => {
    const fingerprint = view.getUint32(at)
    if (at >= step && fingerprint <= view.getUint32(at - step)) {
      throw new TypeError('the snapshot of ended sessions is not sorted')
    }
    return fingerprint
  }
  const sessions = new Uint32Array(many)
  for (let index = 0; index < many; index++) {
    const at = HEADER + SESSION * index
    sessions[index] = index === 0 ? view.getUint32(at) : ascending(at, SESSION)
  }
  const users: [number, number][] = []
  for (let index = 0; index < manyUsers; index++) {
    const at = HEADER + SESSION * many + USER * index
    const fingerprint = index === 0 ? view.getUint32(at) : ascending(at, USER)
    users.push([fingerprint, getUint48(view, at + 4)])
  }
  return { seq: getUint48(view, 10), isFull: (view.getUint32(4) & FULL) !== 0, sessions, users }
}

function setUint48(view: DataView, at: number, value: number): void {
  view.setUint16(at, Math.floor(value / 2 ** 32))
  view.setUint32(at + 2, value % 2 ** 32)
}

function getUint48(view: DataView, at: number): number {
  return view.getUint16(at) * 2 ** 32 + view.getUint32(at + 2)
}
