import {
  type AdapterUser,
  type Awaitable,
  checkOptions,
  type Html,
  isJsonObject,
  nearest,
  type OptionKinds,
  optionError,
  required,
  type SafeUrl,
  someFunction,
  someText,
} from '../../entries/plugin.ts'
import { type IconName, iconNames } from '../../entries/plugin-pages.ts'

/** A section of the account page that the application has. */
export interface OwnSection {
  /** The last segment of its path `account/<id>`: lower-case letters, digits and hyphens. */
  readonly id: string
  /**
   * Its heading, and its entry in the navigation: an English text, or the key of a text in `texts` of the configuration, such as
   * `shop:orders`.
   */
  readonly title: string
  /** What it is for, in one sentence; the same kinds of text. */
  readonly about?: string | undefined
  /** @default 'data' */
  readonly icon?: IconName | undefined
  /**
   * Its place: the profile has 10, the user name 15, the address 20, the password 25, passkeys 30, second factors 35, linked
   * accounts 40, sessions 42, access to other services 44, API keys 46, and the data 50.
   *
   * @default 100
   */
  readonly order?: number | undefined
  /** Returns what the page shows below its heading. Values must be escaped, as the function `html` does. */
  render(context: SectionContext): Awaitable<Html>
  /**
   * What its forms do, by the last segment of their path `account/<id>/<action>`. The session, the origin and the CSRF token were
   * checked. After it, the browser returns to the page.
   *
   * Returns nothing, or what the page shows instead because the fields are wrong.
   */
  readonly actions?:
    | Readonly<
        Record<
          string,
          (
            context: SectionContext,
            fields: Readonly<Record<string, string>>,
          ) => Awaitable<Html | undefined | void>
        >
      >
    | undefined
}

/** For whom a section is shown. */
export interface SectionContext {
  /** The stored user who is signed in. */
  readonly user: AdapterUser
  readonly request: Request
  /** The language of the page. */
  readonly lang: string
  /** Returns a text of `texts` of the configuration in this language. */
  text(key: string, values?: Readonly<Record<string, string | number>>): string
  /** The hidden field with the CSRF token, which every form needs. */
  readonly csrfField: Html
  /** Returns the path of an action, for the attribute `action` of a form. */
  path(action: string): SafeUrl
  /** The action that was done just before. Anybody can make a link to the page that says so. */
  readonly done: string | undefined
}

const NAME = /^[a-z0-9][a-z0-9-]*$/

const KINDS: OptionKinds<OwnSection> = {
  id: required({
    expected: 'lower-case letters, digits and hyphens',
    fits: (id) => typeof id === 'string' && NAME.test(id),
  }),
  title: required(someText),
  about: 'string',
  icon: someText,
  order: { expected: 'a number', fits: (order) => typeof order === 'number' },
  render: required(someFunction),
  actions: {
    expected: 'an object with functions, whose names are like an `id`',
    fits: (actions) =>
      isJsonObject(actions) &&
      Object.entries(actions).every(([name, act]) => NAME.test(name) && someFunction.fits(act)),
  },
}

/** @throws {TypeError} for an invalid section. */
export function checkSections(
  sections: readonly OwnSection[],
  taken: readonly string[],
): readonly OwnSection[] {
  const ids = new Set<string>(taken)
  for (const [at, section] of sections.entries()) {
    checkOptions('account', section, KINDS, { member: `sections[${at}]` })
    checkIcon(section, `sections[${at}].icon`)
    if (ids.has(section.id))
      throw optionError(
        `account(): \`sections[${at}].id\` must be free, but there is a section ${section.id} already`,
        'account',
      )
    ids.add(section.id)
  }
  return sections
}

function checkIcon({ icon }: OwnSection, member: string): void {
  if (icon === undefined || iconNames.includes(icon)) return
  const meant = nearest(icon, iconNames)
  const hint = meant === undefined ? '' : `; did you mean ${JSON.stringify(meant)}?`
  throw optionError(
    `account(): \`${member}\` must be one of ${iconNames.join(', ')}, got ${JSON.stringify(icon)}${hint}`,
    'account',
  )
}
