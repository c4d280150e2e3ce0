import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { run } from '../src/run.ts'

const MANIFEST = '{\n  "dependencies": {\n    "next-auth": "5.0.0-beta.30"\n  }\n}\n'

/** An application in a folder of its own, in git or not, which is gone after the test. */
function application({ git = true } = {}): { path: string; [Symbol.dispose](): void } {
  const path = mkdtempSync(join(tmpdir(), 'latchkey-codemod-'))
  const files = {
    'package.json': MANIFEST,
    'auth.ts': "import NextAuth from 'next-auth'\n\nexport default NextAuth({ providers: [] })\n",
    'node_modules/next-auth/index.js': "require('next-auth/jwt')\n",
    '.env.local': 'NEXTAUTH_SECRET=x\n',
    '.gitignore': 'node_modules\n.env.local\n',
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true })
    writeFileSync(join(path, name), text)
  }
  if (git) {
    const name = ['-c', 'user.name=Ada', '-c', 'user.email=ada@app.example']
    for (const args of [
      ['init', '-q'],
      ['add', '.'],
      [...name, 'commit', '-qm', 'first'],
    ])
      spawnSync('git', args, { cwd: path })
  }
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

function read(folder: string, path: string): string {
  return readFileSync(join(folder, path), 'utf8')
}

describe('the codemod command', () => {
  test('writes its changes and lists the changed files', () => {
    using app = application()
    const { code, out, err } = run([app.path])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toBe(`Changed:
  auth.ts
  package.json

Remaining steps:
  .env.local:1: \`NEXTAUTH_SECRET\`: rename it to \`AUTH_SECRET\`, here and where it is set in production

Now run npm install, and the checks of your application.`)
    expect(read(app.path, 'auth.ts')).toContain("from 'latchkey/next'")
    expect(read(app.path, 'package.json')).toBe(
      MANIFEST.replace('"next-auth": "5.0.0-beta.30"', '"latchkey": "^0.3.0"'),
    )
  })

  test('changes no installed package', () => {
    for (const git of [true, false]) {
      using app = application({ git })
      run([app.path, '--force'])
      expect(read(app.path, 'node_modules/next-auth/index.js')).toBe("require('next-auth/jwt')\n")
    }
  })

  test('APP-3: keeps a package that an installed one uses', () => {
    using app = application()
    const manifest = MANIFEST.replace('beta.30"', 'beta.30",\n    "guards": "1.0.0"')
    writeFileSync(join(app.path, 'package.json'), manifest)
    const installed = join(app.path, 'node_modules/guards')
    mkdirSync(installed)
    const needs = JSON.stringify({ peerDependencies: { 'next-auth': '5' } })
    writeFileSync(join(installed, 'package.json'), needs)
    const { out } = run([app.path, '--force'])
    expect(out).toMatch(/^Nothing to change\./)
    expect(out).toContain('package.json:3: `next-auth` stays, because `guards` uses `next-auth`')
    expect(read(app.path, 'package.json')).toBe(manifest)
    expect(read(app.path, 'auth.ts')).toContain("from 'next-auth'")
    rmSync(installed, { recursive: true })
    expect(run([app.path, '--dry-run']).out).toContain('the dependencies are not installed')
  })

  test('prints a diff and writes nothing with the option', () => {
    using app = application({ git: false })
    const { code, out } = run(['--dry-run', app.path])
    expect(code).toBe(0)
    expect(out).toContain(`--- a/auth.ts
+++ b/auth.ts
@@ -1,3 +1,3 @@
-import NextAuth from 'next-auth'
+import NextAuth from 'latchkey/next'
 
 export default NextAuth({ providers: [] })`)
    expect(read(app.path, 'package.json')).toBe(MANIFEST)
  })

  test('has nothing to change in a second run', () => {
    using app = application()
    run([app.path])
    expect(run([app.path, '--force']).out).toMatch(/^Nothing to change\./)
  })

  test('refuses to overwrite uncommitted changes, unless it is forced to', () => {
    using app = application()
    writeFileSync(join(app.path, 'new.ts'), '')
    expect(run([app.path])).toMatchObject({
      code: 1,
      err: expect.stringContaining('1 file is not committed'),
    })
    expect(read(app.path, 'package.json')).toBe(MANIFEST)
    expect(run([app.path, '--force']).code).toBe(0)
  })

  test('refuses to write without git, unless it is forced to', () => {
    using app = application({ git: false })
    expect(run([app.path])).toMatchObject({
      code: 1,
      err: expect.stringContaining('is not in a git repository'),
    })
    expect(run([app.path, '--force']).code).toBe(0)
  })

  test.each([
    [['a', 'b'], 2, 'only one folder'],
    [['--adapters', 'ours'], 2, 'must be keep or replace'],
    [['--wet-run'], 2, "Unknown option '--wet-run'"],
    [['/nowhere/at/all'], 1, 'is not a folder'],
  ])('refuses %j', (args, code, message) => {
    expect(run(args)).toMatchObject({ code, err: expect.stringContaining(message) })
  })

  test('has help and a version', () => {
    expect(run(['--help']).out).toContain('--dry-run')
    expect(run(['--version']).out).toMatch(/^\d+\.\d+\.\d+$/)
  })
})

const AUTH = "import NextAuth from 'next-auth'\n\nexport default NextAuth({ providers: [] })\n"

describe('SEC-30: a foreign folder', () => {
  test.each([true, false])('has its symbolic links skipped and named, with git: %s', (git) => {
    using app = application({ git })
    using other = application({ git: false })
    writeFileSync(join(other.path, 'secret.ts'), AUTH)
    writeFileSync(join(other.path, '.env'), 'NEXTAUTH_SECRET=of-another-application\n')
    mkdirSync(join(app.path, 'tracked'))
    writeFileSync(join(app.path, 'tracked/auth.ts'), AUTH)
    if (git) spawnSync('git', ['add', '.'], { cwd: app.path })
    rmSync(join(app.path, 'tracked'), { recursive: true })
    symlinkSync(other.path, join(app.path, 'tracked'))
    symlinkSync(other.path, join(app.path, 'folder'))
    symlinkSync(join(other.path, 'secret.ts'), join(app.path, 'linked.ts'))
    symlinkSync(join(other.path, '.env'), join(app.path, '.env'))
    for (const args of [['--dry-run'], ['--force']]) {
      const { code, out } = run([app.path, ...args])
      expect(code).toBe(0)
      expect(out).toContain(
        'Not followed, because they are symbolic links:\n  .env\n  folder\n  linked.ts\n  tracked',
      )
      expect(out).not.toContain('.env:1')
      expect(out).not.toMatch(/(?:linked|tracked|folder)[^\n]*next/)
    }
    expect(read(other.path, 'secret.ts')).toBe(AUTH)
    expect(read(other.path, 'auth.ts')).toBe(AUTH)
    expect(read(other.path, 'package.json')).toBe(MANIFEST)
  })

  test.each([
    ['core.fsmonitor', []],
    ['core.fsmonitor', ['--dry-run']],
    ['filter.own.clean', []],
    ['hook', []],
  ])('runs no program of its configuration: %s %j', (setting, args) => {
    using app = application()
    using outside = application({ git: false })
    const mark = join(outside.path, 'was-run')
    const program = join(outside.path, 'program.sh')
    writeFileSync(program, `#!/bin/sh\ntouch ${mark}\ncat\n`, { mode: 0o755 })
    if (setting === 'hook') {
      mkdirSync(join(app.path, '.git/hooks'), { recursive: true })
      writeFileSync(join(app.path, '.git/hooks/post-index-change'), readFileSync(program), {
        mode: 0o755,
      })
    } else {
      spawnSync('git', ['config', setting, program], { cwd: app.path })
      writeFileSync(join(app.path, '.git/info/attributes'), '* filter=own\n')
    }
    // As after a checkout: git has to look at each file.
    writeFileSync(join(app.path, 'auth.ts'), AUTH)
    run([app.path, ...args])
    expect(existsSync(mark)).toBe(false)
    // It is run by git that nobody told not to.
    writeFileSync(join(app.path, 'auth.ts'), AUTH)
    spawnSync('git', ['status'], { cwd: app.path })
    expect(existsSync(mark)).toBe(true)
  })

  test.each([
    ['in the configuration of a working tree', 'own', 'config.worktree'],
    ['whose name has an equals sign', 'a=b', 'config'],
  ])('runs no filter %s', (_, name, file) => {
    using app = application()
    using outside = application({ git: false })
    const mark = join(outside.path, 'was-run')
    const inGit = (path: string): string => join(app.path, '.git', path)
    spawnSync('git', ['config', 'extensions.worktreeConfig', 'true'], { cwd: app.path })
    appendFileSync(inGit(file), `[filter "${name}"]\n\tclean = touch ${mark} && cat\n`)
    writeFileSync(inGit('info/attributes'), `* filter=${name}\n`)
    writeFileSync(join(app.path, 'auth.ts'), AUTH)
    run([app.path])
    run([app.path, '--dry-run'])
    expect(existsSync(mark)).toBe(false)
    // Git runs a filter on files of the same size as before that were written since.
    writeFileSync(join(app.path, 'auth.ts'), AUTH)
    spawnSync('git', ['status'], { cwd: app.path })
    expect(existsSync(mark)).toBe(true)
  })

  test('fetches no missing objects by a program', () => {
    using app = application()
    using outside = application({ git: false })
    const mark = join(outside.path, 'was-run')
    const inFolder = (...args: string[]): string =>
      spawnSync('git', args, { cwd: app.path, encoding: 'utf8' }).stdout.trim()
    const tree = inFolder('rev-parse', 'HEAD^{tree}')
    for (const [setting, value] of [
      ['core.repositoryformatversion', '1'],
      ['extensions.partialClone', 'origin'],
      ['remote.origin.promisor', 'true'],
      ['remote.origin.url', `ext::touch ${mark}`],
      ['protocol.ext.allow', 'always'],
    ] as const)
      inFolder('config', setting, value)
    rmSync(join(app.path, '.git/objects', tree.slice(0, 2), tree.slice(2)))
    run([app.path])
    run([app.path, '--dry-run'])
    expect(existsSync(mark)).toBe(false)
    inFolder('status')
    expect(existsSync(mark)).toBe(true)
  })

  test('that looks like a bare repository is not used as one', () => {
    using app = application({ git: false })
    using outside = application({ git: false })
    const mark = join(outside.path, 'was-run')
    spawnSync('git', ['init', '-q', '--bare', app.path])
    for (const [name, value] of [
      ['core.bare', 'false'],
      ['core.worktree', '.'],
      ['core.fsmonitor', `touch ${mark}; false`],
    ] as const)
      spawnSync('git', ['config', '--file', join(app.path, 'config'), name, value])
    expect(run([app.path]).err).toContain('is not in a git repository')
    expect(run([app.path, '--dry-run']).code).toBe(0)
    expect(existsSync(mark)).toBe(false)
  })
})
