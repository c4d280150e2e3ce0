/** `llms.txt` and `llms-full.txt`: the pages for programs that read text. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Page, pages } from './pages.ts'
import { sections } from './sections.ts'

/**
 * Writes both files beside the pages.
 *
 * @param base path of the site, with a slash at both ends
 */
export function writeLlms(directory: string, base: string): void {
  const address = ({ path }: Page) => `${base}${path.replace(/\.md$/, '.html')}`
  const lists = sections.map(
    ({ title, pages: those }) =>
      `## ${title}\n\n${those.map((page) => `- [${page.title}](${address(page)})\n`).join('')}`,
  )
  writeFileSync(
    join(directory, 'llms.txt'),
    `# Latchkey\n\n> Authentication and sessions for the web, in TypeScript.\n\n${lists.join('\n')}`,
  )
  const texts = pages.map((page) => `<!-- ${address(page)} -->\n\n${page.text.trim()}\n`)
  writeFileSync(join(directory, 'llms-full.txt'), texts.join('\n'))
}
