#!/usr/bin/env node
import { dropKnownWarnings } from './quiet.ts'
import { run } from './run.ts'

dropKnownWarnings()
process.exitCode = await run(process.argv.slice(2))
