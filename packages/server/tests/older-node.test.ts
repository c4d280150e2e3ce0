import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { visitor } from './support/browser.ts'
import { serviceProcess } from './support/command.ts'
import { temporaryDirectory } from './support/temporary.ts'

const { engines } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as { engines: { node: string } }

const older = [
  ['Node.js 24', 24, /^v24\./],
  [
    'the oldest Node.js that `engines` names',
    22,
    new RegExp(`^${engines.node.replace('>=', 'v')}\\.0\n`),
  ],
] as const

test.for(older)(
  'the service signs in, reads the session and stops on %s',
  {
    timeout: 120_000,
  },
  async ([, major, version], context) => {
    const name = `node-${major}-${process.platform}-${process.arch}`
    const bin = `../../../interop/runtimes/node_modules/${name}/bin/node`
    const node = fileURLToPath(new URL(bin, import.meta.url))
    if (!existsSync(node)) context.skip('it was not published for this platform')
    expect(execFileSync(node, ['--version'], { encoding: 'utf8' })).toMatch(version)

    using directory = temporaryDirectory()
    await using service = await serviceProcess({ directory: directory.path, node })
    const guest = visitor(service.origin)
    const { csrfToken } = (await (await guest.get('/auth/csrf')).json()) as { csrfToken: string }
    const password = readFileSync(join(directory.path, '.latchkey', 'demo-password'), 'utf8')
    await guest.post('/auth/callback/password', {
      csrfToken,
      email: 'demo@example.test',
      password,
    })
    const session = await guest.get('/auth/session')
    expect(await session.json()).toMatchObject({ user: { email: 'demo@example.test' } })
    expect((await service.end()).code).toBe(0)
  },
)
