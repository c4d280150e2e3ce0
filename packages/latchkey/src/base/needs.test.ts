import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { needs, unmet } from './needs.ts'

const orm = { what: 'latchkey/adapters/acme', name: 'acme-orm', from: '0.36', before: '1' }

test.for(['0.36.0', '0.36.4-7ab12', '0.45', '0.100.0'])('accepts version %s', (found) => {
  expect(() => needs(orm, found)).not.toThrow()
})

test.for(['0.35.9', '0.9.1', '1.0.0', '1.0.0-rc.5', '2.3.4', '10.0.0'])(
  'refuses version %s',
  (found) => {
    expect(() => needs(orm, found)).toThrow(`found ${found}`)
  },
)

test('accepts a package of unknown version', () => {
  expect(() => needs(orm, undefined)).not.toThrow()
})

test('an error names the required, the found and the working versions, the command and the docs', () => {
  expect(unmet(orm, '1.0.0')).toBe(
    'latchkey/adapters/acme needs acme-orm 0.36 or later, below 1, found 1.0.0: run npm install "acme-orm@>=0.36 <1" (latchkey/docs/reference/errors.md#a-package-is-missing-or-too-old)',
  )
  expect(unmet({ what: 'a passkey provider', name: 'acme', from: '11' }, 'none')).toBe(
    'a passkey provider needs acme 11 or later, found none: run npm install "acme@>=11" (latchkey/docs/reference/errors.md#a-package-is-missing-or-too-old)',
  )
})

test('the migration guide from Auth.js names the packages that the parts need', () => {
  const source = join(import.meta.dirname, '..')
  const sources = globSync('**/*.ts', { cwd: source, exclude: ['**/*.test.ts'] })
  const requirement =
    /what: '([^']+)',\s*name: '([^']+)',\s*from: '([^']+)'(?:,\s*before: '([^']+)')?/g
  const rows = sources.flatMap((file) => {
    const text = readFileSync(join(source, file), 'utf8')
    return [...text.matchAll(requirement)].map(([, what = '', name, from, before]) => {
      const part = what.startsWith('latchkey/') ? `\`${what}\`` : what
      return `| ${part} | \`${name}\` ${from} or later${before ? `, below ${before}` : ''} |`
    })
  })
  const guide = new URL('../../../../docs/how-to/move-from-auth-js.md', import.meta.url)
  const stated = readFileSync(guide, 'utf8').match(/^ *\| .* or later.* \|$/gm) ?? []
  expect(stated.map((row) => row.trim()).sort()).toEqual(rows.sort())
})
