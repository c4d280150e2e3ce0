import type { CredentialInput, CredentialsConfig } from '../../options/provider-options.ts'
import type { Plan } from '../../plan/plan.ts'
import type { CompiledProvider, SignInForm } from '../../plan/provider.ts'

/** The ways to sign in of a configuration, sorted by how the page shows them. */
export interface Ways {
  /** Providers, to which the browser is sent. */
  readonly buttons: readonly CompiledProvider[]
  /** Ways with something to type. */
  readonly typed: readonly TypedWay[]
  readonly passkey: PasskeyWay | undefined
  /** Where people create an account, if they can. */
  readonly signUp: string | undefined
}

/** A way with something to type: an address for a mail, a name and a password, or fields of the application. */
export type TypedWay = MailWay | PasswordWay | FieldsWay

interface Way {
  /** The id of the provider or the name of the plugin. */
  readonly id: string
  readonly name: string
  /** Where the form is sent. */
  readonly action: string
}

/** A link or a code that is mailed. */
export interface MailWay extends Way {
  readonly kind: 'mail'
  /** Whether the mail has a code alone. */
  readonly isCode?: true
}

/** A name or an address, and a password. */
export interface PasswordWay extends Way {
  readonly kind: 'password'
  readonly identifier: NamedInput
  readonly password: NamedInput
  /** Where a forgotten password is reset. */
  readonly forgot?: string | undefined
  /** Whether a user name may be typed instead of an address. */
  readonly takesNames?: boolean | undefined
}

/** Other fields of the application. */
export interface FieldsWay extends Way {
  readonly kind: 'fields'
  readonly fields: readonly NamedInput[]
}

/** A field by its name. */
export type NamedInput = readonly [name: string, input: CredentialInput]

/** A passkey, with its form and script. */
export interface PasskeyWay {
  readonly id: string
  readonly form: SignInForm
}

/** Returns the ways to sign in, in the order of the configuration; those of plugins first. */
export function waysOf(plan: Plan): Ways {
  const passkeys = plan.providers.flatMap(({ id, form }) => (form ? [{ id, form }] : []))
  const ofPlugins = plan.plugins?.actions.signInWays ?? []
  const forms = ofPlugins.flatMap((way) => ('action' in way ? [way] : []))
  const at = (path: string | undefined): string | undefined =>
    path === undefined ? undefined : `${plan.basePath}/${path}`
  return {
    buttons: plan.providers.filter(({ type }) => type === 'oauth' || type === 'oidc'),
    typed: [
      ...forms.map(({ identifier, password, ...way }) => ({
        kind: 'password' as const,
        id: way.plugin,
        name: way.plugin,
        action: `${plan.basePath}/${way.action}`,
        identifier: [identifier, EMAIL] as const,
        password: [password, { type: 'password' }] as const,
        forgot: at(way.forgot),
        takesNames: way.takesNames,
      })),
      // Before the links of mail providers, which may be there to send the code.
      ...ofPlugins.flatMap((way) =>
        'codeAction' in way
          ? {
              kind: 'mail' as const,
              isCode: true as const,
              id: way.plugin,
              name: way.plugin,
              action: `${plan.basePath}/${way.codeAction}`,
            }
          : [],
      ),
      ...plan.providers.flatMap((provider) => typedWay(plan, provider) ?? []),
    ],
    passkey: passkeys[0],
    signUp: at(ofPlugins.find(({ signUp }) => signUp !== undefined)?.signUp),
  }
}

const EMAIL: CredentialInput = { type: 'email' }

function typedWay(plan: Plan, provider: CompiledProvider): TypedWay | undefined {
  const { basePath } = plan
  const { id, name = id, type, config } = provider
  if (type === 'email') return { kind: 'mail', id, name, action: `${basePath}/signin/${id}` }
  const { credentials } = config as Partial<CredentialsConfig>
  if (type !== 'credentials' || !credentials) return undefined
  const way = { id, name, action: `${basePath}/callback/${id}` }
  const fields = Object.entries(credentials)
  const [identifier, password, ...others] = fields
  if (
    identifier &&
    password &&
    others.length === 0 &&
    isPassword(password) &&
    isIdentifier(identifier)
  )
    return { kind: 'password', ...way, identifier, password, ...ofPlugin(plan, id) }
  return { kind: 'fields', ...way, fields }
}

/** What a plugin says about its provider. */
function ofPlugin(
  { plugins, basePath }: Plan,
  id: string,
): Pick<PasswordWay, 'forgot' | 'takesNames'> {
  for (const way of plugins?.actions.signInWays ?? []) {
    if (!('provider' in way) || way.provider !== id) continue
    const { forgot, takesNames } = way
    return { takesNames, ...(forgot !== undefined && { forgot: `${basePath}/${forgot}` }) }
  }
  return {}
}

function isPassword([, { type }]: NamedInput): boolean {
  return type === 'password'
}

/** Names under which applications ask who somebody is. */
const IDENTIFIER = /^(?:user(?:name)?|login|e-?mail|identifier)$/i

function isIdentifier([name, { type = 'text' }]: NamedInput): boolean {
  return type === 'email' || (type === 'text' && IDENTIFIER.test(name))
}

/** Returns whether the identifier of a password is an email address, so that a mail can be sent to it, too. */
export function isByAddress({ identifier: [name, { type }] }: PasswordWay): boolean {
  return type === 'email' || /^e-?mail$/i.test(name)
}
