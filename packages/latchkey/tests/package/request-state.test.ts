import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const src = fileURLToPath(new URL('../../src/', import.meta.url))

const KEYED = /\bWeak(?:Map|Set)<\s*(\w*(?:Request|Event|Headers|Jar)\b)/g

/** Frameworks hand on one object for each request, and nothing of ours is between it and these files. */
const ALLOWED = /^integrations\//

const keyedIn = (source: string): string[] =>
  [...source.matchAll(KEYED)].map(([, type = '']) => type)

test('PAIR-4: nothing in the core and in plugins is keyed by a request, since a wrapper may replace it', () => {
  const files = globSync('**/*.ts', { cwd: src }).filter(
    (file) => !file.endsWith('.test.ts') && !ALLOWED.test(file),
  )
  expect(files.length).toBeGreaterThan(300)
  const keyed = files.flatMap((file) =>
    keyedIn(readFileSync(src + file, 'utf8')).map((type) => `${file}: ${type}`),
  )
  expect(keyed).toEqual([])
})

test('PAIR-4: the check finds maps and sets that are keyed by a request', () => {
  expect(
    keyedIn('new WeakMap<SessionRequest, Begun>(); const seen = new WeakSet<\n  Request>()'),
  ).toEqual(['SessionRequest', 'Request'])
  expect(keyedIn('new WeakMap<Adapter, Map<string, Request>>()')).toEqual([])
})
