import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { interopProjects, isInstalled } from './ensure-installed.mjs'

type Packages = Record<string, { version?: string; integrity?: string; optional?: boolean }>

const cookie = { version: '2.0.2', integrity: 'sha512-a' }

/** A folder with a lockfile that wants one and a `node_modules` that has the other. */
function project(wanted: Packages, present: Packages | undefined): string {
  const directory = mkdtempSync(join(tmpdir(), 'installed-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  writeFileSync(join(directory, 'package-lock.json'), JSON.stringify({ packages: wanted }))
  if (!present) return directory
  mkdirSync(join(directory, 'node_modules'))
  writeFileSync(
    join(directory, 'node_modules/.package-lock.json'),
    JSON.stringify({ packages: present }),
  )
  return directory
}

test('nothing is installed if node_modules matches the lockfile', () => {
  const optional = { version: '1.0.0', optional: true }
  const wanted = { '': {}, 'node_modules/cookie': cookie, 'node_modules/other-platform': optional }
  expect(isInstalled(project(wanted, { 'node_modules/cookie': cookie }))).toBe(true)
})

test.for<[string, Packages | undefined]>([
  ['there is no node_modules', undefined],
  ['a package is missing', {}],
  ['a package has another version', { 'node_modules/cookie': { ...cookie, version: '1.0.0' } }],
  ['a package has other content', { 'node_modules/cookie': { ...cookie, integrity: 'sha512-b' } }],
  ['a package is there that nobody wants', { 'node_modules/cookie': cookie, 'node_modules/x': {} }],
])('an installation is needed if %s', ([, present]) => {
  expect(isInstalled(project({ '': {}, 'node_modules/cookie': cookie }, present))).toBe(false)
})

test('the separate projects are the folders below interop with a lockfile, some examples, and the site', () => {
  const directory = mkdtempSync(join(tmpdir(), 'installed-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  for (const name of ['stores', 'empty', 'auth'])
    mkdirSync(join(directory, 'interop', name), { recursive: true })
  for (const name of ['hono', 'another'])
    mkdirSync(join(directory, 'examples', name), { recursive: true })
  mkdirSync(join(directory, 'site'))
  for (const name of [
    'interop/stores',
    'interop/auth',
    'examples/hono',
    'examples/another',
    'site',
  ])
    writeFileSync(join(directory, name, 'package-lock.json'), '{}')
  expect(interopProjects(directory)).toEqual([
    'examples/hono',
    'interop/auth',
    'interop/stores',
    'site',
  ])
})
