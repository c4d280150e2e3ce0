/** How the search of the site ranks pages. */
import type { DefaultTheme } from 'vitepress'
import { pages } from './pages.ts'
import { searchWords } from './search-words.ts'

/** A part of a page below one heading. */
interface Part {
  readonly id: string
  readonly titles: readonly string[]
  readonly [field: string]: unknown
}

/** What people type for a page, by the end of its address. */
const words = new Map(
  pages.map(({ path, title }) => {
    const name = path.replace(/\.md$/, '')
    const isProvider = name.startsWith('reference/providers/')
    const isStart = name.startsWith('start/')
    return [
      name,
      searchWords[name] ??
        (isProvider
          ? `${title} login, log in with ${title}, sign in with ${title}`
          : isStart
            ? title.replace('Start with ', '')
            : ''),
    ]
  }),
)

/** Returns the words of the page for the part below its first heading. */
function wordsOf({ id, titles }: Part): string {
  if (titles.length > 0) return ''
  const [path = ''] = id.split('#')
  const name = [...words.keys()].find((each) => path.endsWith(`/${each}.html`))
  return (name !== undefined && words.get(name)) || ''
}

/*
 * The browser gets the source of the functions below: what it calls, which is all but `extractField`, must not use
 * anything from outside.
 */
const options = {
  fields: ['title', 'titles', 'text', 'words'],
  storeFields: ['title', 'titles'],
  extractField: (part: Part, field: string) =>
    (field === 'words' ? wordsOf(part) : part[field]) as string,
  // Words that say nothing are not searched for.
  processTerm: (term: string) =>
    /^(?:a|an|and|are|at|can|do|does|for|from|how|i|in|is|it|my|of|on|or|the|to|use|using|what|when|where|with|you|your)$/i.test(
      term,
    )
      ? null
      : term.toLowerCase(),
}

const searchOptions = {
  fuzzy: (term: string): number | false => (term.length > 4 ? 0.2 : false),
  prefix: true,
  boost: { title: 4, words: 10, text: 1, titles: 1 },
  // A guide comes before a provider, and both before change notes.
  boostDocument: (id: string): number => {
    if (id.includes('/project/')) return 0.2
    if (id.includes('/reference/providers/')) return 0.4
    return id.includes('/decisions/') ? 0.5 : 1
  },
}

export const search: DefaultTheme.LocalSearchOptions = { miniSearch: { options, searchOptions } }
