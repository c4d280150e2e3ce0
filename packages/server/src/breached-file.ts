import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import type { BreachedPort } from 'latchkey/plugins/passwords/breached'

/** The shortest beginning of a hash that a line may have, in hexadecimal digits. A shorter one would name innocent passwords. */
const SHORTEST = 10
/** Bytes in which a whole line is looked for: the longest has a hash of 40 digits and a count. */
const WINDOW = 256

/**
 * Looks passwords up in a file: one SHA-1 hash in hexadecimal in each line, or the first digits of one, in ascending order,
 * optionally with a colon and a count. It is the format of the downloads of Pwned Passwords that are ordered by hash.
 */
export function breachedFile(path: string): BreachedPort {
  return {
    async isBreached(password) {
      const hash = createHash('sha1').update(password).digest('hex').toUpperCase()
      const file = await open(path, 'r')
      try {
        return await hasHash(hash, file)
      } finally {
        await file.close()
      }
    },
  }
}

/** Searches the lines by halving the file, which may have gigabytes. */
async function hasHash(hash: string, file: FileHandle): Promise<boolean> {
  let low = 0
  let high = (await file.stat()).size
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const { start, end, text } = await lineAt(middle, file)
    const digits = text.split(':')[0]?.trim().toUpperCase() ?? ''
    if (digits.length >= SHORTEST && hash.startsWith(digits)) return true
    if (digits < hash) low = end
    else high = start
  }
  return false
}

/** Returns the line that has the byte at a position. */
async function lineAt(
  position: number,
  file: FileHandle,
): Promise<{ start: number; end: number; text: string }> {
  const from = Math.max(0, position - WINDOW)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(2 * WINDOW), 0, 2 * WINDOW, from)
  const bytes = buffer.subarray(0, bytesRead)
  const at = position - from
  const start = bytes.lastIndexOf(0x0a, at - 1) + 1
  const next = bytes.indexOf(0x0a, at)
  const end = next < 0 ? bytes.length : next + 1
  return {
    start: from + (at === 0 ? 0 : start),
    end: from + end,
    text: bytes.toString('latin1', at === 0 ? 0 : start, end),
  }
}
