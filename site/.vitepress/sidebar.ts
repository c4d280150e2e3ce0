/** The list of pages beside each page, in groups that are closed but for the one of the page. */
import type { DefaultTheme } from 'vitepress'
import type { Page } from './pages.ts'
import { type Section, sections } from './sections.ts'

type Item = DefaultTheme.SidebarItem

const FRAMEWORK = /^start\/(?!examples)/

const itemOf = ({ title, path }: Page): Item => ({
  text: title.replace(/^Start with /, ''),
  link: `/${path}`,
})

/** Returns the list. The first group has what a new reader needs, and the frameworks as one family. */
export function sidebar(): Item[] {
  const [first, rest] = [new Set(['tutorials', 'start']), [] as Section[]]
  const start = sections.flatMap((section) => {
    if (first.has(section.folder)) return section.pages
    rest.push(section)
    return []
  })
  return [
    {
      text: 'Start',
      collapsed: false,
      items: [
        { text: 'Overview', link: '/overview' },
        ...start.filter(({ path }) => !FRAMEWORK.test(path)).map(itemOf),
        {
          text: 'Frameworks',
          collapsed: true,
          items: start.filter(({ path }) => FRAMEWORK.test(path)).map(itemOf),
        },
      ],
    },
    ...rest.map(({ title, pages }) => ({ text: title, collapsed: true, items: pages.map(itemOf) })),
  ]
}
