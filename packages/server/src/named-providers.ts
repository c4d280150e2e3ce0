import type { Provider } from 'latchkey/providers'
import { UserError } from './user-error.ts'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Returns the providers of the catalogue with these names, configured from environment variables.
 *
 * @param from the sender of mails.
 */
export async function namedProviders(
  names: readonly string[],
  env: Environment,
  from?: string,
): Promise<Provider[]> {
  return Promise.all(names.map(async (name) => configured(name, await load(name), env, from)))
}

type Factory = (options: Record<string, string>) => Exclude<Provider, (options?: never) => unknown>

/** Modules whose name differs from the name of the provider. */
const MODULES: Readonly<Record<string, string>> = { hydra: 'ory-hydra' }

async function load(name: string): Promise<Factory> {
  const module = (await import(`latchkey/providers/${MODULES[name] ?? name}`).catch(
    () => ({}),
  )) as {
    default?: Factory
  }
  if (!canBeNamed(name, typeOf(module.default)))
    throw new UserError(
      `providers: there is no provider "${name}" that can be named here${
        module.default ? '; add it to auth.providers in a configuration file' : ''
      }`,
    )
  return module.default as Factory
}

/** Whether the option `providers` may contain this name. */
export function canBeNamed(name: string, type: string | undefined): boolean {
  return NAMEABLE.has(type) || MAIL_SERVICES.has(name)
}

/** Other types need options that no environment variable sets. */
const NAMEABLE: ReadonlySet<unknown> = new Set(['oauth', 'oidc', 'webauthn'])

/** Mail services that need only a key and a sender. */
const MAIL_SERVICES: ReadonlySet<string> = new Set([
  'forwardemail',
  'mailgun',
  'postmark',
  'resend',
  'sendgrid',
])

function typeOf(factory: Factory | undefined): string | undefined {
  try {
    return factory?.({}).type
  } catch {
    return undefined
  }
}

function configured(
  name: string,
  factory: Factory,
  env: Environment,
  from: string | undefined,
): Provider {
  const { id, type } = factory({})
  // Passkeys need no registration at another site.
  if (type === 'webauthn') return factory({})
  // As in the library, the names of the variables contain the id.
  const prefix = `AUTH_${id.toUpperCase().replaceAll('-', '_')}`
  const members = { clientId: 'ID', clientSecret: 'SECRET', issuer: 'ISSUER', apiKey: 'KEY' }
  const options: Record<string, string> = {}
  const needed = type === 'email' ? ['apiKey'] : ['clientId', 'clientSecret']
  if (type === 'email') {
    if (from === undefined)
      throw new UserError(
        `mailFrom: is required with ${name}; set MAIL_FROM to an address such as Acme <login@acme.example>`,
      )
    options['from'] = from
  }
  for (const [member, suffix] of Object.entries(members)) {
    const value = env[`${prefix}_${suffix}`]
    if (value) options[member] = value
    else if (needed.includes(member))
      throw new UserError(
        `providers: ${name} needs ${prefix}_${suffix}; set it, or remove ${name} from AUTH_PROVIDERS`,
      )
  }
  return factory(options)
}
