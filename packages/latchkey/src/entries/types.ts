export type { Awaitable } from '../base/awaitable.ts'
export type { Catalogue, Message, TextKey } from '../base/texts/catalogue.ts'
export type { Texts } from '../base/texts/texts.ts'
export type { CookieAttributes } from '../http/cookies/cookies.ts'
export type { ResponseInternal } from '../http/outcome.ts'
export type { AuthAction } from '../http/request.ts'
export type { Account, AuthorizationDetails, ProviderType, TokenSet } from '../model/account.ts'
export type { Authenticator } from '../model/authenticator.ts'
export type { DefaultJWT, JWT } from '../model/jwt.ts'
export type { Profile } from '../model/profile.ts'
export type { PublicProvider } from '../model/public-provider.ts'
export type { DefaultSession, Session } from '../model/session.ts'
export type { DefaultUser, IdentifiedUser, User } from '../model/user.ts'
export type {
  AuthConfig,
  JWTOptions,
  SessionOptions,
  SessionStrategy,
} from '../options/auth-config.ts'
export type {
  CallbacksOptions,
  DatabaseSessionParams,
  JwtParams,
  JwtParamsAtSignIn,
  JwtParamsLater,
  JwtSessionParams,
  SessionParams,
  SessionParamsOf,
  SignInParams,
} from '../options/callbacks.ts'
export type { CookieOption, CookiesOptions } from '../options/cookie-policy.ts'
export type { EventHandlers, EventMessages } from '../options/events.ts'
export type { LoggerInstance, WarningCode } from '../options/logger.ts'
export type {
  MailKind,
  MailOptions,
  MailTemplate,
  MailTemplates,
  SentMail,
  TemplateMail,
} from '../options/mail/mail-options.ts'
export type { MailValues, SiteMailValues } from '../options/mail/mail-values.ts'
export type {
  ErrorPageParam,
  ForSchemes,
  PagesOptions,
  SignInPageErrorParam,
  Theme,
  ThemeFooter,
  ThemeTokens,
} from '../options/pages.ts'
export type {
  ProviderConfig as InternalProvider,
  SemverString,
  WebAuthnContext as InternalOptions,
  WebAuthnRequest as RequestInternal,
} from '../options/provider-options.ts'
export type { TextsOfLanguage, TextsOption } from '../options/texts-option.ts'
export type { WebAuthnOptionsResponseBody } from '../protocols/webauthn/simple-webauthn.ts'
