import { loadOnce } from '../base/once.ts'
import { checkPlugins } from '../option-checks/check-plugins.ts'
import type { AuthConfig } from '../options/auth-config.ts'
import { checkWith, setUpWith } from '../options/markers.ts'
import type { SessionPlan } from '../plan/plan.ts'
import type { Plugin } from '../plugin/plugin.ts'
import { setUpPlugins } from '../plugin-host/set-up.ts'

export { nearest } from '../base/encoding/nearest.ts'
export type { Message, PluralForms, TextKey, TextTable } from '../base/texts/catalogue.ts'
export type { Texts } from '../base/texts/texts.ts'
export { type Html, html, htmlOf, markup } from '../http/html.ts'
export type { AuthRequest, SiteRequest } from '../http/request.ts'
export type { SafeUrl } from '../http/safe-url.ts'
export type { WithDamaged } from '../model/damaged-record.ts'
export type { JsonObject, PluginRecord } from '../model/record.ts'
export type {
  PluginNeed,
  PluginOption,
  PluginTexts,
  WrittenForms,
} from '../options/plugin-option.ts'
export type { Mail } from '../options/provider-options.ts'
export type {
  AccountHooks,
  ActionHooks,
  AskedProvider,
  BegunSignIn,
  InsteadOfAction,
  Leave,
  Leaving,
  PendingSignIn,
  SignedOut,
  SignOutAddition,
} from '../plugin/hooks.ts'
export type { Host } from '../plugin/host.ts'
export type {
  Budget,
  HeadlessSignIn,
  HostKeys,
  HostProviders,
  HostSessions,
  HostSite,
  HostWork,
  Lease,
  ProvenIdentity,
  ProvenMailbox,
  ProvenUser,
  RecordSealer,
} from '../plugin/host-groups.ts'
export type { Plugin, PluginParts } from '../plugin/plugin.ts'
export { type FieldProblem, Problem, type ProblemCode } from '../plugin/problem.ts'
export type {
  BoundToken,
  ProviderClient,
  RenewableTokens,
  TokenAnswer,
} from '../plugin/provider-client.ts'
export type {
  Limiter,
  LimitSubjects,
  LimitVerdict,
  ProviderToken,
  SessionControl,
  SessionEnding,
  TokenKeeper,
} from '../plugin/provides.ts'
export {
  type KindChange,
  type KindRecord,
  type RecordKind,
  type RecordKindOptions,
  recordKind,
} from '../plugin/record-kind.ts'
export type {
  Answer,
  AnswerPage,
  Call,
  Callers,
  PluginMethods,
  PluginRoute,
  ProblemTable,
  RunRoute,
  StandardSchema,
  Who,
} from '../plugin/route.ts'
export type { EdgeHalf } from '../session/at-edge.ts'
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

const loadAnswers = loadOnce(() => import('../plugin-host/answer-path.ts'))
