import type { Awaitable } from '../base/awaitable.ts'
import type { MaybePromise } from '../base/crypto/crypto.ts'
import type { AuthError } from '../base/errors.ts'
import type { Ports } from '../base/ports.ts'
import type { Cookie } from '../http/cookies/cookies.ts'
import type { AuthRequest, SiteRequest } from '../http/request.ts'
import type { SafeUrl } from '../http/safe-url.ts'
import type { AuthConfig } from '../options/auth-config.ts'
import type { EventHandlers } from '../options/events.ts'
import type { MailKind } from '../options/mail/mail-options.ts'
import type { PluginOption } from '../options/plugin-option.ts'
import type { ProviderConfig } from '../options/provider-options.ts'
import type { EdgeHalf } from '../session/at-edge.ts'
import type { Carrier } from '../session/carrier.ts'
import type { SessionHooks } from '../session/watch.ts'
import type { LimitRules } from './attempts.ts'
import type {
  AccountHooks,
  AccountSection,
  ActionHooks,
  BegunSignIn,
  GatePage,
  Leave,
  PendingSignIn,
  SignInField,
  SignInWay,
} from './hooks.ts'
import type { Host } from './host.ts'
import type { Budget, ProvenUser } from './host-groups.ts'
import type { CreateLanguages } from './languages.ts'
import type { PluginProofs } from './proofs.ts'
import type { Limiter, Provided, SessionControl, TokenKeeper } from './provides.ts'
import type { PluginMethods, ProblemTable, RefusedForms } from './route.ts'
import type { SealedKind } from './sealed-kind.ts'

/**
 * One capability: a name, requirements, routes, and a `setUp` function.
 *
 * @template Own the object that the modules of its routes receive
 */
export interface Plugin<Name extends string = string, Api extends object = object, Own = unknown>
  extends PluginOption<Name, Api> {
  /**
   * By path below the base path, for example `terms` or `sessions/list`, and method. HEAD is handled as GET. A star at the
   * end, as in `hooks/*`, matches one segment, which is `rest` of the call.
   */
  readonly routes?: Readonly<Record<string, PluginMethods<Own>>> | undefined
  /**
   * The plugin is a gate between a proof of identity and the session: `prove` for a further factor, `require` for
   * something that the user must do first. Sign-ins pass all `prove` gates before all `require` gates, in the order of the
   * list. Needs records.
   */
  readonly gate?: 'prove' | 'require' | undefined
  /**
   * The default rules of its actions for the plugin `limits`, by name: those of `host.attempts.count`, and of `limit` of
   * its routes. The option `rules` of `limits()` replaces them. With `brings: [limitsOfPlugins()]` of
   * `latchkey/plugin/limits`, they also hold in a configuration without `limits()`.
   */
  readonly limits?: LimitRules | undefined
  /** What the plugin does for all others, as in `provides` of its parts. Only one plugin of a configuration provides each. */
  readonly provides?: readonly (keyof Provided)[] | undefined
  /** Checkboxes on the sign-in page for this plugin; `kept` of the sign-in has the checked ones. */
  readonly signInFields?: readonly SignInField[] | undefined
  /** A way to sign in with a password, for the sign-in page. */
  readonly signInWay?: SignInWay | undefined
  /** Fields that every form may have besides its own, and that no route receives in its `input`. */
  readonly commonFields?: readonly string[] | undefined
  /** Languages for all pages and mails. Of several plugins that have some, the first one counts. */
  readonly languages?: CreateLanguages | undefined
  /** Sections of the account page at `account`, in the order of the plugins. */
  readonly accountSections?: readonly AccountSection[] | undefined
  /** The kinds of its mails that have values, and so may have templates of the application. */
  readonly mails?: readonly MailKind[] | undefined
  /** Its records with sealed values that do not expire, which `latchkey.resealRecords()` seals anew. */
  readonly sealed?: readonly SealedKind[] | undefined
  /**
   * Shows the page of a form again if its CSRF token or a field is refused: with a new token, a summary, and what was typed except
   * passwords and codes. Set it to `refusedForms` of `latchkey/plugin`.
   *
   * @default a page that says what was refused
   */
  readonly refusedForms?: RefusedForms | undefined
  /** Error codes of its routes, in addition to the codes of every plugin. */
  readonly problems?: ProblemTable | undefined
  /** Set it if `setUp` returns `session.onRead`: reading sessions without the plugin then causes a warning. */
  readonly judgesSessions?: true | undefined
  /** Findings of `latchkey doctor` about the chosen options, by code. */
  readonly notes?: readonly string[] | undefined
  /**
   * Checks the configuration at the start, after the names, paths and needs of all plugins.
   *
   * @param providers the resolved providers of the configuration.
   * @returns the error with which the start fails, if there is one.
   */
  check?(config: AuthConfig, providers: readonly ProviderConfig[]): AuthError | undefined
  /** The part that works without a store, at the edge: see `splitConfig` and `createVerifier`. */
  atEdge?(ports: Ports): EdgeHalf
  /** Called for each plan: it must do no work and store nothing. Put state that outlives a plan into `host.shared`. */
  setUp(host: Host): PluginParts<Api, Own>
}

/** The parts that a plugin adds to a plan. */
export interface PluginParts<Api extends object = object, Own = unknown> extends FormerParts {
  /** The functions of `latchkey.api.<name>`. Each is asynchronous and receives the request as its first argument. */
  readonly api?: Api | undefined
  readonly own?: Own | undefined
  /**
   * Seconds since the proof of identity within which its routes let a user pass, if that may be less than for other plugins:
   * OpenID providers are asked for a proof that is no older. It counts with `session`.
   */
  readonly freshAge?: number | undefined
  /** Called when sessions start, are read, are extended and end. */
  readonly session?: SessionHooks | undefined
  /**
   * Called at its gate. It decides from the store and from `amr`, and is called again when the sign-in continues.
   *
   * @returns the page to visit first, for example `host.path('terms')`; `undefined` to let the sign-in pass.
   */
  atGate?(signIn: PendingSignIn, request: SiteRequest): MaybePromise<SafeUrl | GatePage | undefined>
  /** Called before built-in actions, and when they fail. */
  readonly actions?: ActionHooks | undefined
  /** Adds a redirect to a sign-out, for example to the provider. */
  readonly leave?: Leave | undefined
  /** How signed-in users prove their identity again, on the page at `reauthenticate`. */
  readonly proofs?: PluginProofs | undefined
  /** What the plugin does for all others: the members that it declares in `provides`. */
  readonly provides?: Partial<Provided> | undefined
  /** Event handlers, called after those of the application with the same arguments. */
  readonly listen?: EventHandlers | undefined
  /** Where requests have sessions besides the cookie, for example in a header. They are tried before the cookie. */
  readonly carriers?: readonly Carrier[] | undefined
  /**
   * Checks the fields of the provider that {@link Plugin.signInWay} names.
   *
   * @throws {CredentialsSignin} if they are wrong, whatever the reason.
   */
  authorize?(request: AuthRequest): Promise<ProvenUser>
  /**
   * Called when a sign-in with an OAuth or OpenID provider starts.
   *
   * @returns further cookies of the sign-in, for example for another library.
   */
  onBegin?(signIn: BegunSignIn): Awaitable<readonly Cookie[]>
  /**
   * Called when a browser has a new session after a sign-in.
   *
   * @param request the last request of the sign-in: of a gate, if the sign-in waited there.
   * @returns additional cookies of the response.
   */
  afterSignIn?(signIn: PendingSignIn, request: SiteRequest): Awaitable<readonly Cookie[]>
  /** Changes the stored members of accounts of OAuth and OpenID Connect providers. */
  readonly accounts?: AccountHooks | undefined
  /** Called before a user is deleted through `latchkey.adapter`. `onUserDelete` receives its result. */
  beforeUserDelete?(userId: string): Awaitable<unknown>
  /** Called after a user was deleted through `latchkey.adapter`. @param before the result of `beforeUserDelete`. */
  onUserDelete?(userId: string, before?: unknown): Awaitable<void>
  /**
   * Cleans up and repairs, in one process at a time; correctness must not depend on it. Called by
   * `latchkey.maintain()`. It must check before each step whether there is time left.
   */
  maintain?(budget: Budget): Awaitable<void>
}

/** Parts with earlier names. */
interface FormerParts {
  /** @deprecated until 1.0: `limiter` of `provides`. */
  readonly limiter?: Limiter | undefined
  /** @deprecated until 1.0: `sessions` of `provides`. */
  readonly sessionControl?: SessionControl | undefined
  /** @deprecated until 1.0: `tokens` of `provides`. */
  readonly tokenKeeper?: TokenKeeper | undefined
}
