import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join, posix, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type DefaultTreeAdapterMap, parse } from 'parse5'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as errors from '../../packages/latchkey/src/base/errors.ts'
import { OPTION_SECTIONS } from '../../packages/latchkey/src/base/option-error.ts'
import { launch, missingBrowser } from '../../packages/server/tests/support/chromium.ts'
import { pages } from '../.vitepress/pages.ts'
import { search } from '../.vitepress/search.ts'
import { searchWords } from '../.vitepress/search-words.ts'
import { queries } from './search-queries.ts'

const site = fileURLToPath(new URL('..', import.meta.url))

/** The types of the library's errors. Messages link to their anchors, so these never change. */
const errorTypes = [
  ...new Set(
    Object.values(errors).flatMap((value) =>
      typeof value === 'function' && 'type' in value ? [String(value.type)] : [],
    ),
  ),
]

const REPOSITORY = 'https://git.example/latchkey'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
}

/** The search that VitePress has in its pages. */
interface Search {
  search(query: string): readonly { readonly id: string }[]
}

interface SearchEngine {
  loadJSON(index: string, options: object): Search
}

const engine = createRequire(createRequire(import.meta.url).resolve('vitepress/package.json'))(
  'minisearch',
) as SearchEngine

/** What the links of a page lead to, and what can be led to in it. */
interface Built {
  readonly links: Set<string>
  readonly anchors: Set<string>
}

/** Reads the links and the anchors out of HTML. */
function read(html: string): Built {
  const built: Built = { links: new Set(), anchors: new Set() }
  const visit = (node: DefaultTreeAdapterMap['node']): void => {
    if ('attrs' in node)
      for (const { name, value } of node.attrs) {
        if (name === 'id') built.anchors.add(value)
        if (name === 'href' || name === 'src') built.links.add(value)
      }
    if ('childNodes' in node) node.childNodes.forEach(visit)
  }
  visit(parse(html))
  return built
}

/** Links of the page at `from` that lead to no file or to no anchor. */
function brokenLinks(from: string, all: ReadonlyMap<string, Built | undefined>): string[] {
  return [...(all.get(from)?.links ?? [])].filter((link) => {
    if (/^[a-z][a-z+.-]*:/.test(link)) return false
    const [path = '', anchor] = link.split('#')
    const target = path === '' ? from : posix.join('/', posix.dirname(from), path)
    const file = path.startsWith('/') ? path : target
    const found = all.get(file.endsWith('/') ? `${file}index.html` : file)
    if (!all.has(file.endsWith('/') ? `${file}index.html` : file)) return true
    return anchor !== undefined && anchor !== '' && !found?.anchors.has(decodeURIComponent(anchor))
  })
}

test('finds a link to a missing page and to a missing anchor', () => {
  const all = new Map([
    ['/a.html', read('<a href="/b.html#x">x</a><a href="./b.html#y">y</a><a href="/c.html">c</a>')],
    ['/b.html', read('<h1 id="x">x</h1>')],
  ])
  expect(brokenLinks('/a.html', all)).toEqual(['./b.html#y', '/c.html'])
})

describe('the built site', () => {
  const directory = mkdtempSync(join(tmpdir(), 'latchkey-site-'))
  const all = new Map<string, Built | undefined>()
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname)
    response.setHeader('content-type', TYPES[extname(path)] ?? 'image/svg+xml')
    response.setHeader('cache-control', 'max-age=600')
    response.end(all.has(path) ? readFileSync(join(directory, path)) : '')
  })
  let origin = ''

  beforeAll(async () => {
    const cli = join(site, 'node_modules/vitepress/bin/vitepress.js')
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [cli, 'build', site, '--outDir', directory],
      {
        cwd: site,
        encoding: 'utf8',
        env: { ...process.env, NODE_ENV: 'production', DOCS_REPOSITORY: REPOSITORY },
      },
    )
    if (status !== 0) throw new Error(`vitepress build ended with ${status}\n${stdout}${stderr}`)
    for (const file of globSync('**/*.*', { cwd: directory })) {
      const content = file.endsWith('.html') ? readFileSync(join(directory, file), 'utf8') : ''
      all.set(`/${file.replaceAll(sep, '/')}`, content ? read(content) : undefined)
    }
    server.listen(0)
    await once(server, 'listening')
    origin = `http://localhost:${(server.address() as AddressInfo).port}`
  }, 480_000)

  afterAll(() => {
    server.close()
    rmSync(directory, { recursive: true })
  })

  test('has every page', () => {
    const missing = pages.filter(({ path }) => !all.has(`/${path.replace(/\.md$/, '.html')}`))
    expect(missing).toEqual([])
  })

  test('has no broken link and no broken anchor', () => {
    const broken = [...all.keys()].flatMap((page) =>
      brokenLinks(page, all).map((link) => `${page}: ${link}`),
    )
    expect(broken).toEqual([])
  })

  test('has a link to the repository on each page, and one to edit it on all but the first', () => {
    const edited = new Map(pages.map(({ file, path }) => [path, `${REPOSITORY}/edit/main/${file}`]))
    for (const [path, edit] of edited) {
      const links = all.get(`/${path.replace(/\.md$/, '.html')}`)?.links
      expect(links).toContain(REPOSITORY)
      if (path !== 'index.md') expect(links).toContain(edit)
    }
  })

  test('shows on its first page what it is, the pages in light and dark, and how to measure it', () => {
    const first = readFileSync(join(directory, 'index.html'), 'utf8')
    expect(first).toMatch(/<h1[^>]*>Sign-in and accounts for web applications in TypeScript/)
    expect(first).toMatch(/<link rel="icon" type="image\/svg\+xml" href="data:image\/svg\+xml,/)
    const pictures = [...(all.get('/index.html')?.links ?? [])].filter((link) =>
      /page-.*webp$/.test(link),
    )
    expect(pictures).toHaveLength(4)
    const commands = [
      ...readFileSync(join(site, 'index.md'), 'utf8').matchAll(/^npm run (bench\S*)/gm),
    ]
    const { scripts } = JSON.parse(readFileSync(join(site, '../package.json'), 'utf8'))
    expect(commands.map(([, command = '']) => command in scripts)).toEqual([true, true, true])
  })

  test('keeps the links between pages and the marks of providers', () => {
    expect(all.get('/index.html')?.links).toContain('/tutorials/first-application.html')
    expect(all.get('/reference/providers/github.html')?.links).toContain('/reference/service.html')
    const providers = readFileSync(join(directory, 'reference/providers.html'), 'utf8')
    const marked = /<path d="M12 \.297[^>]*><\/path><\/svg><a href="[^"]*github/.test(providers)
    expect(marked).toBe(true)
  })

  test('loads nothing from another host', () => {
    const foreign = globSync('**/*.html', { cwd: directory }).filter((file) =>
      /<(?:script|link|img|iframe)[^>]+(?:src|href)="(?:https?:)?\/\//.test(
        readFileSync(join(directory, file), 'utf8'),
      ),
    )
    expect(foreign).toEqual([])
  })

  test.skipIf(missingBrowser)(
    'has no page that is wider than a phone',
    { timeout: 120_000 },
    async () => {
      const browser = await launch()
      try {
        const page = await browser.newPage({
          javaScriptEnabled: false,
          viewport: { width: 390, height: 800 },
        })
        const wide: string[] = []
        for (const path of all.keys()) {
          if (!path.endsWith('.html')) continue
          await page.goto(origin + path)
          const width = await page.evaluate(() => document.documentElement.scrollWidth)
          if (width > 390) wide.push(`${path}: ${width}`)
        }
        expect(wide).toEqual([])
      } finally {
        await browser.close()
      }
    },
  )

  test('finds the right page first for nine in ten of what people type', async () => {
    const [file = ''] = globSync('assets/chunks/@localSearchIndexroot.*.js', { cwd: directory })
    const { default: index } = (await import(pathToFileURL(join(directory, file)).href)) as {
      default: string
    }
    const { options, searchOptions } = search.miniSearch ?? {}
    const found = engine.loadJSON(index, { ...options, searchOptions })
    const wrong = queries.flatMap(([query, ...right]) => {
      const first = found.search(query)[0]?.id ?? 'nothing'
      return right.some((path) => first.startsWith(`/${path}.html`)) ? [] : `${query}: ${first}`
    })
    expect(wrong.length / queries.length, wrong.join('\n')).toBeLessThanOrEqual(0.1)
  })

  test('has the words for the search under the names of pages', () => {
    const names = pages.map(({ path }) => path.replace(/\.md$/, ''))
    const listed = [...Object.keys(searchWords), ...queries.flatMap(([, ...right]) => right)]
    expect(listed.filter((name) => !names.includes(name))).toEqual([])
  })

  test.skipIf(missingBrowser)(
    'searches in a browser, and shows the code of the framework that was chosen on another page',
    async () => {
      const browser = await launch()
      try {
        const page = await browser.newPage()
        await page.goto(`${origin}/index.html`)
        const hono = page.locator('.choice-tabs button[data-of=hono]')
        await hono.click()
        expect(await hono.getAttribute('aria-pressed')).toBe('true')
        const shown = page.locator('.choice[data-by=framework] > .choice-part:visible')
        expect(await shown.allInnerTexts()).toEqual([expect.stringContaining('latchkey/hono')])
        await page.goto(`${origin}/how-to/protect-a-page.html`)
        for (const text of await shown.allInnerTexts()) expect(text).toContain('latchkey/hono')

        await page.locator('.DocSearch-Button').click()
        await page.locator('#localsearch-input').fill('2fa')
        const first = page.locator('.VPLocalSearchBox .result').first()
        await first.waitFor()
        expect(await first.getAttribute('href')).toContain('/how-to/add-two-factor.html')
      } finally {
        await browser.close()
      }
    },
  )

  test('has an anchor for each error, and one heading for each', () => {
    const anchors = all.get('/reference/errors.html')?.anchors
    const missing = errorTypes.filter((type) => !anchors?.has(type.toLowerCase()))
    expect(missing).toEqual([])
    const page = readFileSync(join(site, '../docs/reference/errors.md'), 'utf8')
    const headings = [...page.matchAll(/^### (\w+)$/gm)].map(([, name]) => name)
    expect(headings).toHaveLength(errorTypes.length)
    expect(new Set(headings)).toEqual(new Set(errorTypes))
  })

  test('has the section that the message of an invalid option names', () => {
    const missing = Object.values(OPTION_SECTIONS).filter((section) => {
      const [page = '', anchor = ''] = section.split('#')
      return !all.get(`/reference/${page.replace('.md', '.html')}`)?.anchors.has(anchor)
    })
    expect(missing).toEqual([])
  })

  test('lists all pages in llms.txt and has their texts in llms-full.txt', () => {
    const list = readFileSync(join(directory, 'llms.txt'), 'utf8')
    const texts = readFileSync(join(directory, 'llms-full.txt'), 'utf8')
    for (const { path, text } of pages) {
      if (path.includes('/')) expect(list).toContain(path.replace(/\.md$/, '.html'))
      expect(texts).toContain(text.trim())
    }
  })
})
