import { loadOnce } from '../base/once.ts'
import { checkPlugins } from '../option-checks/check-plugins.ts'
import type { AuthConfig } from '../options/auth-config.ts'
import { checkWith, setUpWith } from '../options/markers.ts'
import type { SessionPlan } from '../plan/plan.ts'
import type { Plugin } from '../plugin/plugin.ts'
import type { RefusedForms } from '../plugin/route.ts'
import { setUpPlugins } from '../plugin-host/set-up.ts'

export type { Awaitable } from '../base/awaitable.ts'
export {
  checkOptions,
  listOf,
  type OptionKinds,
  type OptionPlace,
  type OptionRule,
  oneOf,
  required,
  seconds,
  someFunction,
  someText,
  wholeNumber,
} from '../base/check-options.ts'
export type { MaybePromise } from '../base/crypto/crypto.ts'
export { digestOf } from '../base/crypto/digest.ts'
export { equal } from '../base/crypto/equal.ts'
export { hashKey } from '../base/crypto/keyed-hash.ts'
export { encodeBase64url } from '../base/encoding/base64url.ts'
export { concat } from '../base/encoding/concat.ts'
export { defaultOf } from '../base/encoding/default-of.ts'
export { definedOnly } from '../base/encoding/defined-only.ts'
export { isJsonObject } from '../base/encoding/json.ts'
export { jwtPart } from '../base/encoding/jwt-part.ts'
export { nearest } from '../base/encoding/nearest.ts'
export { scopesIn } from '../base/encoding/scopes.ts'
export { encodeUtf8 } from '../base/encoding/utf8.ts'
export {
  AccessDenied,
  AuthError,
  CredentialsSignin,
  isAuthError,
  MissingAdapterMethods,
  OAuthCallbackError,
  SessionLimit,
  SessionTokenError,
  SignOutError,
  TooManyAttempts,
  toError,
} from '../base/errors.ts'
export { inTime } from '../base/in-time.ts'
export { loadOnce, oncePer } from '../base/once.ts'
export { optionError } from '../base/option-error.ts'
export type { Message, PluralForms, TextKey, TextTable } from '../base/texts/catalogue.ts'
export { chooseLanguage } from '../base/texts/language.ts'
export type { Texts } from '../base/texts/texts.ts'
export {
  type DueTokens,
  type PausedRenewal,
  type RenewalMemory,
  type RenewalServices,
  renewOnce,
  type TokenShelf,
  type TokenSubject,
} from '../flows/oauth/tokens/renew-once.ts'
export { type AgentName, agentNameOf } from '../http/agent-name.ts'
export { bearerToken } from '../http/bearer-token.ts'
export { clearChunked, readChunked, writeChunked } from '../http/cookies/cookie-chunks.ts'
export {
  type Cookie,
  type CookieJar,
  type CookieSpec,
  clearCookie,
  parseCookies,
  serializeCookie,
  setCookie,
} from '../http/cookies/cookies.ts'
export { dateText, duration, time, timeAgo } from '../http/dates.ts'
export { formText, readText, UnreadableBody } from '../http/form.ts'
export { type Html, html, htmlOf, markup, visibleText } from '../http/html.ts'
export { clientAddress, isForwarded, withClientAddress } from '../http/origin/client-address.ts'
export { isCrossSite, isFromElsewhere, isPrefetch } from '../http/origin/origin-hints.ts'
export type { AuthRequest, SiteRequest } from '../http/request.ts'
export { type SafeUrl, trusted, withParams } from '../http/safe-url.ts'
export { type BodyFault, readStrictBody, SHORT_BODY, type StrictBody } from '../http/strict-body.ts'
export {
  type MailContent,
  type MailPart,
  type MailSite,
  requestedText,
  siteNameOf,
  type WrittenMail,
  writeMail,
} from '../mail/mail-frame.ts'
export type { Account, AdapterAccount, ProviderType, TokenSet } from '../model/account.ts'
export { atomic, type CountedAttempt } from '../model/adapter.ts'
export {
  damagedRecord,
  isTexts,
  isTime,
  type WithDamaged,
} from '../model/damaged-record.ts'
export type { JWT } from '../model/jwt.ts'
export type { ProofKey } from '../model/proof-key.ts'
export type { Push } from '../model/push.ts'
export type { JsonObject, PluginRecord } from '../model/record.ts'
export type { Session } from '../model/session.ts'
export type { AdapterUser, User } from '../model/user.ts'
export { userIdOf } from '../model/user-id.ts'
export { withCheckedArguments } from '../options/arguments/checked-arguments.ts'
export type { AuthConfig } from '../options/auth-config.ts'
export type { CookieName } from '../options/cookie-policy.ts'
export type { EventMessages } from '../options/events.ts'
export type { WarningCode } from '../options/logger.ts'
export type { Mail, MailKind, SentMail } from '../options/mail/mail-options.ts'
export type { MailValues, SiteMailValues } from '../options/mail/mail-values.ts'
export type { ForSchemes, Theme, ThemeFooter, ThemeTokens } from '../options/pages.ts'
export type {
  PluginNeed,
  PluginOption,
  PluginTexts,
  WrittenForms,
} from '../options/plugin-option.ts'
export type { EndSessionEndpoint, ProviderConfig } from '../options/provider-options.ts'
export { fillPlaces } from '../options/templates.ts'
export type {
  AttemptSubjects,
  AttemptVerdict,
  ChallengePart,
  HostAttempts,
  LimitBy,
  LimitRule,
  LimitRules,
  LimitSubjects,
  LimitVerdict,
  Strikes,
} from '../plugin/attempts.ts'
export type {
  AccountHooks,
  AccountSection,
  ActionHooks,
  AskedProvider,
  BegunSignIn,
  GatePage,
  HowStarted,
  InsteadOfAction,
  Leave,
  Leaving,
  PendingSignIn,
  SignedOut,
  SignInWay,
  SignOutAddition,
} from '../plugin/hooks.ts'
export type { Host } from '../plugin/host.ts'
export type {
  Budget,
  ConfiguredWays,
  GateProof,
  HeadlessSignIn,
  HostKeys,
  HostProviders,
  HostSessions,
  HostSite,
  HostUsers,
  HostWork,
  Lease,
  NewPasskeys,
  ProvenIdentity,
  ProvenMailbox,
  ProvenUser,
  RecordSealer,
} from '../plugin/host-groups.ts'
export type { Chosen, CreateLanguages, Languages } from '../plugin/languages.ts'
export { type Notice, noticeIn } from '../plugin/notice.ts'
export type { HostPasskeys, PasskeyPurpose } from '../plugin/passkeys.ts'
export type { Plugin, PluginParts } from '../plugin/plugin.ts'
export { type FieldProblem, Problem, type ProblemCode } from '../plugin/problem.ts'
export type {
  AskedProof,
  AskedProofForm,
  PluginProofs,
  ProofForm,
  ProofVerdict,
  ProofWay,
  ProvidedProof,
} from '../plugin/proofs.ts'
export type {
  BoundToken,
  ProviderClient,
  RenewableTokens,
  TokenAnswer,
} from '../plugin/provider-client.ts'
export type {
  AddedWithin,
  ApiKeyControl,
  FactorControl,
  HeldFactors,
  HostPlugins,
  Limiter,
  Mailbox,
  NotMe,
  PasskeyOffer,
  PasswordControl,
  Provided,
  ProviderToken,
  SessionControl,
  SessionEnding,
  TokenKeeper,
  UnprovedUsers,
  UnwantedChange,
  UserNames,
} from '../plugin/provides.ts'
export {
  type KindChange,
  type KindRecord,
  type RecordKind,
  type RecordKindOptions,
  recordKind,
} from '../plugin/record-kind.ts'
export {
  type Answer,
  type AnswerPage,
  type Call,
  type Callers,
  lazyRoutes,
  type MakeLazyRoute,
  type PluginMethods,
  type PluginRoute,
  type ProblemTable,
  type RefusedForms,
  type RunRoute,
  type StandardSchema,
  type Who,
} from '../plugin/route.ts'
export type { SealedKind } from '../plugin/sealed-kind.ts'
export { deviceFact, isDeviceFact } from '../plugin-host/proofs/device-fact.ts'
export type { EdgeHalf } from '../session/at-edge.ts'
export type { ActingUser, Carried, CarriedValue, Carrier } from '../session/carrier.ts'
export { type EndReason, endReasons } from '../session/end-reason.ts'
export {
  type DeviceFact,
  type KnownFacts,
  type MethodTimes,
  type SessionFacts,
  sessionName,
} from '../session/facts.ts'
export { acrOf } from '../session/proof/factors.ts'
export { isFresh, type Proved } from '../session/proof/fresh.ts'
export { isMethodTimes, provedAt } from '../session/proof/method-times.ts'
export { type ProofFacts, provedBy } from '../session/proof/proof-facts.ts'
export type { StepUp } from '../session/proof/step-up.ts'
export { sessionRequest } from '../session/session-request.ts'
export type {
  BegunSession,
  CurrentSession,
  Proof,
  Renewal,
  SessionHolder,
  SessionRequest,
} from '../session/strategy.ts'
export type { HowRead, SessionHooks, SessionLife, Verdict, Written } from '../session/watch.ts'
export type { NewRecord, RecordChange, Records } from '../store/records.ts'
/**
 * Creates a plugin. Add the result to `plugins` of the configuration.
 *
 * The module that an application imports should only say what there is: routes load the modules that do
 * the work.
 */
export function definePlugin<
  const Name extends string,
  Api extends object = object,
  Own = undefined,
>(plugin: Plugin<Name, Api, Own>): Plugin<Name, Api, Own> {
  return { ...plugin, [setUpWith]: setUp, [checkWith]: checkPlugins }
}

function setUp(config: AuthConfig, plan: SessionPlan): ReturnType<typeof setUpPlugins> {
  return setUpPlugins(config, plan, {
    path: async (...asked) => (await loadAnswers()).answerPlugin(...asked),
    refuse: async (...asked) => (await loadAnswers()).refuseAction(...asked),
  })
}

/** The value of `refusedForms` of a plugin that has forms. */
export const refusedForms: RefusedForms = async () => import('../plugin-host/forms/form-again.ts')

const loadAnswers = loadOnce(() => import('../plugin-host/answer-path.ts'))
