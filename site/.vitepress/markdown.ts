/** What the Markdown of the repository needs to become pages of the site. */
import type { MarkdownEnv, MarkdownRenderer } from 'vitepress'
import { addChoices } from './choices.ts'
import { fromRoot, repository, resolveLink } from './pages.ts'
import { markOf } from './provider-marks.ts'

type Token = ReturnType<MarkdownRenderer['parse']>[number]

/** Returns the anchor that repository viewers give a heading, so that one link works on both. */
export function slugify(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-')
}

/** Adds the rules. Pages stay plain Markdown, which a repository's own viewer shows as well. */
export function configureMarkdown(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('links of the repository', ({ tokens, env }) => {
    // `path` is that of the page on the site.
    const { realPath, path } = env as MarkdownEnv
    const source = realPath ?? path
    if (!source) return // a title, which has no links
    const from = fromRoot(source)
    for (const { children } of tokens) if (children) resolveLinks(children, from)
    for (const { children } of tokens) if (children) showBox(children)
    addChoices(tokens, from)
    if (from === 'docs/reference/providers.md') addMarks(tokens)
    else labelCells(tokens)
  })
}

/** Shows the box of a list of tasks, which VitePress does not know. */
function showBox([first]: Token[]): void {
  if (first?.type === 'text') first.content = first.content.replace(/^\[ \] /, '☐ ')
}

function resolveLinks(tokens: Token[], from: string): void {
  const open: boolean[] = []
  for (const token of tokens) {
    if (token.type === 'link_open') {
      const target = resolveLink(from, token.attrGet('href') ?? '')
      if (target && 'path' in target) token.attrSet('href', target.path)
      else if (target && repository) token.attrSet('href', `${repository}/blob/main/${target.file}`)
      const isLink = !target || 'path' in target || repository !== undefined
      open.push(isLink)
      if (!isLink) hide(token)
    } else if (token.type === 'link_close' && open.pop() === false) hide(token)
  }
}

function hide(token: Token): void {
  token.type = 'text'
  token.tag = ''
  token.nesting = 0
  token.content = ''
}

/**
 * Gives each cell of a table with three or four columns the heading of its column. On a phone such a table shows its
 * cells one below the other, since it is wider than the page. Cells with an id such as T-SESS-1 have the class `id`.
 */
function labelCells(tokens: Token[]): void {
  let headings: string[] = []
  let column = 0
  for (const [at, token] of tokens.entries()) {
    if (token.type === 'table_open') headings = headingsFrom(tokens, at)
    if (token.type === 'table_close') headings = []
    if (token.type === 'tr_open') column = 0
    if (token.type !== 'td_open') continue
    const content = tokens[at + 1]
    if (/^[A-Z]+(?:-[A-Z]+)*-\d+$/.test(content?.content ?? '')) token.attrJoin('class', 'id')
    for (const part of content?.children ?? []) breakCode(part)
    if (headings.length === 3 || headings.length === 4)
      token.attrSet('data-heading', headings[column++] ?? '')
  }
}

/** Lets a long name in a cell break after a dot, an underscore or a slash, and before a capital letter within a word. */
function breakCode(token: Token): void {
  if (token.type !== 'code_inline' || token.content.length <= SHORT_NAME) return
  const parts = token.content.split(/(?<=[._/])(?![._/])|(?<=[a-z])(?=[A-Z])/)
  const escaped = parts.map((part) => part.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`))
  token.type = 'html_inline'
  token.content = `<code v-pre>${escaped.join('<wbr>')}</code>`
}

/** Characters of a name that fits into a column. */
const SHORT_NAME = 16

/** Returns the headings of the columns of the table that opens at this token. */
function headingsFrom(tokens: Token[], at: number): string[] {
  const end = tokens.findIndex(({ type }, index) => index > at && type === 'thead_close')
  return tokens
    .slice(at, end)
    .flatMap(({ type }, index, head) =>
      type === 'th_open' ? [head[index + 1]?.content.replaceAll('`', '') ?? ''] : [],
    )
}

/** Shows the mark of each provider before its name. */
function addMarks(tokens: Token[]): void {
  for (const { children } of tokens)
    for (const token of children?.slice() ?? []) {
      const [, module] =
        /^\/reference\/providers\/(.+)\.md$/.exec(token.attrGet('href') ?? '') ?? []
      if (!children || module === undefined || token.type !== 'link_open') continue
      const mark: Token = Object.assign(Object.create(Object.getPrototypeOf(token)), token, {
        type: 'html_inline',
        content: markOf(module),
        attrs: null,
        nesting: 0,
      })
      children.splice(children.indexOf(token), 0, mark)
    }
}
