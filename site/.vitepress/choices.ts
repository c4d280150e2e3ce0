/**
 * Code of which a reader needs one part: that of their framework, or of their package manager. In Markdown it is
 *
 *     <!-- by framework -->
 *
 *     **Hono**
 *
 *     (blocks)
 *
 *     **Express, Fastify**
 *
 *     (blocks for both)
 *
 *     <!-- end -->
 *
 * On the site it becomes tabs. A reader chooses once, and all pages show that part (theme/choice.ts). Without a
 * script all parts are shown, each with its name, as in the repository's own viewer.
 */
import type { MarkdownRenderer } from 'vitepress'
import { pages } from './pages.ts'

type Token = ReturnType<MarkdownRenderer['parse']>[number]

/** What can be chosen, the names in the order of the tabs. */
const CHOICES: Readonly<Record<string, { readonly label: string; readonly names: string[] }>> = {
  framework: {
    label: 'Framework',
    names: pages.flatMap(({ file, title }) =>
      file.startsWith('docs/start/') ? title.replace(/^Start with /, '') : [],
    ),
  },
  manager: { label: 'Package manager', names: ['npm', 'pnpm', 'Yarn', 'Bun'] },
}

/** The name as a value of an attribute, for example `nextjs`. */
function idOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}

/** Makes tabs of the parts. */
export function addChoices(tokens: Token[], page: string): void {
  for (let at = 0; at < tokens.length; at++) {
    const [, kind] = /^<!-- by (\w+) -->\s*$/.exec(tokens[at]?.content ?? '') ?? []
    if (kind === undefined || tokens[at]?.type !== 'html_block') continue
    const end = tokens.findIndex(
      ({ content }, index) => index > at && content.trim() === '<!-- end -->',
    )
    const choice = CHOICES[kind]
    if (!choice || end < 0) throw new Error(`${page}: "by ${kind}" is not known, or has no end`)
    const inside = tokens.slice(at + 1, end)
    const names = openParts(inside)
    const unknown = names.find((name) => !choice.names.includes(name))
    if (unknown !== undefined) throw new Error(`${page}: ${unknown} is no ${choice.label}`)
    const buttons = names.map(
      (name) => `<button type="button" data-of="${idOf(name)}">${name}</button>`,
    )
    const [begin, last] = [tokens[at] as Token, tokens[end] as Token]
    begin.content = `<div class="choice" data-by="${kind}"><div class="choice-tabs" role="group" aria-label="${choice.label}">${buttons.join('')}</div>`
    last.content = '</div></div>'
    tokens.splice(at + 1, end - at - 1, ...inside)
  }
}

/** Makes the beginning of a part of each heading, and returns the names in all headings. */
function openParts(tokens: Token[]): string[] {
  const all: string[] = []
  for (let at = 0; at < tokens.length; at++) {
    const names = namesAt(tokens, at)
    if (names.length === 0) continue
    const heading = tokens[at] as Token
    heading.type = 'html_block'
    heading.content = `${all.length > 0 ? '</div>' : ''}<div class="choice-part" data-of="${names.map(idOf).join(' ')}"><p class="choice-name">${names.join(', ')}</p>`
    tokens.splice(at + 1, 2)
    all.push(...names)
  }
  return all
}

/** The names in a paragraph that is nothing but bold. */
function namesAt(tokens: Token[], at: number): string[] {
  if (tokens[at]?.type !== 'paragraph_open') return []
  return /^\*\*([^*]+)\*\*$/.exec(tokens[at + 1]?.content ?? '')?.[1]?.split(', ') ?? []
}

/** Rules that show the chosen part, or the first one if a page does not have it, before any script of the page runs. */
export function choiceStyles(): string {
  const rules = Object.entries(CHOICES).flatMap(([kind, { names }]) => {
    const chosen = (id: string) => `html[data-${kind}="${id}"] .choice[data-by="${kind}"]`
    return [
      `html[data-${kind}] .choice[data-by="${kind}"]>.choice-part~.choice-part{display:none}`,
      ...names
        .map(idOf)
        .flatMap((id) => [
          `${chosen(id)}:has(>[data-of~="${id}"])>.choice-part{display:none}`,
          `${chosen(id)}>.choice-part[data-of~="${id}"]{display:block!important}`,
        ]),
    ]
  })
  return rules.join('\n')
}

/** Runs in the head of each page, so that a page is never shown with another choice first. */
export const restoreChoices: string = `for (const kind of ${JSON.stringify(Object.keys(CHOICES))}) {
  let chosen = ''
  try { chosen = localStorage.getItem('latchkey:' + kind) ?? '' } catch {}
  document.documentElement.setAttribute('data-' + kind, chosen)
}`
