#!/usr/bin/env node
import { tooOld } from './node-version.ts'
import { dropKnownWarnings } from './quiet.ts'

const mistake = tooOld(process.versions.node)
if (mistake === undefined) {
  dropKnownWarnings()
  // Only now: an older Node.js fails at what this one imports.
  const { run } = await import('./run.ts')
  process.exitCode = await run(process.argv.slice(2))
} else {
  console.error(mistake)
  process.exitCode = 1
}
