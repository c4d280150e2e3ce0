import type { Provider } from 'latchkey/providers'
import { UserError } from './user-error.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The providers of the catalogue with these names, with what the environment says about them. */
export async function namedProviders(
  names: readonly string[],
  env: Environment,
): Promise<Provider[]> {
  return Promise.all(names.map(async (name) => configured(name, await load(name), env)))
}

type Factory = (options: Record<string, string>) => Exclude<Provider, (options?: never) => unknown>

/** Modules that are called other than their provider. */
const MODULES: Readonly<Record<string, string>> = { hydra: 'ory-hydra' }

async function load(name: string): Promise<Factory> {
  const module = (await import(`latchkey/providers/${MODULES[name] ?? name}`).catch(
    () => ({}),
  )) as {
    default?: Factory
  }
  if (!NAMEABLE.has(typeOf(module.default)))
    throw new UserError(
      `providers: there is no provider "${name}" that can be named here${
        module.default ? '; add it to auth.providers in a configuration file' : ''
      }`,
    )
  return module.default as Factory
}

/** The others need what no variable gives. */
const NAMEABLE: ReadonlySet<unknown> = new Set(['oauth', 'oidc', 'webauthn'])

function typeOf(factory: Factory | undefined): string | undefined {
  try {
    return factory?.({}).type
  } catch {
    return undefined
  }
}

function configured(name: string, factory: Factory, env: Environment): Provider {
  const { id, type } = factory({})
  // These need no registration anywhere.
  if (type === 'webauthn') return factory({})
  // As in the library, variables are named after the id.
  const prefix = `AUTH_${id.toUpperCase().replaceAll('-', '_')}`
  const members = { clientId: 'ID', clientSecret: 'SECRET', issuer: 'ISSUER', apiKey: 'KEY' }
  const options: Record<string, string> = {}
  for (const [member, suffix] of Object.entries(members)) {
    const value = env[`${prefix}_${suffix}`]
    if (value) options[member] = value
    else if (member === 'clientId' || member === 'clientSecret')
      throw new UserError(
        `providers: ${name} needs ${prefix}_${suffix}; set it, or remove ${name} from AUTH_PROVIDERS`,
      )
  }
  return factory(options)
}
