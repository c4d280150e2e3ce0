import { checkOptions, type OptionRule, oneOf, required, seconds } from '../../entries/plugin.ts'

/** Options of the plugin. */
export interface FederatedLogoutOptions {
  /**
   * Whether a sign-out leads to the provider: `never`, `always`, or `ask`, a checkbox on the sign-out page.
   *
   * It decides only for a sign-out that does not set `federated` itself. Pages of your own send a field
   * `federated` with the value `1` or `0`.
   *
   * @default 'ask'
   */
  readonly federated?: 'never' | 'always' | 'ask' | undefined
  /** Path of the site for visitors who return from the provider without a usable state. @default '/' */
  readonly returnTo?: string | undefined
  /**
   * Ends sessions when a provider says so (OpenID Connect Back-Channel Logout 1.0).
   *
   * `true` accepts logout tokens of all OpenID providers. It needs the plugin `sessions`.
   *
   * @default false
   * @see docs/how-to/end-sessions-from-the-provider.md
   */
  readonly backchannel?: boolean | BackchannelOptions | undefined
  /**
   * Ends sessions when a provider has a browser load an address (OpenID Connect Front-Channel Logout 1.0).
   *
   * `{ providers }` names the providers. Anybody who knows the id of a session at the provider can end it: use
   * `backchannel` if the provider supports it. It needs the plugin `sessions`.
   *
   * @default false
   */
  readonly frontchannel?: false | { readonly providers: readonly string[] } | undefined
}

export interface BackchannelOptions {
  /** Ids of the providers whose logout tokens are accepted. @default all of OpenID Connect */
  readonly providers?: readonly string[] | undefined
  /** Seconds until a logout token is too old, 1 to 600. @default 120 */
  readonly maxAge?: number | undefined
  /** Seconds by which clocks may differ, 0 to 300. @default 60 */
  readonly skew?: number | undefined
  /**
   * Refuses logout tokens without `sid`.
   *
   * Set it for providers at which `backchannel_logout_session_required` is registered.
   *
   * @default false
   */
  readonly requireSid?: boolean | undefined
}

/** The options with their defaults. */
export interface Settings {
  readonly federated: 'never' | 'always' | 'ask'
  readonly returnTo: string
  readonly backchannel: Backchannel | undefined
  /** Ids of providers. */
  readonly frontchannel: readonly string[]
}

export interface Backchannel {
  /** `undefined` for all OpenID providers. */
  readonly providers: readonly string[] | undefined
  /** In seconds. */
  readonly maxAge: number
  /** In seconds. */
  readonly skew: number
  readonly requireSid: boolean
}

const PATH: OptionRule = {
  expected: 'a path of the site, such as "/"',
  fits: (value) => typeof value === 'string' && /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(value),
}
const IDS: OptionRule = {
  expected: 'a list of ids of providers',
  fits: (value) =>
    Array.isArray(value) && value.length > 0 && value.every((id) => typeof id === 'string'),
}

/** @throws {TypeError} for an invalid option. */
export function settingsOf(options: FederatedLogoutOptions): Settings {
  checkOptions('federatedLogout', options, {
    federated: oneOf('never', 'always', 'ask'),
    returnTo: PATH,
    backchannel: true,
    frontchannel: true,
  })
  const { federated = 'ask', returnTo = '/', backchannel = false, frontchannel = false } = options
  if (frontchannel !== false) {
    checkOptions(
      'federatedLogout',
      frontchannel,
      { providers: required(IDS) },
      { member: 'frontchannel', expected: 'false or { providers: [ids] }' },
    )
  }
  return {
    federated,
    returnTo,
    backchannel: backchannel === false ? undefined : backchannelOf(backchannel),
    frontchannel: frontchannel === false ? [] : frontchannel.providers,
  }
}

function backchannelOf(given: true | BackchannelOptions): Backchannel {
  const options = given === true ? {} : given
  checkOptions(
    'federatedLogout',
    options,
    { providers: IDS, maxAge: seconds(1, 600), skew: seconds(0, 300), requireSid: 'boolean' },
    { member: 'backchannel', expected: 'true, false or an object' },
  )
  const { providers, maxAge = 120, skew = 60, requireSid = false } = options
  return { providers, maxAge, skew, requireSid }
}
