/** The marks of providers, those of the buttons on the sign-in page. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './pages.ts'

const library = join(root, 'packages/latchkey/src')

/** Returns an inline SVG, or the provider's first letter if it has no mark. */
export function markOf(module: string): string {
  const source = contentOf(`providers/${module}.ts`)
  const [, name] = /'\.\/marks\/([\w-]+)\.ts'/.exec(source) ?? []
  const [, path] =
    /mark: string =\s+'([^']+)'/.exec(name ? contentOf(`providers/marks/${name}.ts`) : '') ?? []
  if (path === undefined)
    return `<span class="mark" aria-hidden="true">${module.slice(0, 1).toUpperCase()}</span>`
  return `<svg class="mark" viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"/></svg>`
}

function contentOf(file: string): string {
  const path = join(library, file)
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}
