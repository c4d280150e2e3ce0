import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Row, spread } from './measure.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** What the compiler says of a program: how long it took in milliseconds, and what it made of generic types. */
export interface Compiled {
  readonly milliseconds: number
  readonly instantiations: number
}

/** Plugins, and what makes one of each. */
const PLUGINS: Readonly<Record<string, string>> = {
  'auth-js-rollback': 'authJsRollback()',
  'email-code': 'emailCode()',
  'federated-logout': 'federatedLogout()',
  limits: 'limits()',
  passwords: 'passwords()',
  'provider-tokens': 'providerTokens()',
  sessions: 'sessions()',
  tokens: "tokens({ jwt: { audiences: { 'https://api.example': {} } } })",
  'two-factor': 'twoFactor()',
  account: 'account()',
  i18n: 'i18n()',
  usernames: 'usernames()',
}

/** Providers that cannot be listed without options. */
const WITH_OPTIONS = /^(?:credentials|email|loops|nodemailer)$/

/** What is compiled: an application with all providers, the same with all plugins, and one of the peer with all of its. */
export type Application = 'plain' | 'plugins' | 'peer'

/** Files of the peer that are no provider, and its provider that needs one of the application's own. */
const NO_PROVIDER = /^(?:index|oauth|oauth-types|provider-types|webauthn|passkey)$/

function applicationOfPeer(): string {
  const names = readdirSync(join(root, 'node_modules/@auth/core/providers'))
    .filter((file) => file.endsWith('.d.ts'))
    .map((file) => file.slice(0, -'.d.ts'.length))
    .filter((name) => !WITH_OPTIONS.test(name) && !NO_PROVIDER.test(name))
  return [
    "import { Auth, type AuthConfig } from '@auth/core'",
    ...names.map((name, at) => `import p${at} from '@auth/core/providers/${name}'`),
    'const config: AuthConfig = {',
    `  providers: [${names.map((_, at) => `p${at}`).join(', ')}],`,
    '}',
    "export const answer = await Auth(new Request('https://app.example'), config)",
  ].join('\n')
}

function application(which: Application): string {
  if (which === 'peer') return applicationOfPeer()
  const withPlugins = which === 'plugins'
  const names = readdirSync(join(root, 'packages/latchkey/src/providers'))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && file !== 'define.ts')
    .map((file) => file.slice(0, -3))
    .filter((name) => !WITH_OPTIONS.test(name))
  const missing = readdirSync(join(root, 'packages/latchkey/src/plugins')).filter(
    // Applications do not name the mailbox: plugins that send mails bring it.
    (folder) => folder !== 'mailbox' && !(folder in PLUGINS),
  )
  if (missing.length > 0) throw new Error(`not compiled with the plugins: ${missing.join(', ')}`)
  const plugins = withPlugins ? Object.entries(PLUGINS) : []
  return [
    "import { createLatchkey } from 'latchkey'",
    "import { memoryAdapter } from 'latchkey/adapters/memory'",
    ...names.map((name, at) => `import p${at} from 'latchkey/providers/${name}'`),
    ...plugins.map(
      ([name, call]) => `import { ${call.split('(')[0]} } from 'latchkey/plugins/${name}'`,
    ),
    'export const latchkey = createLatchkey({',
    '  adapter: memoryAdapter(),',
    `  providers: [${names.map((_, at) => `p${at}`).join(', ')}],`,
    ...(withPlugins ? [`  plugins: [${plugins.map(([, call]) => call).join(', ')}],`] : []),
    '})',
    "export const session = await latchkey.auth(new Request('https://app.example'))",
    ...(withPlugins
      ? ["export const list = await latchkey.api.sessions.list({ userId: 'u1' })"]
      : []),
  ].join('\n')
}

/** Makes the applications and hands over what compiles one of them. */
export function withApplications<Result>(
  work: (compile: (which: Application) => Compiled) => Result,
): Result {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-types-'))
  try {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    for (const which of ['plain', 'plugins', 'peer'] as const)
      writeFileSync(join(folder, `${which}.ts`), application(which))
    return work((which) => compile(folder, `${which}.ts`))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function compile(folder: string, file: string): Compiled {
  const flags = ['--noEmit', '--strict', '--skipLibCheck', '--extendedDiagnostics']
  const target = ['--module', 'nodenext', '--target', 'es2023', '--types', 'node']
  const tsc = join(root, 'node_modules/.bin/tsc')
  const { status, stdout } = spawnSync(tsc, [...flags, ...target, file], {
    cwd: folder,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${file} does not compile:\n${stdout}`)
  const said = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+([\\d.]+)`, 'm').exec(stdout)?.[1])
  return {
    milliseconds: said('Total time') * 1000,
    instantiations: said('Instantiations'),
  }
}

/** The time of the compiler for an application with all providers: beside the peer's, and what all plugins add. */
export function typesCost(rounds: number): Row[] {
  return withApplications((compiled) => {
    const [ours, peer, more]: [number[], number[], number[]] = [[], [], []]
    for (let round = 0; round < rounds; round++) {
      const without = compiled('plain').milliseconds * 1000
      ours.push(without)
      peer.push(compiled('peer').milliseconds * 1000)
      more.push(compiled('plugins').milliseconds * 1000 - without)
    }
    return [
      {
        name: 'types: `tsc` of an application with all providers',
        ours: spread(ours),
        peer: spread(peer),
        timesAsFast: spread(peer.map((value, round) => value / (ours[round] ?? Number.NaN))),
      },
      {
        name: 'types: what all plugins add to it',
        ours: spread(more),
        atMost: 500_000,
      },
    ]
  })
}
