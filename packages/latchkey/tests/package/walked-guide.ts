import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { blocksOf } from '../../../../tools/docs-blocks.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))

/** What the guides use, and a file of each. */
const PACKAGES = [
  ['csv-parse', fileURLToPath(import.meta.resolve('csv-parse/sync'))],
  ['pg', fileURLToPath(import.meta.resolve('pg'))],
] as const

/** The password that Ada has in each of the other systems. */
export const PASSWORD = 'the old password of Ada'

/** Sends a sign-in, and reads who owns an account at a provider, as JSON on the last line. */
const PROBE = `
import { adapter, latchkey } from './auth.ts'

const origin = 'http://localhost:3000'
const base = new URL(process.env.AUTH_URL).pathname
async function signIn(password) {
  const answer = await latchkey.handler(
    new Request(origin + base + '/password/sign-in', {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin, 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ identifier: 'ada@example.com', password }),
    }),
  )
  const cookie = answer.headers.getSetCookie().map((each) => each.split(';')[0]).join('; ')
  const session = await latchkey.auth(new Request(origin, { headers: { cookie } }))
  return session?.user?.name ?? answer.status
}
const password = ${JSON.stringify(PASSWORD)}
const wrong = await signIn(password + '.')
const right = await signIn(password)
const account = await adapter.getUserByAccount({ provider: 'github', providerAccountId: '4711' })
const ada = await adapter.getUserByEmail('ada@example.com')
console.log(JSON.stringify({ wrong, right, id: ada?.id, account: account?.email ?? null }))
`

/** A folder in which the files of a guide are run. */
interface Walk {
  readonly project: string
  run(script: string, env?: NodeJS.ProcessEnv): string
  /** Returns what a sign-in with a wrong and with the right password gives, and which users are there. */
  look(env?: NodeJS.ProcessEnv): unknown
}

/**
 * Writes files of a guide into a folder of their own, beside the packages that they use.
 *
 * @param guide the name of its page.
 * @param basePath that of `auth.ts`.
 */
export function walkOf(
  guide: string,
  folder: string,
  name: string,
  files: readonly string[],
  basePath: string = '/auth',
): Walk {
  const project = join(folder, name)
  mkdirSync(join(project, 'node_modules'), { recursive: true })
  symlinkSync(join(root, 'packages/latchkey'), join(project, 'node_modules/latchkey'))
  for (const { file = '', code } of blocksOf(
    readFileSync(join(root, `docs/how-to/${guide}.md`), 'utf8'),
  ))
    if (files.includes(file)) writeFileSync(join(project, file), code)
  for (const [name, file] of PACKAGES) {
    const at = file.lastIndexOf(join('node_modules', name)) + join('node_modules', name).length
    symlinkSync(file.slice(0, at), join(project, 'node_modules', name))
  }
  writeFileSync(join(project, 'probe.mjs'), PROBE)
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }')
  const settings = {
    NODE_ENV: 'development',
    AUTH_SECRET: 'a secret of the new application, 0123456789',
    AUTH_URL: `http://localhost:3000${basePath}`,
    AUTH_GITHUB_ID: 'id',
    AUTH_GITHUB_SECRET: 'secret',
    AUTH_GOOGLE_ID: 'id',
    AUTH_GOOGLE_SECRET: 'secret',
    EMAIL_SERVER: 'smtp://127.0.0.1:1',
  }
  const run = (script: string, env: NodeJS.ProcessEnv = {}): string =>
    execFileSync(process.execPath, [script], {
      cwd: project,
      env: { ...process.env, ...settings, ...env },
      encoding: 'utf8',
    })
  return {
    project,
    run,
    look: (env) => JSON.parse(run('probe.mjs', env).trim().split('\n').at(-1) ?? ''),
  }
}
