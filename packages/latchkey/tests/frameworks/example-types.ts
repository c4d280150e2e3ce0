import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { ensureBuilt } from '../../../../tools/ensure-built.ts'
import { root, run } from '../package/packed.ts'

const library = join(root, 'packages/latchkey')

/**
 * Compiles an example with the library as it was built last. The library describes what it uses of a
 * framework; there are the types of the framework itself.
 *
 * @returns what the compiler has to say
 */
export function checkExample(name: string): string {
  ensureBuilt()
  const example = join(root, 'examples', name)
  const folder = mkdtempSync(join(tmpdir(), `latchkey-${name}-`))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  cpSync(example, folder, {
    recursive: true,
    filter: (file) => !/[/\\](?:node_modules|\.data)$/.test(file),
  })
  const [from, to] = [join(example, 'node_modules'), join(folder, 'node_modules')]
  mkdirSync(to)
  const fresh = ['latchkey', 'latchkey-examples-shared']
  for (const module of readdirSync(from)) {
    if (!fresh.includes(module)) symlinkSync(join(from, module), join(to, module))
  }
  for (const part of ['dist', 'package.json']) {
    cpSync(join(library, part), join(to, 'latchkey', part), { recursive: true })
  }
  cpSync(join(root, 'examples/shared'), join(to, 'latchkey-examples-shared'), { recursive: true })
  return run('tsc', ['-p', folder, '--preserveSymlinks'], root)
}
