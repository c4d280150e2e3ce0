import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { blocksOf } from '../../../../tools/docs-blocks.ts'
import { freePort } from '../frameworks/more/sign-in.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const blocks = blocksOf(readFileSync(join(root, 'docs/tutorials/accounts.md'), 'utf8'))

// Below the packages that it uses.
const folder = mkdtempSync(join(root, 'packages/latchkey/.tutorial-'))
let server: ChildProcess | undefined
afterAll(() => {
  server?.kill()
  rmSync(folder, { recursive: true, force: true })
})

/** Writes a block of the page into its file. @param number of the blocks for this file */
function write(file: string, number = 0): void {
  const block = blocks.filter((each) => each.file === file)[number]
  if (!block) throw new Error(`the page has no block ${number} for ${file}`)
  writeFileSync(join(folder, file), block.code)
}

function runTests(): { status: number | null; output: string } {
  const { status, stdout } = spawnSync(
    process.execPath,
    ['--conditions=source', '--test', '--test-reporter=tap', 'accounts.test.ts'],
    { cwd: folder, encoding: 'utf8', env: { ...process.env, NODE_TEST_CONTEXT: undefined } },
  )
  return { status, output: stdout }
}

describe('the tutorial about accounts', () => {
  test('has an application that offers a sign-up, and refuses the passwords that the page names', async () => {
    write('plugins.ts')
    write('server.ts')
    const port = await freePort()
    server = spawn(process.execPath, ['--conditions=source', 'server.ts'], {
      cwd: folder,
      env: {
        ...process.env,
        PORT: String(port),
        AUTH_SECRET: 'a secret of at least 32 characters',
        NODE_ENV: '',
      },
      stdio: 'ignore',
    })
    const origin = `http://localhost:${port}`
    const read = (path: string) =>
      fetch(`${origin}${path}`, { headers: { accept: 'text/html' } }).then(
        (response) => response.text(),
        (error: unknown) => String(error),
      )
    await expect.poll(() => read('/')).toContain('Nobody is signed in')
    expect(await read('/auth/password/sign-up')).toContain('name="password"')
    const email = 'ada.lovelace@example.com'
    for (const password of ['passwordpassword', email]) {
      const refused = await fetch(`${origin}/auth/password/sign-up`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
        body: JSON.stringify({ email, password }),
      })
      expect(await refused.json()).toMatchObject({ status: 422, code: 'password_refused' })
    }
  })

  test('has tests that pass, before and after the second factor is required', () => {
    write('plugins.ts')
    write('accounts.test.ts')
    for (const number of [0, 1]) {
      write('plugins.ts', number)
      const { status, output } = runTests()
      expect(output).toContain('# pass 3')
      expect(status).toBe(0)
    }
  })
})
