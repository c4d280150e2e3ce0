import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitepress'
import { choiceStyles, restoreChoices } from './choices.ts'
import { writeLlms } from './llms.ts'
import { configureMarkdown, slugify } from './markdown.ts'
import { otherFiles, pages, repository, root } from './pages.ts'
import { markOf } from './provider-marks.ts'
import { search } from './search.ts'
import { sections } from './sections.ts'
import { sidebar } from './sidebar.ts'

const { version } = JSON.parse(
  readFileSync(join(root, 'packages/latchkey/package.json'), 'utf8'),
) as { version: string }

/** Older versions that are published beside this one, newest first. */
const older = JSON.parse(readFileSync(join(root, 'site/versions.json'), 'utf8')) as {
  version: string
  link: string
}[]

const base = process.env['DOCS_BASE'] ?? '/'
/** The file is small enough to be part of each page. */
const logo = `data:image/svg+xml,${encodeURIComponent(readFileSync(join(root, 'docs/images/logo.svg'), 'utf8').trim())}`
const pagesOf = (folder: string) =>
  sections.flatMap((section) => (section.folder === folder ? section.pages : []))

/** The styles of tabs are made from the list of what can be chosen. */
const choicePlugin = {
  name: 'styles of choices',
  resolveId: (id: string) => (id === 'virtual:choices.css' ? id : undefined),
  load: (id: string) => (id === 'virtual:choices.css' ? choiceStyles() : undefined),
}

export default defineConfig({
  lang: 'en',
  title: 'Latchkey',
  description:
    'Sign-in and accounts for web applications in TypeScript: passwords, passkeys, second factors, sessions and an account page, on your own database',
  head: [
    ['link', { rel: 'icon', type: 'image/svg+xml', href: logo }],
    ['script', {}, restoreChoices],
  ],
  vite: { plugins: [choicePlugin] },
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
    logo,
    ...(repository && {
      socialLinks: [{ icon: { svg: markOf('github') }, link: repository, ariaLabel: 'Repository' }],
      editLink: {
        pattern: `${repository}/edit/main/:path`,
        text: 'Edit this page',
      },
    }),
    search: { provider: 'local', options: search },
    outline: [2, 3],
    notFound: {
      title: 'Page not found',
      quote: 'The page may have moved. Use the search, or begin at the first page.',
      linkText: 'Go to the first page',
    },
    nav: [
      {
        text: 'Start',
        items: [
          ...pagesOf('tutorials').map(({ title, path }) => ({ text: title, link: `/${path}` })),
          ...pagesOf('start').map(({ title, path }) => ({
            text: title.replace(/^Start with /, ''),
            link: `/${path}`,
          })),
        ],
      },
      { text: 'Guides', link: '/overview' },
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
    sidebar: sidebar(),
  },
})
