export { AuthError, type AuthErrorType, CredentialsSignin, isAuthError } from '../base/errors.ts'
export { Auth, type AuthFunction, type HandlerResult } from '../core/auth.ts'
export type { PublicError, ResponseInternal } from '../http/outcome.ts'
export { type AuthAction, isActionPath, isAuthAction } from '../http/request.ts'
export { createLatchkey } from '../instance/create-latchkey.ts'
export type { ConfigSource } from '../instance/site.ts'
export { type EdgeConfig, type SealedSessions, splitConfig } from '../instance/split-config.ts'
export type {
  ActionResult,
  AuthorizationParams,
  AuthReader,
  AuthResult,
  ConfiguredAdapter,
  ConfiguredSession,
  IdentifiedSession,
  Latchkey,
  ProofOfSession,
  ProtectOptions,
  ReadSession,
  SessionCallbacks,
  SessionOf,
  SignInFunction,
  SignInOptions,
  SignOutFunction,
  SignOutOptions,
  StepUpFunctions,
  TypedConfig,
  UntypedConfig,
} from '../instance/types.ts'
export type { Account } from '../model/account.ts'
export type { Profile } from '../model/profile.ts'
export type { DefaultSession, Session } from '../model/session.ts'
export type { IdentifiedUser, User } from '../model/user.ts'
export { type SecretRules, secretWeakness } from '../option-checks/secret-rules.ts'
export { createActionURL } from '../options/action-url.ts'
export type { AuthConfig } from '../options/auth-config.ts'
export { type Env, setEnvDefaults } from '../options/env.ts'
export type { MailValues } from '../options/mail/mail-values.ts'
export { customFetch, raw, skipCSRFCheck } from '../options/markers.ts'
export type { PluginApis } from '../options/plugin-option.ts'
export type { ProviderToken } from '../plugin/provides.ts'
export type { ResealedRecords } from '../plugin/sealed-kind.ts'
export type { StepUp } from '../session/proof/step-up.ts'
// Types of the other entries. Declarations that an application emits name what those export, and compilers
// look only in modules that are loaded: each entry with types of its own is named here or below.
export type { JWT, JWTEncodeParams } from '../verifier/jwt.ts'
export type { Adapter, AdapterUser } from './adapters.ts'
export type { Provider } from './providers.ts'
export type { JwtParams, SessionParams } from './types.ts'
