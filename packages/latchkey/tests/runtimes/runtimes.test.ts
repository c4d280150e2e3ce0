import { copyFileSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { describe, expect, onTestFinished, test } from 'vitest'
import { minimum } from '../package/minimum.ts'
import { needsMore, projectWithLatchkey, root, run, subpathsOf } from '../package/packed.ts'
import { commandOf, olderNode, startMiniflare } from '../support/runtimes.ts'

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
  'verified Ada 4012',
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
  writeFileSync(join(folder, 'all.js'), importsAll(folder))
  writeFileSync(
    join(folder, 'kinds.js'),
    "import { kinds } from './all.js'\nconsole.log(JSON.stringify(kinds))\n",
  )
  return folder
}

/** What is published for Linux only. */
const otherNodes = {
  'Node.js 24': { node: olderNode(24), version: /^v24\./ },
  'the oldest Node.js that `engines` names': {
    node: olderNode(22),
    version: new RegExp(`^v${minimum}\\.0\n`),
  },
}

/** Every name that needs nothing else installed, each provider of the catalogue among them. */
function names(folder: string): string[] {
  return subpathsOf(folder).filter((name) => !needsMore[name])
}

/** A module that imports all of them, and tells of each what it exports. */
function importsAll(folder: string): string {
  const all = names(folder)
  const imports = all.map((name, i) => `import * as module${i} from '${name}'`)
  const pairs = all.map((name, i) => `['${name}', kindOf(module${i})]`)
  return `${imports.join('\n')}
const kindOf = (module) => 'default' in module ? typeof module.default : 'names'
export const kinds = Object.fromEntries([${pairs.join(', ')}])
`
}

/** A provider, or a module for Nuxt, is a function that makes it; the rest export names. */
function kindsOf(folder: string): Record<string, string> {
  const isMade = /^latchkey\/(?:nuxt$|providers\/(?!(?:define|index|oauth)$))/
  return Object.fromEntries(
    names(folder).map((name) => [name, isMade.test(name) ? 'function' : 'names']),
  )
}

describe('the packed library signs in, reads the session and signs out', () => {
  test('on Node.js 26', { timeout: 2 * MINUTE }, () => {
    expect(process.version).toMatch(/^v26\./)
    expect(JSON.parse(run(process.execPath, ['main.js'], project()))).toEqual(expected)
  })

  test.for(Object.entries(otherNodes))(
    'on %s',
    { timeout: 2 * MINUTE },
    ([, { node, version }], context) => {
      if (!existsSync(node)) context.skip('it was not published for this platform')
      expect(run(node, ['--version'], root)).toMatch(version)
      expect(JSON.parse(run(node, ['main.js'], project()))).toEqual(expected)
    },
  )

  test('on Bun', { timeout: 2 * MINUTE }, () => {
    expect(JSON.parse(run(commandOf('bun'), ['run', 'main.js'], project()))).toEqual(expected)
  })

  test('on Deno', { timeout: 2 * MINUTE }, () => {
    const flags = ['run', '--no-remote', '--node-modules-dir=manual', '--allow-env', 'main.js']
    expect(JSON.parse(run(commandOf('deno'), flags, project()))).toEqual(expected)
  })

  test('on workerd', { timeout: 2 * MINUTE }, async () => {
    const program = `import { visit } from './smoke.js'
      export default { fetch: async () => Response.json(await visit()) }`
    expect(await onWorkerd(project(), program)).toEqual(expected)
  })
})

describe('each name of the packed library, every provider among them, can be imported', () => {
  const deno = ['run', '--no-remote', '--node-modules-dir=manual', '--allow-env', 'kinds.js']

  test.for([
    ['Node.js 26', process.execPath, ['kinds.js']],
    ['Bun', commandOf('bun'), ['run', 'kinds.js']],
    ['Deno', commandOf('deno'), deno],
  ] as const)('on %s', { timeout: 2 * MINUTE }, ([, command, args]) => {
    const folder = project()
    expect(JSON.parse(run(command, args, folder))).toEqual(kindsOf(folder))
  })

  test.for(Object.entries(otherNodes))(
    'on the older %s',
    { timeout: 2 * MINUTE },
    ([, { node }], context) => {
      if (!existsSync(node)) context.skip('it was not published for this platform')
      const folder = project()
      expect(JSON.parse(run(node, ['kinds.js'], folder))).toEqual(kindsOf(folder))
    },
  )

  test('on workerd', { timeout: 2 * MINUTE }, async () => {
    const folder = project()
    const program = `import { kinds } from './all.js'
      export default { fetch: () => Response.json(kinds) }`
    expect(await onWorkerd(folder, program)).toEqual(kindsOf(folder))
  })
})

/** What the program answers there. The optional peers, which are imported at their first use, are not installed. */
async function onWorkerd(folder: string, program: string): Promise<unknown> {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: folder },
    bundle: true,
    write: false,
    format: 'esm',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['nodemailer', '@simplewebauthn/server', 'altcha-lib', 'altcha-lib/*'],
  })
  const worker = startMiniflare({
    // Listed, so that imports at first use are left alone until then.
    modules: [{ type: 'ESModule', path: 'worker.js', contents: outputFiles[0]?.text ?? '' }],
    compatibilityDate: '2026-07-30',
  })
  onTestFinished(() => worker.dispose())
  const answer = await worker.dispatchFetch('https://worker.example/')
  return answer.json()
}
