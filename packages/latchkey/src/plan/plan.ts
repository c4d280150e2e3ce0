import type { Awaitable } from '../base/awaitable.ts'
import type { MaybePromise } from '../base/crypto/crypto.ts'
import type { AuthError } from '../base/errors.ts'
import type { Ports } from '../base/ports.ts'
import type { Texts } from '../base/texts/texts.ts'
import type { Cookie, CookieSpec } from '../http/cookies/cookies.ts'
import type { Outcome } from '../http/outcome.ts'
import type { HeaderReader } from '../http/pending-request.ts'
import type { AuthRequest, Mount, SiteRequest } from '../http/request.ts'
import type { SafeUrl } from '../http/safe-url.ts'
import type { Account, AdapterAccount } from '../model/account.ts'
import type { Adapter } from '../model/adapter.ts'
import type { ProofKey } from '../model/proof-key.ts'
import type { RecordAbilities } from '../model/record.ts'
import type { AdapterUser } from '../model/user.ts'
import type { SignInParams } from '../options/callbacks.ts'
import type { CookieName, CookieSpecs } from '../options/cookie-policy.ts'
import type { EventMessages } from '../options/events.ts'
import type { PagesOptions, Theme } from '../options/pages.ts'
import type { PluginOption, PluginTexts } from '../options/plugin-option.ts'
import type { ProviderConfig } from '../options/provider-options.ts'
import type { Logger } from '../options/redacting-logger.ts'
import type { LimitSubjects } from '../plugin/attempts.ts'
import type {
  AccountSection,
  BegunSignIn,
  HowStarted,
  Leaving,
  PendingSignIn,
  SignedOut,
  SignInField,
  SignInWay,
  SignOutAddition,
} from '../plugin/hooks.ts'
import type { GateProof, ProvenUser } from '../plugin/host-groups.ts'
import type { Languages } from '../plugin/languages.ts'
import type { ProvidedProof } from '../plugin/proofs.ts'
import type { TokenKeeper, UnprovedUsers } from '../plugin/provides.ts'
import type { ResealedRecords } from '../plugin/sealed-kind.ts'
import type { Sealer } from '../protocols/sealing/sealer.ts'
import type { Carrier } from '../session/carrier.ts'
import type { Proved } from '../session/proof/fresh.ts'
import type { Need } from '../session/proof/step-up.ts'
import type { SessionCallbacks } from '../session/services.ts'
import type { Sessions } from '../session/sessions.ts'
import type { SignInFields } from '../session/strategy.ts'
import type { Watch } from '../session/watch.ts'
import type { Store } from '../store/store.ts'
import type { CompiledProvider } from './provider.ts'

/**
 * A configuration with all defaults and derived values, without its providers: the part for reading a session.
 * Shared by all requests.
 */
export interface SessionPlan extends Mount, PlanSecrets, PlanOfSite {
  readonly ports: Ports
  /** The errors of the configuration. */
  readonly fault: AuthError | undefined
  readonly raw: boolean
  readonly providerConfigs: readonly ProviderConfig[]
  readonly session: Sessions
  /** The hooks of plugins, if there are any. */
  readonly watch: Watch | undefined
  /** Whether a sign-out clears the session cookie if the store fails. */
  readonly forgetsUnended: boolean
  /** `undefined` without an adapter. */
  readonly store: Store | undefined
  /** The store for records of plugins, with the logging and the errors of the store; `undefined` if there is none. */
  readonly records: Required<RecordAbilities> | undefined
  readonly callbacks: Callbacks
  readonly logger: Logger
  /** `undefined` without plugins. */
  readonly plugins: PlanPlugins | undefined
  /** Calls an event handler of the application; its errors are only logged. */
  emit<Name extends keyof EventMessages>(
    name: Name,
    message: EventMessages[Name],
  ): Promise<void> | undefined
}

/** The site: its origins, its pages and their texts. */
interface PlanOfSite {
  /** Returns whether requests to this origin are accepted. */
  trustsOrigin(origin: string): boolean
  /** Whether `signIn` and `signOut` of the application accept requests from other sites. */
  readonly allowCrossSite: boolean
  /** The deployment that receives the callbacks of providers for this one, and the origins that it serves. */
  readonly redirectProxy: {
    readonly url: string | undefined
    readonly origins: readonly string[] | undefined
  }
  readonly pages: Partial<PagesOptions>
  readonly theme: Theme
  /** `undefined` if no plugin adds languages. */
  readonly languages: Languages | undefined
  /** Returns the texts in the preferred language of a request. Returns the same object for the same language. */
  texts(request: { readonly headers: HeaderReader }): Texts
  /** Calls the `redirect` callback for a URL that came from the request. */
  resolveRedirect(target: string, origin: string): MaybePromise<SafeUrl>
}

/** What is sealed and hashed, and the cookies that have it. */
interface PlanSecrets {
  /** The first secret is used for new values. */
  readonly secrets: readonly string[]
  /** Accepted secrets for the hashes of forms and mails. The first is used for new hashes. */
  readonly hashSecrets: readonly string[]
  /** Returns the names and attributes of the cookies. @param secure whether the request came over https */
  cookies(secure: boolean): CookieSpecs
  /** Seals the cookies of a flow. @param purpose the name of the cookie */
  sealer(purpose: string): Sealer
  /** Whether forms need a CSRF token. */
  readonly csrf: boolean
}

/** The parts of a plan that plugins add. */
export interface PlanPlugins {
  readonly router: PluginRouter
  readonly actions: PluginActions
  readonly session: PluginSessions
  readonly accounts: PluginAccounts
  /** `undefined` if no plugin has one. */
  readonly gates: PlanGates | undefined
  readonly events: PluginEvents
  readonly proofs: PlanProofs
  /** The sections of the account page. */
  readonly sections: readonly (AccountSection & { readonly texts: PluginTexts })[]
  /** Runs the cleanup and repair of each plugin, for about this many milliseconds. */
  maintain(budgetMs: number): Promise<void>
  /** Seals all stored values that do not expire with the first secret. */
  resealRecords(): Promise<ResealedRecords>
  /** Returns the API of a plugin; `undefined` if no plugin has that name. */
  api(name: string): object | undefined
}

/** The ways of plugins in which users prove their identity again. */
export interface PlanProofs {
  readonly hasWays: boolean
  /** Returns how many factors the account of a user has. */
  factors(userId: string): Promise<1 | 2>
  /** Returns the methods that a sign-in with a provider proves beside `fed`. */
  ofProvider(proof: ProvidedProof): Promise<readonly string[]>
  /** Returns the contexts that a provider is asked for. */
  askOfProvider(provider: string): readonly string[]
  /** Returns the page on which a user proves what a session needs; `undefined` if the user has no way. */
  page(session: Proved, need: Need, callbackUrl: SafeUrl): Promise<SafeUrl | undefined>
}

/** The routes of plugins. */
export interface PluginRouter {
  /** Returns the route of a plugin for this path; `undefined` if no plugin has one. */
  find(pathname: string): PluginMatch | undefined
  /** Runs a route. @param request a request whose body is unread. */
  answer(request: SiteRequest, route: PluginMatch): Promise<Outcome>
}

/** The route of a plugin that a path leads to. */
export interface PluginMatch {
  readonly plugin: PluginOption
  /** The path of the route, as its plugin names it. */
  readonly route: string
  /** The segment at the place of its star. */
  readonly rest?: string
}

/** What plugins add to built-in actions and their pages. */
export interface PluginActions {
  /** Runs a built-in action with the hooks of plugins. */
  run(
    request: AuthRequest,
    action: (request: AuthRequest) => Promise<Outcome>,
    how: HowStarted,
  ): Promise<Outcome>
  /** Returns the response for a built-in action that a plugin refused with a `Problem`. */
  refuse(problem: Error, request: AuthRequest): Promise<Outcome>
  /** Counts an attempt. @throws {Problem} `too_many_attempts` */
  limit(name: string, subjects: LimitSubjects): Promise<void>
  /** Whether users may have keys that are only second factors, with which nobody signs in. */
  readonly hasSecondKeys: boolean
  /** Fields that the forms of all routes may have. */
  readonly commonFields: readonly string[]
  /** Returns further cookies of a sign-in with a provider. @param specOf a cookie that the callback receives */
  begun(
    signIn: Omit<BegunSignIn, 'keep'>,
    specOf: (name: CookieName) => CookieSpec,
  ): Promise<readonly Cookie[]>
  /** The checkboxes of the sign-in page. */
  readonly signInFields: readonly (SignInField & { readonly texts: PluginTexts })[]
  /** Ways of plugins to sign in with a password, and whether a user name may be typed instead of an address. */
  readonly signInWays: readonly (SignInWay & {
    readonly plugin: string
    readonly takesNames: boolean
  })[]
  /** Checks the fields of a credentials provider of a plugin; `undefined` for a provider of the application. */
  authorize(provider: string, request: AuthRequest): Promise<ProvenUser> | undefined
  /** Reads the checkboxes from a form. */
  kept(form: SiteRequest['form']): SignInFields | undefined
  /** Returns the cookies that plugins add to a completed sign-in. */
  signedIn(signIn: PendingSignIn, request: SiteRequest): Promise<readonly Cookie[]>
  /** Returns the parts of the sign-out page from plugins. */
  signOutPage(request: SiteRequest): Promise<readonly SignOutAddition[]>
  /** Returns a URL that a sign-out visits before its target. */
  leave(signedOut: SignedOut): Promise<Leaving>
}

/** What plugins add to sessions. */
export interface PluginSessions {
  /** The carriers of plugins, which are tried before the cookies. */
  readonly carriers: readonly Carrier[]
  /** At the edge: throws the error that names a plugin without which sessions can only be read. */
  readonly elsewhere: (() => never) | undefined
  /** The session hooks of plugins, if there are any. */
  readonly watch: Watch | undefined
}

/** What plugins do with provider accounts and their tokens, and when a user is deleted. */
export interface PluginAccounts {
  /**
   * Returns the part of a provider account that is stored in its row. Runs inside a transaction, so it must not
   * use the store.
   */
  row(account: AdapterAccount): AdapterAccount
  /** Called after an account row was written at a sign-in or a link; plugins store the remaining members. */
  stored(
    account: AdapterAccount,
    answer: Account,
    asked: string | undefined,
    dpop: ProofKey | undefined,
  ): Promise<void>
  /** Called before an address is stored as proved, in a browser in which its user is not signed in. */
  proving(user: AdapterUser, request: SiteRequest): Promise<void>
  /** Checks that a user may add what stays in the account. @throws {Problem} `address_unproved` */
  needProved(userId: string): Promise<void>
  /** Users who may sign in before their address is proved, if a plugin lets them. */
  readonly unproved: UnprovedUsers | undefined
  /** Stores the tokens of providers, if a plugin does so. */
  readonly tokens: TokenKeeper | undefined
  /** Wraps the adapter, so that plugins learn about each deleted user and each unlinked account. */
  tellingDeletions(adapter: Adapter): Adapter
}

/** The event handlers of plugins. */
export interface PluginEvents {
  /** Returns whether a plugin handles this event. */
  hears(name: keyof EventMessages): boolean
  /** Calls the event handlers of the plugins with the same arguments as those of the application. */
  tell<Name extends keyof EventMessages>(name: Name, message: EventMessages[Name]): Promise<void>
}

/** The valid CSRF tokens of a browser, and the cookie of each. */
export type CsrfTokens = readonly { readonly token: string; readonly cookie: string }[]

/** The gates between a proof of identity and the session. */
export interface PlanGates {
  /**
   * @returns the response that leads to a gate, or else the sign-in, possibly of a new user whose earlier sign-in
   *   was not completed.
   */
  pass(signIn: PendingSignIn, request: SiteRequest): Promise<Outcome | PendingSignIn>
  /** Called after the session was created. */
  passed(signIn: PendingSignIn): Promise<void>
  /** Returns the sign-in that waits in this browser at the gate of a plugin, and of no other one. */
  pending(
    plugin: string,
    request: SiteRequest,
    tokens: () => Promise<CsrfTokens>,
  ): Promise<PendingSignIn | undefined>
  /**
   * Continues the sign-in that waits in this browser: leads to the next gate or creates the session.
   *
   * @param proof the additional proof.
   * @throws {Problem} `invalid_code` if no sign-in waits.
   */
  resume(request: SiteRequest, proof?: GateProof): Promise<Outcome>
  /** Ends the sign-in that waits in this browser. @returns the cookies that end with it. */
  leave(request: SiteRequest): Promise<readonly Cookie[]>
}

/** The configuration including its providers. */
export interface Plan extends SessionPlan {
  readonly providers: readonly CompiledProvider[]
  provider(id: string | undefined): CompiledProvider | undefined
}

/** The callbacks of a configuration, with defaults. */
export interface Callbacks extends SessionCallbacks {
  signIn(params: SignInParams): Awaitable<boolean | string>
}
