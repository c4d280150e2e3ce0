/** Builds both packages, module by module, and removes what was built from sources that are gone. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

for (const name of ['latchkey', 'server']) {
  const directory = join(root, 'packages', name)
  prune(directory)
  const { status } = spawnSync('tsc', ['-p', directory], { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}

function prune(directory: string): void {
  const dist = join(directory, 'dist')
  if (!existsSync(dist)) return
  for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    const source = file.match(/^(.*?)(?:\.d\.ts|\.js)(?:\.map)?$/)?.[1]
    if (source !== undefined && !existsSync(join(directory, 'src', `${source}.ts`)))
      rmSync(join(dist, file))
  }
}
