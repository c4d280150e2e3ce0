import { type PhcHash, parsePhc, serializePhc } from './phc.ts'

/** The hash of a digest of another system, which is too fast to be stored as it is. */
export interface Wrapped {
  /** The id of the system. */
  readonly id: string
  /** What the system needs to compute the digest, beside the password. */
  readonly data: string | undefined
  readonly hash: PhcHash
}

const PREFIX = '$latchkey-wrap$'
const FORM = /^\$latchkey-wrap\$([a-z][a-z\d-]{0,31})(?:,([\w-]{1,512}))?(\$.+)$/

export function isWrapped(stored: string): boolean {
  return stored.startsWith(PREFIX)
}

export function parseWrapped(stored: string): Wrapped | undefined {
  const [, id = '', data, phc = ''] = FORM.exec(stored) ?? []
  const hash = parsePhc(phc)
  return hash && { id, data, hash }
}

export function serializeWrapped({ id, data, hash }: Wrapped): string {
  return `${PREFIX}${id}${data === undefined ? '' : `,${data}`}${serializePhc(hash)}`
}
