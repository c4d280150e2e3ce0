import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { root, run } from '../packages/latchkey/tests/package/packed.ts'
import { ensureBuilt } from './ensure-built.ts'
import { published, stage } from './stage.ts'

/** Only `npm pack` of a folder changes files, and other tests read them: it runs in a copy. */
function copyOfTheRepository(): string {
  const copy = mkdtempSync(join(inject('runFolder'), 'repository-'))
  const parts = [
    'docs',
    'package.json',
    'tsconfig.base.json',
    ...globSync('tools/*.ts', { cwd: root }),
  ]
  for (const part of parts) cpSync(join(root, part), join(copy, part), { recursive: true })
  for (const name of published)
    cpSync(join(root, 'packages', name), join(copy, 'packages', name), {
      recursive: true,
      filter: (file) => !/[\\/](?:node_modules|tests|dist|\.package)$/.test(file),
    })
  for (const folder of ['.', 'packages/latchkey', 'packages/server'])
    symlinkSync(join(root, folder, 'node_modules'), join(copy, folder, 'node_modules'))
  return copy
}

/** Returns the manifest in a tarball and the names of all files in it. */
function contentOf(tarball: string): { manifest: unknown; files: string[] } {
  const folder = `${tarball}.content`
  mkdirSync(folder)
  run('tar', ['-xzf', tarball, '-C', folder], root)
  const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package/package.json'), 'utf8'))
  const files = globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length))
  return { manifest, files: files.sort() }
}

test('APP-7: npm pack of a folder makes the same package as npm run pack', {
  timeout: 300_000,
}, () => {
  const copy = copyOfTheRepository()
  const manifestOf = (name: string) => join(copy, 'packages', name, 'package.json')
  const before = published.map((name) => readFileSync(manifestOf(name), 'utf8'))
  const folders = published.map((name) => `./packages/${name}`)
  run('npm', ['pack', ...folders, '--loglevel=error'], copy)

  expect(published.map((name) => readFileSync(manifestOf(name), 'utf8'))).toEqual(before)
  expect(existsSync(join(copy, 'packages/latchkey/docs'))).toBe(false)

  run('node', ['tools/pack.ts'], copy)
  const tarballs = globSync('*.tgz', { cwd: join(copy, 'packed') }).sort()
  expect(tarballs).toEqual(['latchkey-codemod.tgz', 'latchkey-server.tgz', 'latchkey.tgz'])
  const contents = tarballs.map((tarball) => contentOf(join(copy, 'packed', tarball)))
  for (const [index, tarball] of tarballs.entries()) {
    const [inPlace = ''] = globSync(tarball.replace('.tgz', '-[0-9]*.tgz'), { cwd: copy })
    const packed = contents[index]
    expect(contentOf(join(copy, inPlace)), tarball).toEqual(packed)
    expect(packed?.files).toContain('/package/README.md')
    expect(JSON.stringify(packed?.manifest)).not.toMatch(/"(?:source|scripts|devDependencies)":/)
  }
  const library = contents.at(-1)
  expect(library?.manifest).toHaveProperty('typesVersions')
  expect(library?.files).toContain('/package/docs/README.md')
})

test('APP-7: npx runs the packed codemod as the docs say, from any folder', {
  timeout: 120_000,
}, () => {
  ensureBuilt()
  const folder = mkdtempSync(join(inject('runFolder'), 'npx-'))
  const packed = join(folder, 'latchkey/packed')
  stage('codemod', join(packed, 'codemod'))
  run('npm', ['pack', './codemod', '--loglevel=error'], packed)
  const [tarball = ''] = globSync('*.tgz', { cwd: packed })
  renameSync(join(packed, tarball), join(packed, 'latchkey-codemod.tgz'))

  const guide = readFileSync(join(root, 'docs/reference/support.md'), 'utf8')
  const [, argument = ''] = /^npx (\S+latchkey-codemod\.tgz) /m.exec(guide) ?? []
  // Without `file:`, npx takes the tarball of a folder further up for a program.
  const application = join(folder, 'work/application')
  mkdirSync(application, { recursive: true })
  writeFileSync(join(application, 'package.json'), '{ "dependencies": { "next-auth": "5" } }')
  // `npm exec -c`, which may run the tests, would pass its command on.
  const options = ['--yes', '--call=', '--prefer-offline']
  const printed = run(
    'npx',
    [...options, argument.replace('../', '../../'), '--dry-run'],
    application,
  )
  expect(printed).toContain('"latchkey":')
})
