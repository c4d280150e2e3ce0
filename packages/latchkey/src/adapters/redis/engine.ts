import { encodeHex } from '../../base/encoding/hex.ts'
import { withDocs } from '../../base/option-error.ts'
import { parseRecord, type RecordName, type Records } from '../records.ts'
import type { RedisClient } from './client.ts'

/** Runs scripts and reads their results. The prefix is the first argument of each script. */
export interface Engine {
  word(script: string, keys: string[], ...args: string[]): Promise<string>
  number(script: string, keys: string[], ...args: string[]): Promise<number>
  /** Returns the stored texts. An empty text stands for one that is missing. */
  texts(script: string, keys: string[], ...args: string[]): Promise<string[]>
  record<Name extends RecordName>(
    name: Name,
    script: string,
    keys: string[],
    ...args: string[]
  ): Promise<Records[Name] | null>
}

export function createEngine(client: RedisClient, prefix: string): Engine {
  const run = async (script: string, keys: string[], args: string[]): Promise<unknown> => {
    const all = [prefix, ...args]
    try {
      return await client.evalSha(await digestOf(script), keys, all)
    } catch (error) {
      if (hasCode(error, 'CROSSSLOT')) throw crossSlotError(prefix, error)
      if (!hasCode(error, 'NOSCRIPT')) throw error
      return client.eval(script, keys, all)
    }
  }

  const texts: Engine['texts'] = async (script, keys, ...args) => {
    const answer = await run(script, keys, args)
    const stored = Array.isArray(answer) ? answer : [answer]
    return stored.map((text) => String(text).slice(1))
  }

  return {
    word: async (script, keys, ...args) => String(await run(script, keys, args)),
    number: async (script, keys, ...args) => Number(await run(script, keys, args)),
    texts,
    async record(name, script, keys, ...args) {
      const [text = ''] = await texts(script, keys, ...args)
      return text === '' ? null : parseRecord(name, text)
    },
  }
}

const hasCode = (error: unknown, code: string): error is Error =>
  error instanceof Error && error.message.includes(code)

function crossSlotError(prefix: string, cause: Error): Error {
  const message = `CROSSSLOT: the keys of the adapter are on several machines of the cluster; set \`prefix\` to one with a hash tag, for example \`{${prefix.replace(/:$/, '')}}:\``
  return new Error(withDocs(message, 'adapter'), { cause })
}

const digests = new Map<string, Promise<string>>()

/** Returns the SHA-1 of a script, by which a server knows it. */
function digestOf(script: string): Promise<string> {
  const known = digests.get(script)
  if (known) return known
  const digest = crypto.subtle
    .digest('SHA-1', new TextEncoder().encode(script))
    .then((bytes) => encodeHex(new Uint8Array(bytes)))
  digests.set(script, digest)
  return digest
}

/**
 * Returns the milliseconds since the epoch.
 *
 * @throws {RangeError} for an invalid date: a script would stop halfway, or treat the entry as expired.
 */
export function time(date: Date): string {
  const milliseconds = date.getTime()
  if (Number.isNaN(milliseconds))
    throw new RangeError(withDocs('`expires` must be a valid Date', 'adapterCall'))
  return String(milliseconds)
}
