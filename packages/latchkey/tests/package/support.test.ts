import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { minimum } from './minimum.ts'
import { root } from './packed.ts'

const page = readFileSync(join(root, 'docs/reference/support.md'), 'utf8')

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

const manifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest

const rows = page.split('\n').flatMap((line) => {
  const [, name, supported, examples] =
    /`(\S+)` \| ([\d., ]+)(?: and later)? \| (.*) \|$/.exec(line) ?? []
  if (name === undefined || supported === undefined || examples === undefined) return []
  return [
    {
      name,
      majors: supported.split(', ').map((version) => version.split('.')[0]),
      examples: [...examples.matchAll(/examples\/([\w-]+)/g)].map(([, folder]) => folder ?? ''),
    },
  ]
})

test.each(rows)('the page about support names the version of $name in its examples', (row) => {
  for (const example of row.examples) {
    const { dependencies, devDependencies } = manifest(`examples/${example}`)
    const version = { ...dependencies, ...devDependencies }[row.name]
    expect(row.majors).toContain(version?.split('.')[0])
  }
})

test('the page about support names every example of a framework', () => {
  const folders = globSync('examples/*/package.json', { cwd: root })
    .map((file) => basename(dirname(file)))
    .filter((folder) => !['account-page', 'plugin', 'shared'].includes(folder))
  expect(rows.flatMap(({ examples }) => examples).sort()).toEqual(folders.sort())
})

test('the page about support names the versions of the runtimes in the manifests', () => {
  expect(page).toContain(`| ${minimum}.0, the oldest supported version |`)
  const { bun, deno, miniflare } = manifest('interop/runtimes').devDependencies ?? {}
  expect(page).toContain(`| Bun | ${bun} |`)
  expect(page).toContain(`| Deno | ${deno} |`)
  expect(page).toContain(`| workerd | ${miniflare} of \`miniflare\` |`)
})
