/**
 * The plugins of accounts with their defaults, in one line.
 *
 * @module
 */

import { checkOptions } from '../base/check-options.ts'
import type { PluginOption } from '../options/plugin-option.ts'
import { type AccountOptions, account } from '../plugins/account/index.ts'
import { type EmailCodeOptions, emailCode } from '../plugins/email-code/index.ts'
import { type I18nOptions, i18n } from '../plugins/i18n/index.ts'
import { type LimitsOptions, limits } from '../plugins/limits/index.ts'
import { type PasswordsApi, type PasswordsOptions, passwords } from '../plugins/passwords/index.ts'
import { type SessionsApi, type SessionsOptions, sessions } from '../plugins/sessions/index.ts'
import { type TwoFactorApi, type TwoFactorOptions, twoFactor } from '../plugins/two-factor/index.ts'
import { type UsernamesApi, type UsernamesOptions, usernames } from '../plugins/usernames/index.ts'

/** Options of the plugins, by name. `false` leaves one out. */
export interface AccountsOptions {
  /** Limits of attempts. */
  readonly limits?: LimitsOptions | false | undefined
  /** The list of sessions, which a reset ends. */
  readonly sessions?: SessionsOptions | false | undefined
  /** Sign-up, sign-in, verification and reset with a password. */
  readonly passwords?: PasswordsOptions | false | undefined
  /** A second factor, which is offered. With `require: 'all'`, passwords may have 8 characters. */
  readonly twoFactor?: TwoFactorOptions | false | undefined
  /** The pages on which people look after their account. It needs `sessions`, without which it is left out. */
  readonly account?: AccountOptions | false | undefined
  /** Pages and mails in the language of the visitor. */
  readonly i18n?: I18nOptions | false | undefined
  /** A code by mail as a way in, which is off by default. */
  readonly emailCode?: EmailCodeOptions | boolean | undefined
  /** User names, which are off by default. */
  readonly usernames?: UsernamesOptions | boolean | undefined
}

/** A plugin, unless its option is `false`. */
type Unless<Option, Added> = Option extends false ? [] : [Added]
/** A plugin, if its option is there. */
type If<Option, Added> = unknown extends Option ? [] : Option extends object | true ? [Added] : []
type OptionOf<Options, Name extends string> = Name extends keyof Options ? Options[Name] : unknown

/** Without the list of sessions, the plugin `account` is only added by name, and then the start names what it needs. */
type WithAccount<Options> =
  OptionOf<Options, 'sessions'> extends false
    ? If<OptionOf<Options, 'account'>, PluginOption<'account'>>
    : Unless<OptionOf<Options, 'account'>, PluginOption<'account'>>

/** The plugins that {@link accounts} returns, so that `latchkey.api` has their functions. */
export type AccountPlugins<Options> = [
  ...Unless<OptionOf<Options, 'limits'>, PluginOption<'limits'>>,
  ...Unless<OptionOf<Options, 'sessions'>, PluginOption<'sessions', SessionsApi>>,
  ...Unless<OptionOf<Options, 'passwords'>, PluginOption<'passwords', PasswordsApi>>,
  ...Unless<OptionOf<Options, 'twoFactor'>, PluginOption<'twoFactor', TwoFactorApi>>,
  ...WithAccount<Options>,
  ...Unless<OptionOf<Options, 'i18n'>, PluginOption<'i18n'>>,
  ...If<OptionOf<Options, 'emailCode'>, PluginOption<'emailCode'>>,
  ...If<OptionOf<Options, 'usernames'>, PluginOption<'usernames', UsernamesApi>>,
]

/**
 * Returns the plugins for accounts: people sign up with an address and a password, prove the address, sign in, reset and
 * change the password, set up a second factor, see where they are signed in, and look after their account.
 *
 * Needs an adapter with records that counts attempts. In production, it needs a mail provider; in development, mails are
 * shown at `mailbox`.
 *
 * @throws TypeError for an invalid option.
 */
// biome-ignore lint/complexity/noBannedTypes: without options, no option is known
export function accounts(): AccountPlugins<{}>
export function accounts<const Options extends AccountsOptions>(
  options: Options,
): AccountPlugins<Options>
// With a default for `Options` instead, parameters of functions among the options would have no type.
export function accounts(options: AccountsOptions = {}): readonly PluginOption[] {
  checkOptions('accounts', options, {
    limits: true,
    sessions: true,
    passwords: true,
    twoFactor: true,
    account: true,
    i18n: true,
    emailCode: true,
    usernames: true,
  })
  const {
    limits: ofLimits,
    sessions: ofSessions,
    passwords: ofPasswords,
    twoFactor: ofFactors,
    account: ofAccount,
    i18n: ofLanguages,
    emailCode: code,
    usernames: names,
  } = options
  return [
    ...(ofLimits === false ? [] : [limits(ofLimits)]),
    ...(ofSessions === false ? [] : [sessions(ofSessions)]),
    ...(ofPasswords === false ? [] : [passwords(ofPasswords)]),
    ...(ofFactors === false ? [] : [twoFactor(ofFactors)]),
    ...(ofAccount === false || (ofAccount === undefined && ofSessions === false)
      ? []
      : [account(ofAccount)]),
    ...(ofLanguages === false ? [] : [i18n(ofLanguages)]),
    ...(code === undefined || code === false ? [] : [emailCode(code === true ? {} : code)]),
    ...(names === undefined || names === false ? [] : [usernames(names === true ? {} : names)]),
  ]
}
