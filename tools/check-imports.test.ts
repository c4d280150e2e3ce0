import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { checkApplication, checkLibrary, withPicture } from './check-imports.ts'

/** A folder with these files, gone after the test. */
function tree(files: Readonly<Record<string, string>>): string {
  const directory = mkdtempSync(join(tmpdir(), 'imports-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, file)), { recursive: true })
    writeFileSync(join(directory, file), text)
  }
  return directory
}

describe('the rows of the library', () => {
  test('a module may import from its own row and from lower ones', () => {
    const library = tree({
      'base/errors.ts': '',
      'http/form.ts': "import { AuthError } from '../base/errors.ts'\n",
      'model/user.ts': "import '../http/form.ts'\n",
      'core/auth.ts':
        "export { read } from '../http/form.ts'\nconst later = import('../base/errors.ts')\n",
    })
    expect(checkLibrary(library)).toEqual([])
  })

  test('an import from a higher row is found, with its line, also when it is a type or loaded later', () => {
    const library = tree({
      'plan/plan.ts': '',
      'http/form.ts':
        "import { a } from './origin.ts'\nimport type {\n  Plan,\n} from '../plan/plan.ts'\n",
      'http/origin.ts': "export const later = () => import('../plan/plan.ts')\n",
      'base/errors.ts': "export * from '../plan/plan.ts'\n",
    })
    expect(checkLibrary(library)).toEqual([
      'base/errors.ts:1: base may not import plan (../plan/plan.ts)',
      'http/form.ts:4: http may not import plan (../plan/plan.ts)',
      'http/origin.ts:1: http may not import plan (../plan/plan.ts)',
    ])
  })

  test('a plugin is imported by no other room, and not by another plugin', () => {
    const library = tree({
      'entries/plugin.ts': '',
      'session/watch.ts': "import '../plugins/one/index.ts'\n",
      'plugins/one/index.ts': "import '../../entries/plugin.ts'\nimport './own.ts'\n",
      'plugins/one/own.ts': '',
      'plugins/two/index.ts': "import type { Own } from '../one/own.ts'\n",
    })
    expect(checkLibrary(library).slice(0, 2)).toEqual([
      'plugins/two/index.ts:1: a plugin may not import another (../one/own.ts)',
      'session/watch.ts:1: session may not import plugins (../plugins/one/index.ts)',
    ])
  })

  test('a plugin imports the kit and messages of standards, and nothing else', () => {
    const library = tree({
      'base/once.ts': '',
      'entries/adapters.ts': '',
      'entries/plugin.ts': '',
      'protocols/jose/jose.ts': '',
      'plugins/one/index.ts':
        "import '../../entries/plugin.ts'\nimport '../../protocols/jose/jose.ts'\nimport '../../base/once.ts'\nimport '../../entries/adapters.ts'\n",
    })
    expect(checkLibrary(library)).toEqual([
      'plugins/one/index.ts:3: plugins may not import base (../../base/once.ts)',
      'plugins/one/index.ts:4: a plugin imports only its kit, entries/plugin.ts, entries/plugin-checks.ts, entries/plugin-limits.ts, entries/plugin-hashing.ts, entries/plugin-mailbox.ts, entries/plugin-pages.ts, entries/plugin-accounts.ts (../../entries/adapters.ts)',
    ])
  })

  test('an import in a comment does not count', () => {
    const library = tree({
      'plan/plan.ts': '',
      'base/errors.ts': "// import '../plan/plan.ts'\n/**\n * import '../plan/plan.ts'\n */\n",
    })
    expect(checkLibrary(library)).toEqual([])
  })

  test('a file outside of a room, or in a full room, plugin or flow, is found', () => {
    const filled = (folder: string) =>
      Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`${folder}/f${i}.ts`, '']))
    const library = tree({
      'misc.ts': '',
      ...filled('http'),
      'http/f0.test.ts': '',
      ...filled('plugins/limits'),
      ...filled('plugins/limits/rules'),
      ...filled('flows/oauth'),
    })
    expect(checkLibrary(library)).toEqual([
      'misc.ts: it lies in no room; the folder `src` holds folders only',
      'flows/oauth: it has 17 files; a room has at most 16, so divide it',
      'http: it has 17 files; a room has at most 16, so divide it',
      'plugins/limits: it has 17 files; a room has at most 16, so divide it',
    ])
  })

  test('a folder without a line in the tables is found', () => {
    expect(checkLibrary(tree({ 'helpers/misc.ts': '' }))).toEqual([
      'helpers/misc.ts: helpers has no line in the tables of tools/check-imports.ts',
    ])
  })

  test('the core may not import the edge, and the edge only the rooms of its line', () => {
    const library = tree({
      'model/user.ts': '',
      'http/form.ts': '',
      'adapters/memory/index.ts': "import '../../model/user.ts'\nimport '../../http/form.ts'\n",
      'core/auth.ts': "import '../adapters/memory/index.ts'\n",
      'entries/adapters.ts': "import '../adapters/memory/index.ts'\n",
    })
    expect(checkLibrary(library)).toEqual([
      'adapters/memory/index.ts:2: adapters may not import http (../../http/form.ts)',
      'core/auth.ts:1: core may not import adapters (../adapters/memory/index.ts)',
    ])
  })

  test('only the named files may import a module of Node.js', () => {
    const library = tree({
      'base/crypto/node.ts': "import { hkdfSync } from 'node:crypto'\n",
      'base/crypto/equal.ts': "import { timingSafeEqual } from 'node:crypto'\n",
    })
    expect(checkLibrary(library)).toEqual([
      'base/crypto/equal.ts:1: only the node condition may import node:crypto',
    ])
  })

  test('a test may import from any row', () => {
    const library = tree({
      'plan/plan.ts': '',
      'http/form.test.ts': "import '../plan/plan.ts'\n",
    })
    expect(checkLibrary(library)).toEqual([])
  })
})

describe('circles', () => {
  test('are found within a row, of types, and through a test', () => {
    const library = tree({
      'http/a.ts': "import type { B } from './b.ts'\n",
      'http/b.ts': "import { c } from './c.ts'\n",
      'http/c.ts': "import './a.ts'\n",
      'model/user.ts': "import '../model/user.test.ts'\n",
      'model/user.test.ts': "import './user.ts'\n",
    })
    expect(checkLibrary(library)).toEqual([
      'circle: http/a.ts -> http/b.ts -> http/c.ts -> http/a.ts',
      'circle: model/user.test.ts -> model/user.ts -> model/user.test.ts',
    ])
  })

  test('are found through #crypto', () => {
    const library = tree({
      'base/crypto/node.ts': "import '../encoding/hex.ts'\n",
      'base/encoding/hex.ts': "import { sha256 } from '#crypto'\n",
    })
    expect(checkLibrary(library)).toEqual([
      'circle: base/crypto/node.ts -> base/encoding/hex.ts -> base/crypto/node.ts',
    ])
  })
})

describe('an application', () => {
  const subpaths = ['.', './jwt', './providers/*']

  test('may use the public subpaths', () => {
    const application = tree({
      'src/a.ts':
        "import 'latchkey'\nimport 'latchkey/jwt'\nimport 'latchkey/providers/github'\nimport 'hono'\nimport './b.ts'\n",
      'src/b.ts': '',
    })
    expect(checkApplication(application, subpaths)).toEqual([])
  })

  test('may use nothing behind them', () => {
    const application = tree({
      'src/a.ts': "import 'latchkey/dist/plan.js'\nimport '../../latchkey/src/plan.ts'\n",
    })
    expect(checkApplication(application, subpaths)).toEqual([
      'src/a.ts:1: latchkey/dist/plan.js is not a public subpath of the library',
      'src/a.ts:2: ../../latchkey/src/plan.ts is not a public subpath of the library',
    ])
  })
})

test('every folder of the library has a line in docs/explanation/architecture.md', () => {
  const page = readFileSync('docs/explanation/architecture.md', 'utf8')
  const folders = readdirSync('packages/latchkey/src', { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
  expect(folders.filter((name) => !page.includes(`\n| \`${name}/\` | `))).toEqual([])
  expect(page, 'run: node tools/check-imports.ts --write').toBe(withPicture(page))
})
