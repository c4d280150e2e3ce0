import {
  type Awaitable,
  checkOptions,
  type JsonObject,
  listOf,
  type OptionKinds,
  oneOf,
  optionError,
  required,
  seconds,
  someFunction,
  someText,
  wholeNumber,
} from '../../entries/plugin.ts'
import type { ForeignHash } from './foreign/foreign-hash.ts'
import {
  type HashingOptions,
  type HashOptions,
  type HashSettings,
  type HashSettingsOptions,
  hashSettingsOf,
} from './hashing/hash-settings.ts'
import type { BreachedPort } from './rules/breached.ts'
import {
  type BlocklistOptions,
  type RuleOptions,
  type RuleSettings,
  ruleSettingsOf,
} from './rules/rule-settings.ts'

/** A further field of the sign-up form. */
export interface SignUpField {
  /** Its name in the form: a letter, then letters, digits and `_`. */
  readonly name: string
  readonly label: string
  /** @default 'text' */
  readonly type?: 'text' | 'tel' | 'url' | 'date' | 'number' | 'checkbox' | undefined
  readonly required?: boolean | undefined
  /** Characters. @default 200 */
  readonly maxLength?: number | undefined
  readonly autocomplete?: string | undefined
  /** @returns `true`, or a code for the program and the text for people. */
  validate?(value: string): Awaitable<true | string>
}

/** What somebody typed to sign up. */
export interface SignUpInput {
  /** In the form in which it is stored. */
  readonly email: string
  readonly name?: string | undefined
  readonly username?: string | undefined
  /** The further fields, by name. */
  readonly fields: Readonly<Record<string, string>>
}

/** Options of the plugin. */
export interface PasswordsOptions extends RuleOptions, HashSettingsOptions {
  /**
   * The least characters of a new password, at least 8. With `twoFactor({ require: 'all' })`, the default is 8.
   *
   * @default 15
   */
  readonly minLength?: number | undefined
  /**
   * The most characters of a new password, at least 64.
   *
   * @default 256
   */
  readonly maxLength?: number | undefined
  /**
   * Passwords that nobody may choose. `more` adds to the built-in list: a list, or a function. `false` turns all of it off.
   *
   * @default the built-in list
   */
  readonly blocklist?: false | BlocklistOptions | undefined
  /**
   * Says whether a new password was seen in a breach, for example `haveIBeenPwned()` of `latchkey/plugins/passwords/breached`.
   *
   * @default none
   */
  readonly breached?: BreachedPort | undefined
  /**
   * Whether `breached` is also asked after a sign-in, in the background. The owner of a breached password gets a mail, and has
   * to choose another one at the next sign-in.
   *
   * @default false
   */
  readonly breachedAtSignIn?: boolean | undefined
  /** The costs of a new hash (argon2id). */
  readonly hash?: HashOptions | undefined
  /** Limits of all hashing in one process. */
  readonly hashing?: HashingOptions | undefined
  /**
   * Hashes of other systems, with which people sign in until their first sign-in replaces them.
   *
   * @default []
   */
  readonly foreign?: readonly ForeignHash[] | undefined
  /**
   * What a sign-in with an unknown name costs: as much as an `own` hash, or as the first one of `foreign`.
   *
   * @default 'own'
   */
  readonly dummy?: 'own' | 'foreign' | undefined
  /**
   * Seals stored hashes: with the secret of the site, or with own keys of at least 32 characters, the first of which seals.
   *
   * @default 'secret'
   */
  readonly pepper?: 'secret' | { readonly keys: readonly string[] } | false | undefined
  /**
   * Whether people can create an account, or a function that decides before the address is looked up: its `code` refuses.
   *
   * @default true
   */
  readonly signUp?:
    | boolean
    | ((input: SignUpInput, request: Request) => Awaitable<true | { readonly code: string }>)
    | undefined
  /**
   * When people prove their address: `first`, before there is an account, or `after`, when they may sign in already.
   *
   * @default 'first'
   */
  readonly verify?: 'first' | 'after' | undefined
  /**
   * Whether users of `verify: 'after'` have to prove their address before they add ways to sign in. Second factors, API keys and
   * another address wait, too: until then they are refused with 403 `address_unproved`.
   *
   * @default true
   */
  readonly requireVerified?: boolean | undefined
  /**
   * Seconds within which these users have to prove their address; then maintenance deletes them. `false` keeps them.
   *
   * @default 604800 (7 days)
   */
  readonly unprovedLifetime?: number | false | undefined
  /** Whether a reset signs in. A second factor is asked for in any case. @default false */
  readonly resetSignsIn?: boolean | undefined
  /** Further fields of the sign-up form. */
  readonly fields?: readonly SignUpField[] | undefined
  /**
   * Whether the sign-up form asks for a name: `required`, `optional`, or `false` for no field.
   *
   * @default 'optional'
   */
  readonly name?: 'required' | 'optional' | false | undefined
  /** Whether an address without an account gets a mail that says so after a reset was asked for. @default false */
  readonly mailUnknown?: boolean | undefined
  /**
   * Whether the mails of a sign-up are sent after the response, known address or not. A failure is then only in the log;
   * otherwise the response is 503.
   *
   * @default whether `waitUntil` is configured
   */
  readonly mailInBackground?: boolean | undefined
  /** `false` turns the built-in limits of its actions off, with a warning. @default true */
  readonly limits?: boolean | undefined
}

/** The options with their defaults. */
export interface Settings {
  readonly rules: RuleSettings
  /** Whether the application chose the least length. */
  readonly isLengthGiven: boolean
  readonly hashes: HashSettings
  readonly breachedAtSignIn: boolean
  readonly pepper: Exclude<PasswordsOptions['pepper'], undefined>
  readonly signUp: Exclude<PasswordsOptions['signUp'], undefined>
  readonly verify: 'first' | 'after'
  readonly requireVerified: boolean
  readonly unprovedLifetime: number | false
  readonly resetSignsIn: boolean
  readonly fields: readonly SignUpField[]
  readonly name: 'required' | 'optional' | false
  readonly mailUnknown: boolean
  readonly mailInBackground: boolean | undefined
  readonly limits: boolean
}

/** What was typed into further fields, as it is stored. */
export type ExtraFields = JsonObject & Readonly<Record<string, string>>

/** Seconds. */
const WEEK: number = 7 * 24 * 60 * 60

const KINDS: OptionKinds<PasswordsOptions> = {
  minLength: true,
  maxLength: true,
  blocklist: true,
  breached: true,
  breachedAtSignIn: 'boolean',
  hash: true,
  hashing: true,
  foreign: true,
  dummy: true,
  pepper: true,
  signUp: oneOf(true, false, someFunction),
  verify: oneOf('first', 'after'),
  requireVerified: 'boolean',
  unprovedLifetime: oneOf(false, seconds(1)),
  resetSignsIn: 'boolean',
  fields: listOf('fields'),
  name: oneOf('required', 'optional', false),
  mailUnknown: 'boolean',
  mailInBackground: 'boolean',
  limits: 'boolean',
}

const NAME = /^[a-z][A-Za-z0-9_]{0,39}$/
/** Members of users that nobody may set with a form. */
const TAKEN: readonly string[] = [
  'id',
  'email',
  'emailVerified',
  'role',
  'roles',
  'name',
  'username',
  'password',
  'challenge',
  'altcha',
  'csrfToken',
  'callbackUrl',
  'locale',
]

/** @throws {TypeError} for an invalid option. */
export function settingsOf(options: PasswordsOptions): Settings {
  checkOptions('passwords', options, KINDS)
  const {
    breachedAtSignIn = false,
    pepper = 'secret',
    signUp = true,
    verify = 'first',
    requireVerified = true,
    unprovedLifetime = WEEK,
    resetSignsIn = false,
    fields = [],
    name = 'optional',
    mailUnknown = false,
    mailInBackground,
    limits = true,
  } = options
  checkPepper(pepper)
  for (const [at, field] of fields.entries())
    checkOptions('passwords', field, FIELD, { member: `fields[${at}]` })
  if (breachedAtSignIn && !options.breached)
    throw optionError(
      'passwords(): `breachedAtSignIn` needs `breached`, for example haveIBeenPwned()',
      'passwords',
    )
  return {
    breachedAtSignIn,
    rules: ruleSettingsOf(options),
    isLengthGiven: options.minLength !== undefined,
    hashes: hashSettingsOf(options),
    pepper,
    signUp,
    verify,
    requireVerified,
    unprovedLifetime,
    resetSignsIn,
    fields,
    name,
    mailUnknown,
    mailInBackground,
    limits,
  }
}

function checkPepper(pepper: Settings['pepper']): void {
  if (pepper === 'secret' || pepper === false) return
  checkOptions(
    'passwords',
    pepper,
    { keys: true },
    { member: 'pepper', expected: "'secret', false or { keys }" },
  )
  const { keys }: { readonly keys?: unknown } = pepper
  const isList = Array.isArray(keys) && keys.length > 0
  if (!isList || !keys.every((key) => typeof key === 'string' && key.length >= 32))
    throw optionError(
      "passwords(): `pepper` must be 'secret', false or { keys } with keys of at least 32 characters; make one with `npx auth secret`",
      'passwords',
    )
}

const FIELD: OptionKinds<SignUpField> = {
  name: required({
    expected: 'letters, digits and _ that begin with a small letter, and no member of users',
    fits: (name) =>
      typeof name === 'string' && NAME.test(name) && !name.includes('__') && !TAKEN.includes(name),
  }),
  label: required(someText),
  type: oneOf('text', 'tel', 'url', 'date', 'number', 'checkbox'),
  required: 'boolean',
  maxLength: wholeNumber(1, 2000),
  autocomplete: 'string',
  validate: 'function',
}
