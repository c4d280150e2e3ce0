import { cpSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { ensureBuilt } from '../../../../tools/ensure-built.ts'
import {
  core,
  type Files,
  guides,
  learn,
  named,
  passwords,
  roles,
  stored,
  versionFour,
} from './moved/applications.ts'
import { root, run } from './packed.ts'

const library = join(root, 'packages/latchkey')

/** Where `docs/how-to/move-from-auth-js.md` says that each module is. */
const moved: readonly (readonly [RegExp, string])[] = [
  [/(['"])next-auth\/(?:react|webauthn)\1/g, "'latchkey/react'"],
  [/(['"])next-auth\/(jwt|adapters|providers(?:\/[\w-]+)?)\1/g, "'latchkey/$2'"],
  [/(['"])next-auth\1/g, "'latchkey/next'"],
  [/(['"])@auth\/core\/(jwt|types|adapters|errors|providers(?:\/[\w-]+)?)\1/g, "'latchkey/$2'"],
  [/(['"])@auth\/core\1/g, "'latchkey'"],
]

/** The text with the imports of the guide. */
function withNewImports(source: string): string {
  return moved.reduce((text, [from, to]) => text.replaceAll(from, to), source)
}

/** Compiles an application with the library as it was built last, and with Next.js unless `next` is false. */
function compile(files: Files, { next = true } = {}): string {
  ensureBuilt()
  const project = mkdtempSync(join(inject('runFolder'), 'moved-'))
  const modules = join(project, 'node_modules')
  mkdirSync(modules)
  const installed = join(root, 'examples/next/node_modules')
  const left = next ? /^(?:latchkey.*|\..*)$/ : /^(?:latchkey.*|\..*|next|@next)$/
  for (const name of readdirSync(installed)) {
    if (!left.test(name)) symlinkSync(join(installed, name), join(modules, name))
  }
  for (const part of ['dist', 'package.json'])
    cpSync(join(library, part), join(modules, 'latchkey', part), { recursive: true })
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2023', 'dom', 'dom.iterable'],
    module: 'esnext',
    moduleResolution: 'bundler',
    jsx: 'preserve',
    strict: true,
    noEmit: true,
    skipLibCheck: next,
    types: ['node'],
    paths: { '@/*': ['./*'] },
  }
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  for (const [name, source] of Object.entries(files)) {
    mkdirSync(dirname(join(project, name)), { recursive: true })
    writeFileSync(join(project, name), withNewImports(source))
  }
  return run('tsc', ['-p', project, '--preserveSymlinks'], root)
}

test.for([
  ['the Next.js Learn course', learn],
  ['an application with passwords and roles', passwords],
  ['an application with an adapter', stored],
  ['an application with roles and an adapter of another package', roles],
  ['an application that augments `@auth/core`', core],
  ['the guides of Auth.js', guides],
  ['the client of an application of version 4', versionFour],
] as const)(
  'the lines of %s compile once the imports are changed',
  { timeout: 120_000 },
  ([, files]) => {
    expect(compile(files)).toBe('')
  },
)

test('the lines that the guide names do not compile, and its replacements do', {
  timeout: 120_000,
}, () => {
  expect(compile(named)).toBe('')
})

test('the types of `latchkey/next` compile without Next.js', {
  timeout: 120_000,
}, () => {
  const source = `
import type { NextAuthConfig, NextAuthRequest } from 'latchkey/next'
export const config: NextAuthConfig = { providers: [], callbacks: { authorized: ({ request }) => request.url !== '' } }
export const url = (request: NextAuthRequest): string => request.url
`
  expect(compile({ 'app.ts': source }, { next: false })).toBe('')
})
