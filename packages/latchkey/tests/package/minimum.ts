import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './packed.ts'

/** The oldest Node.js that a package supports, `22.18` for example: its `engines`. */
export function minimumOf(folder: string): string {
  const manifest = readFileSync(join(root, folder, 'package.json'), 'utf8')
  const { engines } = JSON.parse(manifest) as { engines: { node: string } }
  return engines.node.replace(/^>=/, '')
}

export const minimum: string = minimumOf('packages/latchkey')
