/** Reads the code blocks of a page of the documentation. */

/** A fenced block of a page. */
export interface Block {
  readonly language: string
  /** The line of the fence, counted from 1. */
  readonly line: number
  readonly code: string
  /** The file that the block is, according to a comment in its first line, for example `// src/auth.ts`. */
  readonly file: string | undefined
  /** The comment above the block, and the line where it begins. */
  readonly given: { readonly line: number; readonly code: string } | undefined
}

/** Returns the fenced blocks of a page, those of lists without their indentation. */
export function blocksOf(text: string): Block[] {
  const blocks: Block[] = []
  const lines = text.split('\n')
  let given: Block['given']
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (/^\s*<!-- given$/.test(line)) {
      const end = lines.findIndex((other, index) => index > at && /^\s*-->$/.test(other))
      given = { line: at + 2, code: lines.slice(at + 1, end).join('\n') }
      at = end
      continue
    }
    const [, indent = '', fence, language = ''] = /^([ \t]*)(`{3,})([^\n`]*)$/.exec(line) ?? []
    if (fence === undefined) {
      if (line.trim() !== '') given = undefined
      continue
    }
    const end = lines.findIndex((other, index) => index > at && other.trim() === fence)
    const code = lines
      .slice(at + 1, end)
      .map((other) => other.replace(indent, ''))
      .join('\n')
    const file = /^(?:---\n)?(?:\/\/|<!--) ([\w./@$()[\]+-]+\.\w+)(?: -->)?\n/.exec(code)?.[1]
    blocks.push({ language: language.trim(), line: at + 1, code, file, given })
    given = undefined
    at = end
  }
  return blocks
}

/** What a page is for readers of one framework. */
export interface Application {
  /** The framework; empty if the page has no parts for frameworks. */
  readonly name: string
  /** The page without the parts of other frameworks. All lines keep their numbers. */
  readonly text: string
}

/**
 * Returns the applications of a page: one for each framework between `<!-- by framework -->` and `<!-- end -->`. Frameworks
 * with the same text are one application.
 */
export function applicationsOf(text: string): Application[] {
  let isInside = false
  let part: string[] = []
  const lines = text.split('\n').map((line) => {
    if (/^\s*<!-- by framework -->$/.test(line)) isInside = true
    else if (/^\s*<!-- end -->$/.test(line)) isInside = false
    if (!isInside) part = []
    else part = /^\s*\*\*([^*]+)\*\*$/.exec(line)?.[1]?.split(', ') ?? part
    return { line, part }
  })
  const names = new Set(lines.flatMap((line) => line.part))
  const texts = new Map<string, string>()
  for (const name of names.size > 0 ? names : ['']) {
    const shown = lines.map((each) =>
      each.part.length === 0 || each.part.includes(name) ? each.line : '',
    )
    texts.set(shown.join('\n'), name)
  }
  return Array.from(texts, ([shown, name]) => ({ name, text: shown }))
}
