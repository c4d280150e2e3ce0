/** Which files of the repository are pages of the site, and where each of them is. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, posix, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root: string = join(dirname(fileURLToPath(import.meta.url)), '../..')

/**
 * The address of the repository, for the link to it, for "Edit this page", and for links to files that are not pages.
 * Without it there are none.
 */
export const repository: string | undefined = process.env['DOCS_REPOSITORY']

/** A page of the site. */
export interface Page {
  /** Path of its Markdown from the root of the repository, with slashes. */
  readonly file: string
  /** Path on the site, without a slash at the beginning, with the ending `.md`. */
  readonly path: string
  /** Its first heading, without marks. */
  readonly title: string
  /** Its Markdown, without what readers do not see. */
  readonly text: string
}

const SOURCES = [
  'site/index.md',
  'docs/**/*.md',
  'packages/{server,codemod}/README.md',
  'packages/latchkey/src/adapters/*/README.md',
  'examples/README.md',
  'bench/README.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'CONTRIBUTING.md',
]

/** Declarations for the check of the code blocks (tools/check-docs.ts), which readers do not see. */
const GIVEN = /^[ \t]*<!-- given\n[\s\S]*?-->\n/gm

/** All pages, in the order of their paths. */
export const pages: readonly Page[] = globSync(SOURCES, { cwd: root })
  .map((file) => file.replaceAll(sep, '/'))
  .sort()
  .map((file) => {
    const text = readFileSync(join(root, file), 'utf8').replaceAll(GIVEN, '')
    const title = (/^# (.+)$/m.exec(text)?.[1] ?? file).replaceAll('`', '')
    return { file, path: pathOf(file), title, text }
  })

/** All other Markdown of the repository. */
export const otherFiles: readonly string[] = globSync('**/*.md', {
  cwd: root,
  exclude: ['**/node_modules/**', '**/dist/**', '.*/**'],
})
  .map((file) => file.replaceAll(sep, '/'))
  .filter((file) => !pages.some((page) => page.file === file))

const byFile = new Map(pages.map((page) => [page.file, page]))

/** Where the file is on the site; the folder `docs` is its root. */
function pathOf(file: string): string {
  if (file === 'site/index.md') return 'index.md'
  if (file === 'docs/README.md') return 'overview.md'
  if (file === 'bench/README.md') return 'project/benchmarks.md'
  if (file === 'packages/server/README.md') return 'reference/service.md'
  if (file === 'packages/codemod/README.md') return 'reference/codemod.md'
  if (file === 'examples/README.md') return 'start/examples.md'
  const [, adapter] = /^packages\/latchkey\/src\/adapters\/([\w-]+)\/README\.md$/.exec(file) ?? []
  if (adapter !== undefined) return `reference/adapters/${adapter}.md`
  return file.startsWith('docs/') ? file.slice('docs/'.length) : `project/${file.toLowerCase()}`
}

/**
 * Resolves a link of a page, which is relative to the page's file.
 *
 * @returns the path on the site with its anchor, `file` for a file that is not a page, or `undefined` for an address
 */
export function resolveLink(
  from: string,
  href: string,
): { path: string } | { file: string } | undefined {
  if (/^[a-z][a-z+.-]*:|^#|^\//i.test(href)) return undefined
  const [target = '', anchor] = href.split('#')
  const file = posix.normalize(posix.join(posix.dirname(from), target)).replace(/\/$/, '')
  const page = byFile.get(file) ?? byFile.get(`${file}/README.md`)
  if (!page) return { file }
  return { path: `/${page.path}${anchor === undefined ? '' : `#${anchor}`}` }
}

/** Path from the root of the repository, with slashes. */
export function fromRoot(path: string): string {
  return relative(root, path).replaceAll(sep, '/')
}
