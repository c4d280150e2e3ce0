import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { states } from './states.ts'

const packages = fileURLToPath(new URL('../../../', import.meta.url))
const plugins = 'latchkey/src/plugins'

/** Folders with modules that make pages. */
const folders = [
  'latchkey/src/pages',
  ...readdirSync(join(packages, plugins))
    .map((plugin) => `${plugins}/${plugin}/pages`)
    .filter((folder) => existsSync(join(packages, folder))),
  'server/src',
]

const modules = folders.flatMap((folder) =>
  readdirSync(join(packages, folder), { recursive: true })
    .map((file) => join(folder, String(file)))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts')),
)

/** Their exported functions whose names say that they return a page. */
const pages = modules.flatMap((module) =>
  [
    ...readFileSync(join(packages, module), 'utf8').matchAll(
      /^export (?:async )?function ((?!send)[a-z]+(?:[A-Z]\w*)?(?:Page|Overview))\b/gm,
    ),
  ].map(([, name]) => `${module} ${name}`),
)

describe('the gallery', () => {
  test.each(states)(
    '$name is a page whose heading is one sentence, and from which something leads on',
    async ({ open }) => {
      const answer = await open({ lang: 'en' })
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
      const page = await answer.text()
      const [, heading, rest] = /<h1[^>]*>(.*?)<\/h1>(.*)<\/main>/s.exec(page) ?? []
      expect(heading).toMatch(/^[^.]+(?:\.\w[^.]*)*$/)
      if (!page.includes('<nav ')) expect(rest).toMatch(/<a [^>]*href="|<button /)
    },
  )

  test('has each name once', () => {
    const names = states.map(({ name }) => name)
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  })

  test('has every page of the sources', async () => {
    const script = fileURLToPath(new URL('./called-functions.ts', import.meta.url))
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--conditions=source', script],
      { maxBuffer: 10_000_000 },
    )
    const called = JSON.parse(stdout) as string[]
    expect(pages.length).toBeGreaterThan(20)
    expect(pages.filter((page) => !called.includes(page))).toEqual([])
  })
})
