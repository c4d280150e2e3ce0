import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Block, blocksOf } from '../../../../../tools/docs-blocks.ts'
import { projectWithLatchkey, root, run } from '../../package/packed.ts'
import { inFolder, patient } from './installed.ts'
import { answers, freePort, start, visitor } from './sign-in.ts'

// Each page of docs/start as somebody follows it, with the packed library where the page installs `latchkey`.

/** As npm is when it is strict about peers, without questions to the registry that a cache answers. */
const NPM = [
  'npm_config_strict_peer_deps=true',
  'npm_config_prefer_offline=true',
  'npm_config_ignore_scripts=true',
  'npm_config_audit=false',
  'npm_config_fund=false',
  'npm_config_loglevel=error',
]

/** Pages that begin in an empty folder: they have a server of their own. */
const servers = ['elysia', 'express', 'fastify', 'h3', 'hono', 'koa', 'node']

/** Pages that add the library to an application of a framework, with the example that has its packages. */
const frameworks = [
  ['astro', 'astro'],
  ['nest', 'nest'],
  ['nest', 'nest-fastify'],
  ['next', 'next'],
  ['next', 'next-15'],
  ['nuxt', 'nuxt'],
  ['qwik', 'qwik'],
  ['react-router', 'react-router'],
  ['solid-start', 'solid-start'],
  ['solid-start', 'solid-start-1'],
  ['sveltekit', 'sveltekit'],
  ['tanstack-start', 'tanstack-start'],
] as const

function blocksOfPage(page: string): Block[] {
  return blocksOf(readFileSync(join(root, `docs/start/${page}.md`), 'utf8'))
}

/** The commands of the step "Install". */
function installationOf(page: string): string {
  const block = blocksOfPage(page).find(({ language }) => language === 'sh')
  if (!block) throw new Error(`docs/start/${page}.md has no commands`)
  return block.code.replaceAll(/(npm install.*\s)latchkey\b/g, '$1./latchkey.tgz')
}

/** An empty folder with the packed library beside. */
function emptyFolder(page: string): string {
  const folder = mkdtempSync(join(tmpdir(), `latchkey-start-${page}-`))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const packed = projectWithLatchkey()
  const [tarball = ''] = readdirSync(packed).filter((file) => file.endsWith('.tgz'))
  cpSync(join(packed, tarball), join(folder, 'latchkey.tgz'))
  return folder
}

function runCommands(commands: string, folder: string, ...settings: readonly string[]): void {
  run('env', [...NPM, ...settings, 'sh', '-ec', commands], folder)
}

/**
 * Starts the application of a page.
 *
 * @param which of the blocks of a file: the page replaces the `first` one, and its `last` one needs another package.
 * @returns its address.
 */
async function startPage(page: string, which: 'first' | 'last'): Promise<string> {
  const folder = emptyFolder(page)
  const more = which === 'last' ? '\nnpm install kysely' : ''
  runCommands(`npm init -y\n${installationOf(page)}${more}`, folder)
  const port = await freePort()
  const blocks = blocksOfPage(page)
  for (const { file, code } of which === 'last' ? blocks : blocks.toReversed()) {
    if (file === undefined) continue
    writeFileSync(inFolder(folder, file), code.replaceAll(/\b3000\b/g, String(port)))
  }
  const site = `http://localhost:${port}`
  const server = start(['--env-file=.env', 'server.ts'], folder, port, 'development')
  await expect.poll(() => server.exitCode !== null || answers(site), { timeout: 60_000 }).toBe(true)
  expect(server.exitCode).toBeNull()
  return site
}

test('every page of docs/start is tested here', () => {
  const followed = new Set([...servers, ...frameworks.map(([page]) => page)])
  const pages = readdirSync(join(root, 'docs/start')).map((file) => file.replace(/\.md$/, ''))
  expect([...followed].sort()).toEqual(pages.sort())
})

test.each(servers)(
  'docs/start/%s.md: its commands and files make a server that signs in',
  patient,
  async (page) => {
    const site = await startPage(page, 'first')
    const guest = visitor(site)
    expect(await (await guest.get('/')).text()).toContain('Sign in')
    const stopped = await guest.get('/private')
    expect(new URL(stopped.headers.get('location') ?? '', site).pathname).toBe('/auth/signin')
    const fields = { name: 'ada', password: 'analytical engine' }
    await guest.post('/auth/callback/credentials', '/auth', fields)
    expect(await (await guest.get('/')).text()).toContain('Hello Ada')
    expect(await (await guest.get('/private')).text()).toContain('Ada')
    await guest.post('/auth/signout', '/auth')
    expect(await (await guest.get('/')).text()).toContain('Sign in')
  },
)

test.each(servers)(
  'docs/start/%s.md: with its file for accounts the same server has them',
  patient,
  async (page) => {
    const site = await startPage(page, 'last')
    const guest = visitor(site)
    expect(await (await guest.get('/')).text()).toContain('Sign in')
    const stopped = await guest.get('/private')
    expect(new URL(stopped.headers.get('location') ?? '', site).pathname).toBe('/auth/signin')
    expect((await guest.get('/auth/password/sign-up')).status).toBe(200)
  },
)

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>
}

test.each(frameworks)(
  'docs/start/%s.md: its commands install the library beside the packages of examples/%s',
  patient,
  (page, example) => {
    const folder = emptyFolder(example)
    const manifest = JSON.parse(
      readFileSync(join(root, `examples/${example}/package.json`), 'utf8'),
    ) as Manifest
    const dependencies = Object.fromEntries(
      Object.entries(manifest.dependencies).filter(([name]) => !name.startsWith('latchkey')),
    )
    const own = JSON.stringify({ ...manifest, dependencies })
    writeFileSync(join(folder, 'package.json'), own)
    // Peers are resolved, and nothing is unpacked.
    runCommands(installationOf(page), folder, 'npm_config_package_lock_only=true')
    const lock = readFileSync(join(folder, 'package-lock.json'), 'utf8')
    expect(lock).toContain('"node_modules/latchkey"')
  },
)
