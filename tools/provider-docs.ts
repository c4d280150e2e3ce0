/**
 * The pages of the docs about providers, made from the providers' own files: a page for each, and an
 * index of all. Their number in the README is theirs, too.
 *
 *     node tools/provider-docs.ts          exit 1 when a page is not what its file says
 *     node tools/provider-docs.ts --write  writes them
 */
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const sources = join(root, 'packages/latchkey/src/providers')
const pages = join(root, 'docs/reference/providers')
const index = join(root, 'docs/reference/providers.md')
const readme = join(root, 'README.md')

/** What a provider's file says in its docstring. */
interface Docstring {
  readonly text: string
  readonly links: readonly string[]
}

/** An endpoint, as text or with more. */
type Endpoint = string | { url?: string; params?: Record<string, unknown> } | undefined

/** Members of a provider that its page shows. */
interface Description {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly issuer?: string
  readonly defaultIssuer?: string
  readonly authorization?: Endpoint
  readonly token?: Endpoint
  readonly userinfo?: Endpoint
  readonly checks?: readonly string[]
  readonly client?: Readonly<Record<string, unknown>>
  readonly profile?: (...args: never[]) => unknown
  readonly idToken?: boolean
  readonly deprecated?: string
  readonly requires?: readonly string[]
}

interface Provider {
  readonly module: string
  readonly docstring: Docstring
  readonly description: Description
}

const PLACE = /\{([A-Za-z]\w*)\}/g

async function read(module: string): Promise<Provider> {
  const { default: made } = (await import(`latchkey/providers/${module}`)) as {
    default: Description | ((options: object) => Description)
  }
  return {
    module,
    docstring: docstringOf(readFileSync(join(sources, `${module}.ts`), 'utf8'), module),
    description: describe(made),
  }
}

function describe(made: Description | ((options: object) => Description)): Description {
  if (typeof made !== 'function') return made
  try {
    return made({})
  } catch {
    return made(EVERYTHING)
  }
}

/** For those that cannot be made without. */
const EVERYTHING = { server: 'smtp://localhost:1025', from: 'no-reply@your.site' }

/** What a service is given as `from`. */
const SENDER = 'Your site <no-reply@your.site>'

function docstringOf(source: string, module: string): Docstring {
  const [, comment] = /^\/\*\*\n([\s\S]*?)\n \*\//.exec(source) ?? []
  if (!comment?.includes('@module'))
    throw new Error(`providers/${module}.ts has no docstring of its module`)
  const lines = comment.split('\n').map((line) => line.replace(/^ \* ?/, ''))
  const text = lines
    .filter((line) => !line.startsWith('@'))
    .join('\n')
    .trim()
  const links = lines.flatMap((line) => /^@see (\S+)/.exec(line)?.[1] ?? [])
  return { text, links }
}

function page({ module, docstring, description }: Provider): string {
  const { id, name, deprecated } = description
  return `# ${name}

${deprecated ? `**Deprecated**: ${deprecated}\n\n` : ''}${docstring.text}

\`\`\`ts
${example(module, description)}
\`\`\`

${facts(description)}${user(description)}${further(description)}${docstring.links.map((link) => `See also: <${link}>\n`).join('')}
[All providers](../providers.md) · id \`${id}\` · made from \`packages/latchkey/src/providers/${module}.ts\`
`
}

function example(module: string, description: Description): string {
  const name = /^\d/.test(module) ? 'provider' : camel(module)
  const options = optionsOf(module, description)
  const call = options === '' ? name : `${name}(${options})`
  return `import { createLatchkey } from 'latchkey'
import ${name} from 'latchkey/providers/${module}'

export const config = { providers: [${call}] }
export const start = () => createLatchkey(config)`
}

const NODEMAILER: ReadonlySet<string> = new Set(['nodemailer', 'email'])

/** Options that no variable of the environment gives. */
function optionsOf(module: string, description: Description): string {
  if (module === 'credentials') return '{ authorize: () => null }'
  if (NODEMAILER.has(module))
    return `{ server: '${EVERYTHING.server}', from: '${EVERYTHING.from}' }`
  const { type, userinfo, requires = [] } = description
  if (type === 'email' && !requires.includes('transactionalId')) return `{ from: '${SENDER}' }`
  const asks = type === 'oauth' && userinfo === undefined ? ['userinfo'] : []
  const own = [...placesOf(description), ...requires, ...asks].filter(
    (name) => !['issuer', 'clientId', 'clientSecret', 'apiKey'].includes(name),
  )
  return own.length === 0 ? '' : `{ ${own.map((name) => `${name}: '…'`).join(', ')} }`
}

function camel(text: string): string {
  return text.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}

function facts(description: Description): string {
  const { id, type } = description
  const key = id.toUpperCase().replaceAll('-', '_')
  const rows: [string, string | undefined][] = [
    ['kind', KINDS[type] ?? type],
    [
      'callback URL',
      type === 'oauth' || type === 'oidc' ? `\`https://your.site/auth/callback/${id}\`` : undefined,
    ],
    ['variables', variablesOf(description, key)],
    ['issuer', issuerOf(description)],
    ['scope', scopeOf(description)],
    [
      'checks',
      type === 'oauth' || type === 'oidc' ? (description.checks ?? ['pkce']).join(', ') : undefined,
    ],
    ['client authentication', authenticationOf(description)],
    ['profile from', profileFrom(description)],
  ]
  const lines = rows.flatMap(([what, value]) =>
    value === undefined ? [] : [`| ${what} | ${value} |`],
  )
  return `| | |\n| --- | --- |\n${lines.join('\n')}\n\n`
}

const KINDS: Readonly<Record<string, string>> = {
  oauth: 'OAuth 2.0',
  oidc: 'OpenID Connect',
  email: 'sign-in mail',
  credentials: 'credentials',
  webauthn: 'passkeys',
}

function variablesOf(description: Description, key: string): string | undefined {
  const { type, requires = [] } = description
  if (type === 'email') return requires.includes('apiKey') ? `\`AUTH_${key}_KEY\`` : undefined
  if (type !== 'oauth' && type !== 'oidc') return undefined
  const needsIssuer =
    (type === 'oidc' && !description.issuer) || placesOf(description).includes('issuer')
  const names = [
    `AUTH_${key}_ID`,
    `AUTH_${key}_SECRET`,
    ...(needsIssuer ? [`AUTH_${key}_ISSUER`] : []),
  ]
  return names.map((name) => `\`${name}\``).join(', ')
}

function issuerOf({ issuer, defaultIssuer }: Description): string | undefined {
  if (issuer) return `\`${issuer}\``
  return defaultIssuer && `\`${defaultIssuer}\`, unless the variable or \`issuer\` names another`
}

function scopeOf({ type, authorization }: Description): string | undefined {
  if (type !== 'oauth' && type !== 'oidc') return undefined
  const url = typeof authorization === 'string' ? authorization : authorization?.url
  const params = typeof authorization === 'object' ? authorization.params : {}
  const named =
    params?.['scope'] ??
    (url && URL.canParse(url) ? new URL(url).searchParams.get('scope') : undefined)
  if (typeof named === 'string') return named === '' ? 'none' : `\`${named}\``
  return params && 'scope' in params ? 'none' : '`openid profile email`'
}

function authenticationOf({ type, client }: Description): string | undefined {
  if (type !== 'oauth' && type !== 'oidc') return undefined
  return `\`${String(client?.['token_endpoint_auth_method'] ?? 'client_secret_basic')}\``
}

function profileFrom({ type, idToken }: Description): string | undefined {
  if (type === 'oauth') return 'userinfo endpoint'
  if (type === 'oidc') return idToken === false ? 'userinfo endpoint' : 'ID token'
  return undefined
}

/** Names that the texts of a provider leave open. */
function placesOf(description: Description): string[] {
  const { issuer, authorization, token, userinfo } = description
  const texts = [issuer, authorization, token, userinfo].map((value) => JSON.stringify(value ?? ''))
  return [
    ...new Set(texts.flatMap((text) => [...text.matchAll(PLACE)].map(([, name = '']) => name))),
  ]
}

function user(description: Description): string {
  if (description.type !== 'oauth' && description.type !== 'oidc') return ''
  if (!description.profile) {
    return 'The user is made of the usual claims: `sub`, `name`, `email` and `picture`.\n\n'
  }
  return `The user is made of the profile so:\n\n\`\`\`js\n${dedented(description.profile.toString())}\n\`\`\`\n\n`
}

/** Where the options are described that many providers have. */
function further({ type }: Description): string {
  if (type === 'email')
    return 'It needs an adapter: [sign in by mail](../../how-to/sign-in-by-mail.md). All options: [mail providers](../configuration.md#mail-providers).\n\n'
  if (type !== 'oauth' && type !== 'oidc') return ''
  return 'All options: [OAuth and OpenID Connect providers](../configuration.md#oauth-and-openid-connect-providers).\n\n'
}

/** As if it stood at the beginning of a line. */
function dedented(code: string): string {
  const lines = code.split('\n')
  const indents = lines
    .slice(1)
    .filter((line) => line.trim() !== '')
    .map((line) => /^\s*/.exec(line)?.[0].length ?? 0)
  const least = Math.min(...indents, Number.POSITIVE_INFINITY)
  return [lines[0], ...lines.slice(1).map((line) => line.slice(Number.isFinite(least) ? least : 0))]
    .join('\n')
    .replaceAll('\t', '  ')
}

function indexPage(providers: readonly Provider[]): string {
  const rows = providers
    .map(({ module, description }) => ({
      module,
      name: description.name,
      type: description.type,
      deprecated: description.deprecated,
    }))
    .sort((one, other) => one.name.localeCompare(other.name, 'en'))
    .map(
      ({ module, name, type, deprecated }) =>
        `| [${name}](providers/${module}.md) | \`latchkey/providers/${module}\` | ${KINDS[type] ?? type}${deprecated ? ', deprecated' : ''} |`,
    )
  return `# Providers

${providers.length} of them. Whatever is missing is [ten lines away](../how-to/add-a-provider.md). This page and the pages that it leads
to are made from the providers' own files by \`node tools/provider-docs.ts --write\`.

The examples are of the library. [The service](../../packages/server/README.md) takes the same in its configuration file, below
\`auth.providers\`; those of OAuth and OpenID Connect that need no more than their variables it takes by name, too:
\`AUTH_PROVIDERS=gitlab,google\`.

| name | import | kind |
| --- | --- | --- |
${rows.join('\n')}
`
}

const made = await Promise.all(
  globSync('*.ts', { cwd: sources })
    .map((file) => basename(file, '.ts'))
    .filter((module) => module !== 'define' && !module.endsWith('.test'))
    .sort()
    .map(read),
)

const files = new Map<string, string>([
  [index, indexPage(made)],
  [readme, readFileSync(readme, 'utf8').replace(/\b\d+ providers\b/, `${made.length} providers`)],
  ...made.map((provider): [string, string] => [
    join(pages, `${provider.module}.md`),
    page(provider),
  ]),
])
const stale = [...files].filter(
  ([path, text]) => !existsSync(path) || readFileSync(path, 'utf8') !== text,
)
const gone = globSync('*.md', { cwd: pages })
  .map((name) => join(pages, name))
  .filter((path) => !files.has(path))

if (process.argv.includes('--write')) {
  mkdirSync(pages, { recursive: true })
  for (const [path, text] of stale) writeFileSync(path, text)
  for (const path of gone) rmSync(path)
} else if (stale.length + gone.length > 0) {
  console.log(
    'pages of providers are not what their files say: node tools/provider-docs.ts --write',
  )
  for (const path of [...stale.map(([name]) => name), ...gone]) console.log(`  ${path}`)
  process.exitCode = 1
}
