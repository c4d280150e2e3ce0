/**
 * Makes the list of common passwords that the plugin `passwords` refuses: the most common ones of
 * `@zxcvbn-ts/language-common` with 8 characters or more, as sorted starts of their SHA-256.
 *
 *     node tools/make-blocklist.ts            is the committed module what is made now?
 *     node tools/make-blocklist.ts --write    writes it
 */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { dictionary } from '@zxcvbn-ts/language-common'
import { PREFIX_LENGTH } from '../packages/latchkey/src/plugins/passwords/rules/blocklist.ts'
import {
  countCodePoints,
  foldPassword,
} from '../packages/latchkey/src/plugins/passwords/rules/normal-form.ts'

const rules = fileURLToPath(
  new URL('../packages/latchkey/src/plugins/passwords/rules', import.meta.url),
)
const target = join(rules, 'blocklist.generated.ts')

/** No password may have fewer, whatever the options are. */
const LEAST_LENGTH = 8

/** The passwords that are refused, folded. */
export const common: readonly string[] = [
  ...new Set(dictionary['passwords-common'].map((each) => foldPassword(String(each)))),
].filter((each) => countCodePoints(each) >= LEAST_LENGTH)

/** Returns the module. */
export function makeBlocklist(): string {
  const prefixes = common
    .map((each) => createHash('sha256').update(each).digest().subarray(0, PREFIX_LENGTH))
    .sort(Buffer.compare)
  return `// Made by tools/make-blocklist.ts out of @zxcvbn-ts/language-common. Do not change it here.

/** The first ${PREFIX_LENGTH} bytes of the SHA-256 of ${common.length} common passwords, sorted, as base64. */
// biome-ignore format: one line
export const prefixes = '${Buffer.concat(prefixes).toString('base64')}'
`
}

/** Returns the module as it is committed. */
export function committedBlocklist(): string {
  return readFileSync(target, 'utf8')
}

if (import.meta.main) {
  if (process.argv.includes('--write')) writeFileSync(target, makeBlocklist())
  else if (makeBlocklist() !== committedBlocklist()) {
    console.error(`${target} is not what is made now: node tools/make-blocklist.ts --write`)
    process.exitCode = 1
  }
}
