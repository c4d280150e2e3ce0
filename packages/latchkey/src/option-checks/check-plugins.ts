import { AuthError, MissingAdapter, MissingAdapterMethods } from '../base/errors.ts'
import { unknownIn } from '../base/option-names.ts'
import { isAuthAction } from '../http/request.ts'
import { atomic } from '../model/adapter.ts'
import type { AuthConfig } from '../options/auth-config.ts'
import { isInProduction, withoutNeeds } from '../options/markers.ts'
import type { PluginNeed, PluginOption } from '../options/plugin-option.ts'
import type { ProviderConfig } from '../options/provider-options.ts'
import { judge } from './judge.ts'

/** A plugin with its routes, before it is set up. */
interface WithRoutes extends PluginOption {
  readonly routes?: Readonly<Record<string, unknown>>
  readonly gate?: unknown
  readonly provides?: readonly string[]
  readonly mails?: readonly string[]
  check?(config: AuthConfig, providers: readonly ProviderConfig[]): AuthError | undefined
}

const NAME = /^[a-z][A-Za-z0-9]*$/
/** Characters that a browser sends unchanged, so that each path has one spelling. */
const PATH = /^[a-z0-9][a-z0-9-]*(?:\/[a-z0-9][a-z0-9-]*)*(?:\/\*)?$/

/** Checks names, paths, texts and needs of the plugins, and then what each of them checks itself. */
export function checkPlugins(
  config: AuthConfig,
  providers: readonly ProviderConfig[],
): AuthError | undefined {
  const plugins = (config.plugins ?? []) as readonly WithRoutes[]
  const takers = new Map<string, string>()
  const names = plugins.map(({ name }) => name)
  for (const [at, plugin] of plugins.entries()) {
    const { name } = plugin
    if (!NAME.test(name)) {
      return new AuthError(
        `the name of a plugin must be a lower-case letter followed by letters and digits, got ${JSON.stringify(name)}`,
      )
    }
    if (names.indexOf(name) !== at) {
      return new AuthError(`the plugin ${name} is in \`plugins\` twice; leave one of them out`)
    }
    for (const [route, methods] of Object.entries(plugin.routes ?? {})) {
      const fault = faultOfPath(route, name, takers) ?? faultOfMethods(route, name, methods)
      if (fault) return fault
      takers.set(route, name)
    }
    const odd = faultOfTexts(plugin) ?? faultOfProvides(plugin, plugins)
    if (odd) return odd
    if (typeof (plugin.setUp as unknown) !== 'function') {
      return new AuthError(
        `the plugin ${name} needs the function \`setUp\`, which returns its parts; for none, write setUp: () => ({})`,
      )
    }
    const needs: readonly PluginNeed[] = plugin.needs ?? []
    const isHalf = plugin[withoutNeeds] === true
    for (const need of plugin.gate && !isHalf ? [...needs, 'records' as const] : needs) {
      const fault = unmet(need, name, config, providers)
      if (fault) return fault
    }
  }
  let fault = faultOfTemplates(config, plugins)
  for (const { check } of plugins) fault ??= check?.(config, providers)
  return fault
}

function faultOfPath(
  route: string,
  name: string,
  takers: ReadonlyMap<string, string>,
): AuthError | undefined {
  if (!PATH.test(route)) {
    return new AuthError(
      `the plugin ${name} has the path ${JSON.stringify(route)}; a path must consist of lower-case letters, digits and -, separated by /, and may end with /*`,
    )
  }
  const [first = ''] = route.split('/', 1)
  if (isAuthAction(first)) {
    return new AuthError(
      `the plugin ${name} has the path ${route}, but ${first} is a built-in action; choose another path`,
    )
  }
  const taker = takers.get(route)
  return taker === undefined
    ? undefined
    : new AuthError(
        `the plugins ${taker} and ${name} both have the path ${route}; remove one of them`,
      )
}

/** Checks that no plugin before it provides the same for all. */
function faultOfProvides(
  { name, provides = [] }: WithRoutes,
  plugins: readonly WithRoutes[],
): AuthError | undefined {
  for (const each of provides) {
    const [first] = plugins.filter((plugin) => plugin.provides?.includes(each))
    if (first && first.name !== name) {
      return new AuthError(
        `the plugins ${first.name} and ${name} both provide ${each}, and only one plugin may; remove one of them`,
      )
    }
  }
  return undefined
}

const METHODS = ['GET', 'POST']
const WHO = ['anyone', 'user', 'pending']

/** Checks what the TypeScript compiler would report: such a route could not be requested. */
function faultOfMethods(route: string, name: string, methods: unknown): AuthError | undefined {
  for (const [method, is] of Object.entries(Object(methods) as Record<string, unknown>)) {
    const at = `the route ${method} ${route} of the plugin ${name}`
    if (!METHODS.includes(method)) {
      return new AuthError(`${at} has an unsupported method; use ${METHODS.join(' or ')}`)
    }
    const { who, callers } = Object(is) as { readonly who?: unknown; readonly callers?: unknown }
    if (callers === 'servers' || callers === 'protocol') continue
    const odd = [who].flat().find((each) => !WHO.includes(String(each)))
    if (odd !== undefined || who === undefined) {
      return new AuthError(
        `${at} must have \`who\`: ${WHO.join(', ')} or a list of these, got ${JSON.stringify(odd) ?? 'nothing'}`,
      )
    }
  }
  return undefined
}

/** Checks that each key begins with the name of the plugin, so that keys are unique. */
function faultOfTexts({ name, texts }: PluginOption): AuthError | undefined {
  if (!texts) return undefined
  if (!texts.en)
    return new AuthError(`the plugin ${name} has texts, but none in English (\`en\`); add them`)
  for (const [language, table] of Object.entries(texts)) {
    for (const key of Object.keys(table)) {
      if (!key.startsWith(`${name}:`)) {
        return new AuthError(
          `the plugin ${name} has a text ${JSON.stringify(key)}; its keys must begin with "${name}:", so that they differ from those of other plugins`,
        )
      }
      if (!Object.hasOwn(texts.en, key)) {
        return new AuthError(
          `the plugin ${name} has the text ${JSON.stringify(key)} in ${language}, but not in English (\`en\`); add it there`,
        )
      }
    }
  }
  return undefined
}

/** Checks that each template is one for a mail that a plugin sends. */
function faultOfTemplates(
  { mail }: AuthConfig,
  plugins: readonly WithRoutes[],
): AuthError | undefined {
  const templates = mail?.templates ?? {}
  const kinds = plugins.flatMap(({ mails = [] }) => mails)
  const unknown = unknownIn(templates, kinds, 'mail.templates.')
  if (unknown !== undefined) return new AuthError(unknown)
  return judge(
    Object.values(templates),
    (is) => is === undefined || typeof is === 'function',
    '`mail.templates` must be an object of functions',
  )
}

/** Returns whether mails that cannot be sent are kept: in development, by a plugin that provides this. */
function hasMailbox(config: AuthConfig): boolean {
  const plugins = (config.plugins ?? []) as readonly WithRoutes[]
  return !isInProduction(config) && plugins.some(({ provides }) => provides?.includes('mailbox'))
}

function unmetMail(name: string, providers: readonly ProviderConfig[]): AuthError | undefined {
  const mailers = providers.filter((provider) => provider.type === 'email')
  if (mailers.some(({ sendMail }) => sendMail)) return undefined
  const [first] = mailers
  return new AuthError(
    first
      ? `the plugin ${name} sends mails, but the provider ${first.id} sends only sign-in mails; add \`sendMail\` to it, or add another mail provider`
      : `the plugin ${name} sends mails, but there is no mail provider; add one to \`providers\``,
  )
}

function unmetRecords(name: string, records: AuthConfig['records']): AuthError | undefined {
  if (!records?.[atomic]?.createRecord) records?.[atomic]?.useRecords?.(records)
  return records?.[atomic]?.createRecord
    ? undefined
    : new MissingAdapterMethods(
        `the plugin ${name} stores records, but there is no record store; use an adapter of Latchkey (SQL: without \`records: false\`; Drizzle: with the table \`record\`; Prisma: with \`models.record\`), or set \`records\``,
      )
}

function unmet(
  need: PluginNeed,
  name: string,
  config: AuthConfig,
  providers: readonly ProviderConfig[],
): AuthError | undefined {
  const { adapter, records = adapter, plugins = [] } = config
  switch (need) {
    case 'adapter':
      return adapter ? undefined : new MissingAdapter(`the plugin ${name} needs an \`adapter\``)
    case 'records':
      return unmetRecords(name, records)
    case 'attempts':
      return adapter?.[atomic]?.countAttempt
        ? undefined
        : new MissingAdapterMethods(
            `the plugin ${name} counts attempts, but the adapter cannot count them; use an adapter of Latchkey`,
          )
    case 'mail':
      return hasMailbox(config) ? undefined : unmetMail(name, providers)
    default: {
      const other = need.slice('plugin:'.length)
      return plugins.some((each) => each.name === other)
        ? undefined
        : new AuthError(`the plugin ${name} needs the plugin ${other}; add it to \`plugins\``)
    }
  }
}
