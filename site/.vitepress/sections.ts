/** The sections of the site, made from the folders. */
import { type Page, pages } from './pages.ts'

/** A folder of pages. */
export interface Section {
  readonly title: string
  readonly folder: string
  readonly pages: readonly Page[]
}

const FOLDERS: readonly (readonly [folder: string, title: string])[] = [
  ['tutorials', 'Tutorials'],
  ['start', 'Start'],
  ['recipes', 'Recipes'],
  ['troubleshooting', 'Troubleshooting'],
  ['reference', 'Reference'],
  ['reference/adapters', 'Adapters'],
  ['reference/providers', 'Providers'],
  ['explanation', 'Explanation'],
  ['decisions', 'Decisions'],
  ['project', 'Project'],
]

/** The page that lists all guides. */
const OVERVIEW = 'overview.md'

/** The guides are as many as all the rest: they stand as the overview groups them. */
function guides(): Section[] {
  const left = new Map(
    pages.filter(({ path }) => path.startsWith('how-to/')).map((page) => [page.path, page]),
  )
  const index = pages.find(({ path }) => path === OVERVIEW)?.text ?? ''
  const groups = index.split(/^## /m).map((text): Section => {
    const linked = Array.from(text.matchAll(/\]\((how-to\/[\w-]+\.md)\)/g), ([, path = '']) => path)
    const members = linked.flatMap((path) => left.get(path) ?? [])
    for (const { path } of members) left.delete(path)
    return { folder: 'how-to', title: text.split('\n')[0] ?? '', pages: members }
  })
  return [...groups, { folder: 'how-to', title: 'More guides', pages: [...left.values()] }]
}

/** The pages of a folder, in the order of their titles. */
function folderOf([folder, title]: (typeof FOLDERS)[number]): Section {
  const members = pages
    .filter(({ path }) => path.slice(0, Math.max(0, path.lastIndexOf('/'))) === folder)
    .sort((a, b) => rank(a) - rank(b) || a.title.localeCompare(b.title, 'en'))
  return { folder, title, pages: members }
}

/** The tutorial to begin with comes first, and pages about a folder of the repository, such as the examples, come last. */
function rank({ path }: Page): number {
  if (path === 'tutorials/first-application.md') return -1
  return path === 'start/examples.md' ? 1 : 0
}

/** Sections that have pages. */
export const sections: readonly Section[] = [
  ...FOLDERS.slice(0, 2).map(folderOf),
  ...guides(),
  ...FOLDERS.slice(2).map(folderOf),
].filter((section) => section.pages.length > 0)
