import { copyFileSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { describe, expect, onTestFinished, test } from 'vitest'
import { projectWithLatchkey, root, run } from '../package/packed.ts'
import { commandOf, startMiniflare } from '../support/runtimes.ts'

const MINUTE = 60_000

/** What `visit` tells: path, status, cookies that were set, and where it leads or what it says. */
const expected = [
  '/private 307 0 https://app.example/auth/signin?callbackUrl=https%3A%2F%2Fapp.example%2Fprivate',
  '/auth/callback/credentials 302 2 https://app.example',
  '/private 200 1 Ada',
  '/who 200 1 Ada',
  '/auth/signout 302 1 https://app.example',
  '/who 200 0 nobody',
]

/** A project with the packed library and Hono. */
function project(): string {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-hono-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const modules = join(folder, 'node_modules')
  cpSync(join(projectWithLatchkey(), 'node_modules'), modules, { recursive: true })
  cpSync(join(root, 'examples/hono/node_modules/hono'), join(modules, 'hono'), { recursive: true })
  copyFileSync(
    fileURLToPath(new URL('../support/hono-visit.mjs', import.meta.url)),
    join(folder, 'visit.js'),
  )
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
  writeFileSync(
    join(folder, 'main.js'),
    "import { visit } from './visit.js'\nconsole.log(JSON.stringify(await visit()))\n",
  )
  return folder
}

describe('the packed library with Hono signs in and out', { timeout: 2 * MINUTE }, () => {
  test.for([
    ['Node.js', process.execPath, ['main.js']],
    ['Bun', commandOf('bun'), ['run', 'main.js']],
    [
      'Deno',
      commandOf('deno'),
      ['run', '--no-remote', '--node-modules-dir=manual', '--allow-env', 'main.js'],
    ],
  ] as const)('on %s', ([, command, args]) => {
    expect(JSON.parse(run(command, args, project()))).toEqual(expected)
  })

  test('on workerd', async () => {
    const { outputFiles } = await build({
      stdin: {
        contents: `import { visit } from './visit.js'
          export default { fetch: async () => Response.json(await visit()) }`,
        resolveDir: project(),
      },
      bundle: true,
      write: false,
      format: 'esm',
      conditions: ['workerd', 'worker', 'browser'],
    })
    const contents = outputFiles[0]?.text ?? ''
    const worker = startMiniflare({
      modules: [{ type: 'ESModule', path: 'worker.js', contents }],
      compatibilityDate: '2026-07-30',
    })
    onTestFinished(() => worker.dispose())
    const answer = await worker.dispatchFetch('https://worker.example/')
    expect(await answer.json()).toEqual(expected)
  })
})
