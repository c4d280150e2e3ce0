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
  ['meter', ' data-meter="'],
  ['copy', ' data-copy="'],
  ['save', ' data-save="'],
  ['forms', '<form'],
]

/** Returns the script that improves a page; `undefined` for a page that has nothing to improve. */
export function scriptFor(body: Html): Part | undefined {
  const names = NEEDED_BY.filter(([, mark]) => body.includes(mark)).map(([name]) => name)
  return names.length > 0 ? joined(names.join()) : undefined
}

/** Returns the script that stands before the times of a page; `undefined` for a page without them. */
export function timesScriptFor(body: Html): Part | undefined {
  return body.includes(' data-relative') ? TIMES : undefined
}

const TIMES: Part = { text: pageScripts.times }

/** By the names of the parts, of which there are few combinations. */
const joined: (names: string) => Part = oncePer((names: string) => ({
  text: names
    .split(',')
    .map((name) => pageScripts[name as PartName])
    .join(''),
}))
