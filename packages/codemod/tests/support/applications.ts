import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { codemod, type Outcome } from '../../src/codemod.ts'

export const folder: string = join(import.meta.dirname, '../applications')

export const applications: readonly string[] = readdirSync(folder, {
  withFileTypes: true,
}).flatMap((entry) => (entry.isDirectory() ? entry.name : []))

/** The files of an application, which are kept as texts, so that no tool of this repository reads them. */
export function filesOf(application: string): Map<string, string> {
  const root = join(folder, application, 'before')
  return new Map(
    globSync(['**/*.txt', '**/.*.txt'], { cwd: root }).map((file) => [
      file.replaceAll('\\', '/').replace(/\.txt$/, ''),
      readFileSync(join(root, file), 'utf8'),
    ]),
  )
}

/** What is made of files, all of them, and what is said of it. */
export function moved(
  files: ReadonlyMap<string, string>,
  adapters: 'keep' | 'replace' = 'keep',
): Outcome & { files: Map<string, string> } {
  const outcome = codemod(files, adapters)
  const result = new Map(files)
  for (const { path, after } of outcome.changes) {
    if (after === undefined) result.delete(path)
    else result.set(path, after)
  }
  return { ...outcome, files: result }
}
