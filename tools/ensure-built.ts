import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** One file of each package that a build writes. */
const outputs = ['latchkey/dist/entries/index.js', 'server/dist/index.js', 'codemod/dist/main.js']

/**
 * Builds the packages if they were not built; tests see what was built last. Never builds again: other tests run what
 * is in the folders, and would find a file that is half written.
 */
export function ensureBuilt(): void {
  if (!outputs.every((file) => existsSync(`${root}packages/${file}`)))
    execFileSync(process.execPath, ['tools/build.ts'], { cwd: root })
}
