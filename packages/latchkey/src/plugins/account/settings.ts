import {
  checkOptions,
  listOf,
  oneOf,
  optionError,
  seconds,
  someFunction,
} from '../../entries/plugin.ts'
import { checkSections, type OwnSection } from './sections.ts'

/** Options of the plugin. */
export interface AccountOptions {
  /**
   * Whether there are pages. Pages of the application then call the paths with JSON, or send forms, which are redirected to
   * their callback URL. Pages to which mails and sign-ins lead stay.
   *
   * @default true
   */
  readonly pages?: boolean | undefined
  /** Whether people change their name. @default true */
  readonly changeName?: boolean | undefined
  /** Whether people change the address of their picture. @default false */
  readonly changeImage?: boolean | undefined
  /** Whether people change their email address. @default true */
  readonly changeAddress?: boolean | undefined
  /** How long ago the last proof of identity may be. */
  readonly fresh?: FreshOptions | undefined
  /** Seconds for which a change of the address can be undone from the old address. @default 604800 (7 days) */
  readonly undo?: number | undefined
  /**
   * Whether people download what is stored about them. A function returns what the application stores about a user, as
   * entries of the file.
   *
   * @default true
   */
  readonly export?: boolean | ((userId: string) => AsyncIterable<ExportEntry>) | undefined
  /** How people delete their account; `false` if they cannot. */
  readonly deletion?: DeletionOptions | false | undefined
  /** Sections of the application on the account page, with their own forms. @default [] */
  readonly sections?: readonly OwnSection[] | undefined
  /** `false` turns the built-in limits of its actions off, with a warning. @default true */
  readonly limits?: boolean | undefined
}

/** How long ago the last proof of identity may be. */
export interface FreshOptions {
  /** Seconds for passkeys, linked accounts, the download and the deletion. @default 600 */
  readonly sensitive?: number | undefined
  /** Seconds for a change of the address. @default 300 */
  readonly address?: number | undefined
}

/** How people delete their account. */
export interface DeletionOptions {
  /** Seconds between the request and the deletion, in which people can keep the account; 0 deletes it at once. @default 604800 (7 days) */
  readonly grace?: number | undefined
  /**
   * What confirms a deletion: `fresh` is a recent proof of identity, and `mail` a link that is mailed to the proven address, too. Users
   * without a proven address confirm with the recent proof alone.
   *
   * @default 'fresh'
   */
  readonly confirm?: 'fresh' | 'mail' | undefined
}

/** What an application stores about a user. It must not have secrets. */
export type ExportEntry = Readonly<Record<string, unknown>>

/** The options with their defaults. */
export interface Settings {
  readonly pages: boolean
  readonly changeName: boolean
  readonly changeImage: boolean
  readonly changeAddress: boolean
  readonly fresh: { readonly sensitive: number; readonly address: number }
  /** Milliseconds. */
  readonly undo: number
  readonly export: Exclude<AccountOptions['export'], undefined>
  /** In milliseconds. */
  readonly deletion: { readonly grace: number; readonly confirm: 'fresh' | 'mail' } | false
  readonly sections: readonly OwnSection[]
  readonly limits: boolean
}

const DAY: number = 24 * 60 * 60
const WEEK: number = 7 * DAY

/**
 * @param taken segments of paths that sections of the application cannot have.
 * @throws {TypeError} for an invalid option.
 */
export function settingsOf(options: AccountOptions, taken: readonly string[]): Settings {
  checkOptions('account', options, {
    pages: 'boolean',
    changeName: 'boolean',
    changeImage: 'boolean',
    changeAddress: 'boolean',
    fresh: { sensitive: seconds(30, DAY), address: seconds(30, DAY) },
    undo: seconds(DAY, 90 * DAY),
    export: oneOf(true, false, someFunction),
    deletion: true,
    sections: listOf('sections'),
    limits: 'boolean',
  })
  const { fresh = {}, undo = WEEK, deletion = {}, export: exporting = true } = options
  const { sensitive = 600, address = 300 } = fresh
  const { pages = true, limits = true } = options
  const { changeName = true, changeImage = false, changeAddress = true } = options
  const sections = checkSections(options.sections ?? [], taken)
  if (!pages && sections.length > 0)
    throw optionError(
      `account(): \`sections\` need \`pages\`, got ${sections.map(({ id }) => id).join(', ')}`,
      'account',
    )
  return {
    pages,
    sections,
    changeName,
    changeImage,
    changeAddress,
    fresh: { sensitive, address },
    undo: undo * 1000,
    export: exporting,
    deletion: deletion === false ? false : deletionOf(deletion),
    limits,
  }
}

function deletionOf(options: DeletionOptions): Exclude<Settings['deletion'], false> {
  checkOptions(
    'account',
    options,
    { grace: seconds(0, 90 * DAY), confirm: oneOf('fresh', 'mail') },
    { member: 'deletion', expected: 'false or an object' },
  )
  const { grace = WEEK, confirm = 'fresh' } = options
  return { grace: grace * 1000, confirm }
}
