#!/usr/bin/env node
import { tooOld } from './node-version.ts'
import { dropKnownWarnings } from './quiet.ts'

const mistake = tooOld(process.versions.node)
if (mistake === undefined) {
  dropKnownWarnings()
  // Imported after the check, since an older Node.js cannot load this module.
  const { run } = await import('./run.ts')
  process.exitCode = await run(process.argv.slice(2))
} else {
  console.error(mistake)
  process.exitCode = 1
}
