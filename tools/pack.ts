/**
 * Packs each package that is published, from what was built last, into the folder `packed`: one tarball each, whose name
 * has no version.
 *
 *     npm run pack
 *     npm install ../latchkey/packed/latchkey.tgz     in the folder of an application
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { folderOf, published, stage } from './stage.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const packed = join(root, 'packed')

rmSync(packed, { recursive: true, force: true })
mkdirSync(packed)
for (const name of published) {
  const staged = join(folderOf(name), '.package')
  stage(name, staged)
  const manifest = readFileSync(join(staged, 'package.json'), 'utf8')
  const { name: called, version } = JSON.parse(manifest) as Record<'name' | 'version', string>
  const flags = ['pack', '--pack-destination', packed, '--loglevel=error']
  execFileSync('npm', flags, { cwd: staged, stdio: 'pipe', shell: process.platform === 'win32' })
  const tarball = join(packed, `${called}.tgz`)
  renameSync(join(packed, `${called}-${version}.tgz`), tarball)
  console.log(`${relative(process.cwd(), tarball)}  ${called} ${version}`)
}
