import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitepress'
import { writeLlms } from './llms.ts'
import { configureMarkdown, slugify } from './markdown.ts'
import { otherFiles, pages, root } from './pages.ts'
import { sections } from './sections.ts'

const { version } = JSON.parse(
  readFileSync(join(root, 'packages/latchkey/package.json'), 'utf8'),
) as { version: string }

/** Older versions that are published beside this one, newest first. */
const older = JSON.parse(readFileSync(join(root, 'site/versions.json'), 'utf8')) as {
  version: string
  link: string
}[]

const base = process.env['DOCS_BASE'] ?? '/'
const pagesOf = (folder: string) =>
  sections.flatMap((section) => (section.folder === folder ? section.pages : []))
const first = (folder: string): string => `/${pagesOf(folder)[0]?.path.replace(/\.md$/, '') ?? ''}`

export default defineConfig({
  lang: 'en',
  title: 'Latchkey',
  description: 'Authentication and sessions for the web, in TypeScript',
  base,
  srcDir: '..',
  outDir: './dist',
  cacheDir: './node_modules/.vitepress',
  srcExclude: [...otherFiles],
  rewrites: Object.fromEntries(pages.map(({ file, path }) => [file, path])),
  markdown: {
    anchor: { slugify },
    config: configureMarkdown,
    languageAlias: { caddyfile: 'nginx' },
  },
  buildEnd: ({ outDir }) => writeLlms(outDir, base),
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    notFound: {
      title: 'Page not found',
      quote: 'The page may have moved. Use the search, or start at the overview.',
      linkText: 'Go to the overview',
    },
    nav: [
      {
        text: 'Start',
        items: [
          { text: 'Your first application', link: '/tutorials/first-application' },
          ...pagesOf('start').map(({ title, path }) => ({ text: title, link: `/${path}` })),
        ],
      },
      { text: 'Guides', link: first('how-to') },
      { text: 'Providers', link: '/reference/providers' },
      { text: 'Troubleshooting', link: '/how-to/troubleshoot' },
      { text: 'Errors', link: '/reference/errors' },
      {
        text: version,
        items: [
          { text: `${version} (this one)`, link: '/' },
          ...older.map(({ version: text, link }) => ({ text, link })),
        ],
      },
    ],
    sidebar: sections.map(({ title, folder, pages: those }) => ({
      text: title,
      collapsed: folder === 'reference/providers' || folder === 'decisions',
      items: those.map((page) => ({ text: page.title, link: `/${page.path}` })),
    })),
  },
})
