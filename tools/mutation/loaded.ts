import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What is loaded late would be loaded by a test, and be taken for tried on it. */
const directory = process.env['MUTATION_DIRECTORY'] ?? ''
const code: object = JSON.parse(readFileSync(join(directory, 'code.json'), 'utf8'))
await Promise.all(Object.keys(code).map((file) => import(/* @vite-ignore */ file)))
