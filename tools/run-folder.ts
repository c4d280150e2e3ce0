import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder for what several files of tests share; gone after the run. */
    runFolder: string
  }
}

export default function makeRunFolder(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-run-'))
  project.provide('runFolder', folder)
  return () => rmSync(folder, { recursive: true, force: true })
}
