/**
 * The pages of the docs about providers, made from the providers' own files: a page for each, and an
 * index of all. Their number in the README and on the first page of the site is theirs, too.
 *
 *     node tools/provider-docs.ts          exit 1 when a page is not what its file says
 *     node tools/provider-docs.ts --write  writes them
 */
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type CatalogueEntry,
  type Description,
  isOAuth,
  isTakenByName,
  kindOf,
  logoutAddressesOf,
  optionsOf,
  readCatalogue,
  variablesOf,
} from '../packages/server/src/cli/catalogue.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const sources = join(root, 'packages/latchkey/src/providers')
const pages = join(root, 'docs/reference/providers')
const index = join(root, 'docs/reference/providers.md')
/** Pages that name the number of providers. */
const counting = ['README.md', 'site/index.md'].map((name) => join(root, name))

/** What a provider's file says in its docstring. */
interface Docstring {
  readonly text: string
  readonly links: readonly string[]
}

interface Provider extends CatalogueEntry {
  readonly docstring: Docstring
}

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
[All providers](../providers.md) · id \`${id}\` · generated from \`packages/latchkey/src/providers/${module}.ts\`
`
}

function example(module: string, description: Description): string {
  const name = /^\d/.test(module) ? 'provider' : camel(module)
  const options = optionsOf(description).map((option) => `${option}: ${SAMPLES[option] ?? "'…'"}`)
  const call = options.length === 0 ? name : `${name}({ ${options.join(', ')} })`
  return `import { createLatchkey } from 'latchkey'
import ${name} from 'latchkey/providers/${module}'

export const config = { providers: [${call}] }
export const start = () => createLatchkey(config)`
}

/** Values of options that no variable of the environment gives. */
const SAMPLES: Readonly<Record<string, string>> = {
  authorize: '() => null',
  server: "'smtp://localhost:1025'",
  from: "'Your site <no-reply@your.site>'",
}

function camel(text: string): string {
  return text.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}

function inService(description: Description): string {
  const { id, type } = description
  if (!isTakenByName(description)) return '`auth.providers` of its configuration file'
  return `\`AUTH_PROVIDERS=${id}\`${type === 'email' ? ', with `MAIL_FROM`' : ''}`
}

function facts(description: Description): string {
  const variables = variablesOf(description).map((name) => `\`${name}\``)
  const rows: [string, string | undefined][] = [
    ['kind', kindOf(description)],
    [
      'callback URL',
      isOAuth(description) ? `\`https://your.site/auth/callback/${description.id}\`` : undefined,
    ],
    ...logoutAddressesOf(description).map(([label, address]): [string, string] => [
      `[${label}](../../how-to/sign-out-of-the-provider.md)`,
      `\`${address}\``,
    ]),
    ['variables', variables.length === 0 ? undefined : variables.join(', ')],
    ['in [the service](../../../packages/server/README.md)', inService(description)],
    ['issuer', issuerOf(description)],
    ['scope', scopeOf(description)],
    ['checks', isOAuth(description) ? (description.checks ?? ['pkce']).join(', ') : undefined],
    ['client authentication', authenticationOf(description)],
    ['profile from', profileFrom(description)],
  ]
  const lines = rows.flatMap(([what, value]) =>
    value === undefined ? [] : [`| ${what} | ${value} |`],
  )
  return `| | |\n| --- | --- |\n${lines.join('\n')}\n\n`
}

function issuerOf({ issuer, defaultIssuer }: Description): string | undefined {
  if (issuer) return `\`${issuer}\``
  return defaultIssuer && `\`${defaultIssuer}\`, unless you set the variable or \`issuer\``
}

function scopeOf(description: Description): string | undefined {
  if (!isOAuth(description)) return undefined
  const { authorization } = description
  const url = typeof authorization === 'string' ? authorization : authorization?.url
  const params = typeof authorization === 'object' ? authorization.params : {}
  const named =
    params?.['scope'] ??
    (url && URL.canParse(url) ? new URL(url).searchParams.get('scope') : undefined)
  if (typeof named === 'string') return named === '' ? 'none' : `\`${named}\``
  return params && 'scope' in params ? 'none' : '`openid profile email`'
}

function authenticationOf(description: Description): string | undefined {
  if (!isOAuth(description)) return undefined
  return `\`${String(description.client?.['token_endpoint_auth_method'] ?? 'client_secret_basic')}\``
}

/** Functions of the library that a `profile` may call. */
const HELPERS = ['fullName', 'pictureOf']

/** The source of a method or of an arrow function, as a function that can stand alone. */
function declarationOf(source: string): string {
  return /^(?:async )?profile\(/.test(source)
    ? source.replace(/profile\(/, 'function profile(')
    : `const profile = ${source}`
}

function profileFrom({ type, idToken }: Description): string | undefined {
  if (type === 'oauth') return 'userinfo endpoint'
  if (type === 'oidc') return idToken === false ? 'userinfo endpoint' : 'ID token'
  return undefined
}

function user(description: Description): string {
  if (!isOAuth(description)) return ''
  if (!description.profile) {
    return 'The user comes from the standard claims `sub`, `name`, `email` and `picture`.\n\n'
  }
  const code = declarationOf(dedented(description.profile.toString()))
  const helpers = HELPERS.filter((name) => code.includes(`${name}(`))
  const given = helpers.map((name) => `declare function ${name}(...parts: unknown[]): string\n`)
  const hidden = given.length > 0 ? `<!-- given\n${given.join('')}-->\n` : ''
  return `This function creates the user from the profile:\n\n${hidden}\`\`\`js\n${code}\n\`\`\`\n\n`
}

/** Where the options are described that many providers have. */
function further(description: Description): string {
  if (description.type === 'email')
    return 'It needs an adapter: [sign in by mail](../../how-to/sign-in-by-mail.md). All options: [mail providers](../configuration.md#mail-providers).\n\n'
  if (!isOAuth(description)) return ''
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
  const sections = Map.groupBy(providers, ({ description }) => letterOf(description.name))
  const jumps = [...sections.keys()].map((letter) => `[${letter}](#${letter.toLowerCase()})`)
  return `# Providers

Latchkey has ${providers.length} providers. For another one, [add a provider](../how-to/add-a-provider.md) with about ten lines of code.

Each page has an example for the library. [The service](../../packages/server/README.md) has the same providers: set
\`AUTH_PROVIDERS=gitlab,google\` for providers that need only environment variables, and \`auth.providers\` in the configuration file for
all others. \`latchkey providers gitlab\` prints the variables and the callback URL of a provider.

This page and the pages of the providers are generated from the source files by \`node tools/provider-docs.ts --write\`.

${jumps.join(' · ')}

${[...sections].map(([letter, those]) => section(letter, those)).join('\n')}`
}

function letterOf(name: string): string {
  return /^\d/.test(name) ? '0-9' : name.slice(0, 1).toUpperCase()
}

function section(letter: string, providers: readonly Provider[]): string {
  const rows = providers.map(({ module, description, otherNames }) => {
    const names = [`[${description.name}](providers/${module}.md)`, ...otherNames].join(', ')
    const kind = `${kindOf(description)}${description.deprecated ? ', deprecated' : ''}`
    return `| ${names} | \`latchkey/providers/${module}\` | ${kind} |\n`
  })
  return `## ${letter}

| name | import | kind |
| --- | --- | --- |
${rows.join('')}`
}

const made = (await readCatalogue()).map(
  (entry): Provider => ({
    ...entry,
    docstring: docstringOf(readFileSync(join(sources, `${entry.module}.ts`), 'utf8'), entry.module),
  }),
)

const files = new Map<string, string>([
  [index, indexPage(made)],
  ...counting.map((file): [string, string] => [
    file,
    readFileSync(file, 'utf8').replace(/\b\d+ providers\b/, `${made.length} providers`),
  ]),
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
