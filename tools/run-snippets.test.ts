import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const read = (path: string): string =>
  readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8')

const tool = read('run-snippets.ts')
const page = read('../docs/how-to/protect-an-api.md')

/** The code for other languages and proxies, each with the paragraph before it. */
const snippets = [
  ...page
    .slice(page.indexOf('## In other languages'), page.indexOf('## Keys without a store'))
    .matchAll(/\n\n(\*\*[^`][^\n]*(?:\n[^\n]+)*):\n\n(```[a-z]+\n\S*)/g),
].map(([, paragraph = '', code = '']) => ({ paragraph, code }))

test('TOK-10: the page has code for these languages and proxies', () => {
  expect(snippets.map(({ paragraph }) => /\*\*(.*?)\*\*/.exec(paragraph)?.[1])).toEqual([
    'Python',
    'Go',
    'Java',
    'Spring Security',
    'nginx',
    'Caddy',
    'Traefik',
    'Envoy',
  ])
  expect(page).toContain('the algorithm (`ES256`), `typ` (`at+jwt`),\n`iss`, `aud` and `exp`')
})

test.each(snippets)('TOK-10: the tool runs $code, or the page says that it does not', (snippet) => {
  const begins = [...tool.matchAll(/begins: '(.*)'/g)].map(([, text = '']) =>
    text.replaceAll('\\n', '\n').trimEnd(),
  )
  const isRun = begins.some((start) => snippet.code.startsWith(start))
  const isMarked = snippet.paragraph.includes('not run by our tests')
  expect(isRun).toBe(!isMarked)
})
