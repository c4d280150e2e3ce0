import { oncePer } from '../base/once.ts'
import type { Html } from '../http/html.ts'
import type { Part } from './hash-source.ts'
import { pageScripts } from './scripts.generated.ts'

type PartName = keyof typeof pageScripts

/** What each script improves, by the markup that it looks for. */
const NEEDED_BY: readonly (readonly [PartName, string])[] = [
  ['show', ' data-show="'],
  ['code', ' data-length="'],
  ['wait', ' data-wait="'],
  ['copy', ' data-copy="'],
  ['times', ' data-relative'],
  ['forms', '<form'],
]

/** Returns the script that improves a page; `undefined` for a page that has nothing to improve. */
export function scriptFor(body: Html): Part | undefined {
  const names = NEEDED_BY.filter(([, mark]) => body.includes(mark)).map(([name]) => name)
  return names.length > 0 ? joined(names.join()) : undefined
}

/** By the names of the parts, of which there are few combinations. */
const joined: (names: string) => Part = oncePer((names: string) => ({
  text: names
    .split(',')
    .map((name) => pageScripts[name as PartName])
    .join(''),
}))
