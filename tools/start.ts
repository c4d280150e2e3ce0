/** `npm start`: builds, then serves. Arguments go to `latchkey serve`. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { run } from './ensure-installed.mjs'

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

const build = spawnSync(process.execPath, [file('build.ts')], { stdio: 'inherit' })
if (build.status !== 0) process.exit(1)
process.exitCode = await run(process.execPath, [
  file('../packages/server/dist/cli/main.js'),
  'serve',
  ...process.argv.slice(2),
])
