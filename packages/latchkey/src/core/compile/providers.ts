import { oncePer } from '../../base/once.ts'
import { compileCredentials } from '../../flows/credentials/credentials-provider.ts'
import { compileEmail } from '../../flows/email/email-provider.ts'
import { compileOAuth } from '../../flows/oauth/oauth-provider.ts'
import { compileWith } from '../../options/markers.ts'
import type { ProviderConfig } from '../../options/provider-options.ts'
import type { Plan, SessionPlan } from '../../plan/plan.ts'
import type { CompiledProvider } from '../../plan/provider.ts'

/** The table of provider types: how each becomes a {@link CompiledProvider}. */
const compilers: {
  readonly [Type in ProviderConfig['type']]: Compiler<Extract<ProviderConfig, { type: Type }>>
} = {
  oauth: compileOAuth,
  oidc: compileOAuth,
  email: compileEmail,
  credentials: compileCredentials,
  // Few applications have passkeys, so the module of the provider has the code for them.
  webauthn: (config, plan) => (config[compileWith] as Compiler<typeof config>)(config, plan),
}

type Compiler<Config> = (config: Config, plan: Plan) => CompiledProvider

/** Returns the plan with its providers. */
export const withProviders: (given: SessionPlan) => Plan = oncePer((given: SessionPlan) => {
  let providers: readonly CompiledProvider[] | undefined
  const plan: Plan = {
    ...given,
    get providers() {
      providers ??= compileProviders(plan)
      return providers
    },
    provider: (wanted) => plan.providers.find(({ id }) => id === wanted),
  }
  return plan
}, new WeakMap<SessionPlan, Plan>())

/** Compiles the providers. If several have one id, the first is used. */
function compileProviders(plan: Plan): CompiledProvider[] {
  const ids = plan.providerConfigs.map(({ id }) => id)
  return plan.providerConfigs
    .filter(({ id }, at) => ids.indexOf(id) === at)
    .map((config) => (compilers[config.type] as Compiler<ProviderConfig>)(config, plan))
}
