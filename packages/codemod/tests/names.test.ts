import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { LATCHKEY_RANGE, MODULES, NAMES, REPLACEMENTS, targetOf } from '../src/modules.ts'

const library = join(import.meta.dirname, '../../latchkey')

const manifest = JSON.parse(readFileSync(join(library, 'package.json'), 'utf8')) as {
  version: string
  exports: Record<string, { source: string } | string>
}

/** The source of a public module. */
function sourceOf(module: string): string | undefined {
  const subpath = module.replace(/^latchkey/, '.')
  const target = manifest.exports[subpath] ?? manifest.exports['./providers/*']
  if (typeof target !== 'object') return undefined
  const file = target.source.replace('*', subpath.replace('./providers/', ''))
  return globSync(file, { cwd: library })[0]
}

describe('each module and name that the codemod writes exists in Latchkey:', () => {
  const modules = [
    ...Object.values(MODULES),
    ...Object.keys(NAMES),
    ...Object.values(REPLACEMENTS).flatMap(({ imports }) => Object.values(imports)),
  ]

  test.each([...new Set(modules)])('%s', (module) => {
    expect(sourceOf(module)).toBeDefined()
  })

  test.each(
    Object.entries(NAMES).flatMap(([module, names]) =>
      Object.entries(names).flatMap(([name, change]) =>
        'leave' in change ? [] : [[change.from ?? module, change.name ?? name] as const],
      ),
    ),
  )('%s: %s', (module, name) => {
    const text = readFileSync(join(library, sourceOf(module) ?? ''), 'utf8')
    expect(text).toMatch(new RegExp(`(?:\\b(?:type|interface|as|function)|[{,])\\s+${name}\\b`))
  })

  test('in the version of Latchkey that the codemod installs', () => {
    expect(LATCHKEY_RANGE).toBe(`^${manifest.version}`)
  })
})

describe('a moved module becomes', () => {
  test.each([
    ['next-auth/providers/github', 'latchkey/providers/github'],
    ['next-auth/providers', 'latchkey/providers'],
    ['next-auth/providers/index', 'latchkey/providers'],
    ['next-auth/providers/oauth', 'latchkey/providers/oauth'],
    ['@auth/core/providers/github', 'latchkey/providers/github'],
    ['@auth/express/providers/github', 'latchkey/providers/github'],
    ['@auth/sveltekit/adapters', 'latchkey/adapters'],
    ['@next-auth/prisma-adapter', '@auth/prisma-adapter'],
  ])('%s: %s', (before, after) => {
    expect(targetOf(before)).toEqual({ to: after })
  })

  test.each(['next-auth/client', '@auth/core/lib/utils/cookie', '@next-auth/fauna-adapter'])(
    '%s: left to a person',
    (specifier) => {
      expect(targetOf(specifier)).toHaveProperty('leave')
    },
  )

  test.each(['next', '@auth/pg-adapter', 'next-auth-http-adapter', './next-auth', '@auth0/auth0'])(
    '%s: itself',
    (specifier) => {
      expect(targetOf(specifier)).toBeUndefined()
    },
  )
})
