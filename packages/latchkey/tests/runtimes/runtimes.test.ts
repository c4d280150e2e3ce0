import { copyFileSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { Miniflare } from 'miniflare'
import { describe, expect, onTestFinished, test } from 'vitest'
import { projectWithLatchkey, root, run } from '../package/packed.ts'

const MINUTE = 60_000

/** What `visit` tells, on whatever runtime. */
const expected = [
  'session 200 null',
  'csrf 64',
  'wrong password 302 https://app.example/auth/signin?error=CredentialsSignin&code=credentials',
  'no token 302 https://app.example/auth/signin?error=MissingCSRF',
  'right password 302 https://app.example',
  'cookies __Host-authjs.csrf-token __Secure-authjs.callback-url __Secure-authjs.session-token.0 __Secure-authjs.session-token.1',
  'session Ada 4012',
  'page 200 true',
  'sign-out 302 https://app.example',
  'session 200 null',
]

/** The packed library's project, with the smoke module in it. */
function project(): string {
  const folder = projectWithLatchkey()
  copyFileSync(fileURLToPath(new URL('smoke.js', import.meta.url)), join(folder, 'smoke.js'))
  writeFileSync(
    join(folder, 'main.js'),
    "import { visit } from './smoke.js'\nconsole.log(JSON.stringify(await visit()))\n",
  )
  return folder
}

const bin = (name: string): string => join(root, 'node_modules/.bin', name)
const node22 = join(root, 'tools/runtimes/node_modules/.bin/node')

describe('the packed library signs in, reads the session and signs out', () => {
  test('on Node.js 26', { timeout: 2 * MINUTE }, () => {
    expect(process.version).toMatch(/^v26\./)
    expect(JSON.parse(run(process.execPath, ['main.js'], project()))).toEqual(expected)
  })

  test('on Node.js 22', { timeout: 2 * MINUTE }, (context) => {
    if (!existsSync(node22)) context.skip('there is no Node.js 22 for this platform')
    expect(run(node22, ['--version'], root)).toMatch(/^v22\./)
    expect(JSON.parse(run(node22, ['main.js'], project()))).toEqual(expected)
  })

  test('on Bun', { timeout: 2 * MINUTE }, () => {
    expect(JSON.parse(run(bin('bun'), ['run', 'main.js'], project()))).toEqual(expected)
  })

  test('on Deno', { timeout: 2 * MINUTE }, () => {
    const flags = ['run', '--no-remote', '--node-modules-dir=manual', '--allow-env', 'main.js']
    expect(JSON.parse(run(bin('deno'), flags, project()))).toEqual(expected)
  })

  test('on workerd', { timeout: 2 * MINUTE }, async () => {
    const { outputFiles } = await build({
      stdin: {
        contents: `import { visit } from './smoke.js'
          export default { fetch: async () => Response.json(await visit()) }`,
        resolveDir: project(),
      },
      bundle: true,
      write: false,
      format: 'esm',
      conditions: ['workerd', 'worker', 'browser'],
    })
    const worker = new Miniflare({
      modules: true,
      script: outputFiles[0]?.text ?? '',
      compatibilityDate: '2026-07-30',
    })
    onTestFinished(() => worker.dispose())
    const answer = await worker.dispatchFetch('https://worker.example/')
    expect(await answer.json()).toEqual(expected)
  })
})
