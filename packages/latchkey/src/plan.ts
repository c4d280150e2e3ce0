import type { MaybePromise } from './crypto/crypto.ts'
import type { AuthError } from './errors.ts'
import type { Cookie, CookieSpec } from './http/cookies.ts'
import type { HeaderReader } from './http/pending-request.ts'
import type { SafeUrl } from './http/safe-url.ts'
import type { Account, AdapterAccount } from './model/account.ts'
import type { Adapter } from './model/adapter.ts'
import type { ProofKey } from './model/proof-key.ts'
import type { RecordAbilities } from './model/record.ts'
import type { Awaitable } from './options/awaitable.ts'
import type { SignInParams } from './options/callbacks.ts'
import type { CookieName, CookieSpecs } from './options/cookie-policy.ts'
import type { EventMessages } from './options/events.ts'
import type { PagesOptions, Theme } from './options/pages.ts'
import type { PluginTexts } from './options/plugin-option.ts'
import type { ProviderConfig } from './options/provider-options.ts'
import type { Logger } from './options/redacting-logger.ts'
import type { Outcome } from './outcome.ts'
import type {
  BegunSignIn,
  Leaving,
  LimitSubjects,
  PendingSignIn,
  PluginParts,
  SignedOut,
  SignInField,
  SignOutAddition,
  TokenKeeper,
} from './plugin.ts'
import type { Ports } from './ports.ts'
import type { CompiledProvider } from './provider.ts'
import type { AuthRequest, Mount, SiteRequest } from './request.ts'
import type { Sealer } from './sealing/sealer.ts'
import type { SessionCallbacks } from './session/services.ts'
import type { SessionStrategy, SignInFields } from './session/strategy.ts'
import type { Watch } from './session/watch.ts'
import type { Store } from './store/store.ts'
import type { Texts } from './texts/texts.ts'

/** A configuration after every default and derivation, but for its providers: all that reading a session needs. Shared by all requests. */
export interface SessionPlan extends Mount {
  readonly ports: Ports
  /** What is wrong with the configuration. */
  readonly fault: AuthError | undefined
  readonly raw: boolean
  /** May this site be asked for under this origin? */
  trustsOrigin(origin: string): boolean
  /** The first is used for what is new. */
  readonly secrets: readonly string[]
  /** What the hashes of forms and mails may be made with. The first is used for what is new. */
  readonly hashSecrets: readonly string[]
  /** Names and attributes of our cookies. @param secure whether the request came over https */
  cookies(secure: boolean): CookieSpecs
  /** Seals what a flow keeps in the browser. @param purpose the name of the cookie */
  sealer(purpose: string): Sealer
  /** Must forms carry a token of ours? */
  readonly csrf: boolean
  /** May another site begin and end sessions through what the application calls? */
  readonly allowCrossSite: boolean
  /** The deployment to which providers send the visitors of this one, and whom it serves. */
  readonly redirectProxy: {
    readonly url: string | undefined
    readonly origins: readonly string[] | undefined
  }
  readonly providerConfigs: readonly ProviderConfig[]
  readonly session: SessionStrategy
  /** The hooks of plugins, if any has some. */
  readonly watch: Watch | undefined
  /** Does the browser forget its session at a sign-out that the store could not carry out? */
  readonly forgetsUnended: boolean
  /** `undefined` without an adapter. */
  readonly store: Store | undefined
  /** Where plugins store records, logged and failing as the store does; `undefined` if no store has them. */
  readonly records: Required<RecordAbilities> | undefined
  readonly callbacks: Callbacks
  readonly pages: Partial<PagesOptions>
  readonly theme: Theme
  /** The texts of a request, in the language that it prefers. The same object for the same language. */
  texts(request: { readonly headers: HeaderReader }): Texts
  readonly logger: Logger
  /** `undefined` without plugins. */
  readonly plugins: PlanPlugins | undefined
  /** Tells a handler of the application; an error of it is logged and changes nothing. */
  emit<Name extends keyof EventMessages>(
    name: Name,
    message: EventMessages[Name],
  ): Promise<void> | undefined
  /** Asks the application where a target that a visitor had a say in may lead. */
  resolveRedirect(target: string, origin: string): MaybePromise<SafeUrl>
}

/** What plugins add to a plan. */
export interface PlanPlugins {
  /** Does a plugin answer this path? */
  answers(pathname: string): boolean
  answer(input: Request): Promise<Outcome>
  /** Does what a built-in action is asked for, with what they have to say about that. */
  act(
    request: AuthRequest,
    run: (request: AuthRequest) => Promise<Outcome>,
    how?: { readonly isLink: boolean },
  ): Promise<Outcome>
  /** What the sign-out page shows for them. */
  signOutPage(request: SiteRequest): Promise<readonly SignOutAddition[]>
  /** Where a sign-out leads on its way. */
  leave(signedOut: SignedOut): Promise<Leaving>
  /** Counts an attempt. @throws {Problem} `too_many_attempts` */
  limit(name: string, subjects: LimitSubjects): Promise<void>
  /** Does one of them listen to this event? */
  hears(name: keyof EventMessages): boolean
  /** Tells them what the handlers of the application are told. */
  tell<Name extends keyof EventMessages>(name: Name, message: EventMessages[Name]): Promise<void>
  /** The same adapter, which tells them of each user that it deleted. */
  tellingDeletions(adapter: Adapter): Adapter
  /** What they put around how sessions are kept. */
  readonly around: readonly NonNullable<PluginParts['around']>[]
  /** Their hooks in sessions, if there are any. */
  readonly watch: Watch | undefined
  /** `undefined` where no plugin has one. */
  readonly gates: PlanGates | undefined
  /** What of the account of a provider is stored in its row. Within a transaction: asks no store. */
  accountRow(account: AdapterAccount): AdapterAccount
  /** Has an account's row been written, at a sign-in or a link, plugins keep what is not in it. */
  accountStored(
    account: AdapterAccount,
    answer: Account,
    asked: string | undefined,
    dpop: ProofKey | undefined,
  ): Promise<void>
  /** Keeps the tokens of providers, where a plugin does. */
  readonly tokenKeeper: TokenKeeper | undefined
  /** Checkboxes of the sign-in page; none without any. */
  readonly signInFields: readonly (SignInField & { readonly texts: PluginTexts })[]
  /** What a form says of them. */
  kept(form: SiteRequest['form']): SignInFields | undefined
  /** Further cookies of a sign-in with a provider. @param specOf a cookie that comes along on the way back */
  begun(
    signIn: Omit<BegunSignIn, 'keep'>,
    specOf: (name: CookieName) => CookieSpec,
  ): Promise<readonly Cookie[]>
  /** Has each clean up and repair, for about so many milliseconds. */
  maintain(budgetMs: number): Promise<void>
  /** What a plugin offers in code; `undefined` where none has that name. */
  api(name: string): object | undefined
}

/** What stands between a proof of identity and the session. */
export interface PlanGates {
  /** @returns the answer that leads to a gate; else the sign-in, which may be of a new user who gave up before. */
  pass(signIn: PendingSignIn, request: SiteRequest): Promise<Outcome | PendingSignIn>
  /** Is told that there is a session. */
  passed(signIn: PendingSignIn): Promise<void>
  /** Who waits at a gate in this browser. */
  pending(request: SiteRequest): Promise<PendingSignIn | undefined>
  /**
   * Goes on with the sign-in that waits in this browser: to the next gate, or into a session.
   *
   * @param proof what was proved meanwhile.
   * @throws {Problem} `invalid_code` when none waits.
   */
  resume(request: SiteRequest, proof?: { readonly amr: readonly string[] }): Promise<Outcome>
}

/** The same with its providers. */
export interface Plan extends SessionPlan {
  readonly providers: readonly CompiledProvider[]
  provider(id: string | undefined): CompiledProvider | undefined
}

/** The callbacks with their defaults. */
export interface Callbacks extends SessionCallbacks {
  signIn(params: SignInParams): Awaitable<boolean | string>
}
