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

type Factory = (options: Record<string, string>) => Provider

async function load(name: string): Promise<Factory> {
  const module = (await import(`latchkey/providers/${name}`).catch(() => ({}))) as {
    default?: unknown
  }
  if (typeof module.default !== 'function' || ['credentials', 'nodemailer'].includes(name))
    throw new UserError(`providers: there is no provider "${name}" that can be named here`)
  return module.default as Factory
}

/** Those that need no registration anywhere, and so nothing from the environment. */
const UNREGISTERED: ReadonlySet<string> = new Set(['passkey', 'webauthn'])

function configured(name: string, factory: Factory, env: Environment): Provider {
  if (UNREGISTERED.has(name)) return factory({})
  const prefix = `AUTH_${name.toUpperCase().replaceAll('-', '_')}`
  const members = { clientId: 'ID', clientSecret: 'SECRET', issuer: 'ISSUER' }
  const options: Record<string, string> = {}
  for (const [member, suffix] of Object.entries(members)) {
    const value = env[`${prefix}_${suffix}`]
    if (value) options[member] = value
    else if (member !== 'issuer')
      throw new UserError(
        `providers: ${name} needs ${prefix}_${suffix}; set it, or remove ${name} from AUTH_PROVIDERS`,
      )
  }
  return factory(options)
}
