import {
  type AdapterUser,
  type Awaitable,
  checkOptions,
  type Html,
  isJsonObject,
  type OptionKinds,
  optionError,
  type SafeUrl,
} from '../../entries/plugin.ts'
import type { IconName } from '../../entries/plugin-pages.ts'

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
   * Its place: the profile has 10, the address 20, passkeys 30, linked accounts 40, and the data 50.
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

const KINDS: OptionKinds<OwnSection> = {
  id: 'string',
  title: 'string',
  about: 'string',
  icon: true,
  order: true,
  render: 'function',
  actions: true,
}
const NAME = /^[a-z0-9][a-z0-9-]*$/

/** @throws {TypeError} for an invalid section. */
export function checkSections(given: unknown, taken: readonly string[]): readonly OwnSection[] {
  if (!Array.isArray(given)) throw refused('must be a list', given)
  const ids = new Set<string>(taken)
  for (const [at, section] of (given as Partial<OwnSection>[]).entries()) {
    checkOptions('account', section, KINDS, { member: `sections[${at}]` })
    const { id = '', title, icon = 'data', order = 100, render, actions = {} } = section
    if (typeof id !== 'string' || !NAME.test(id))
      throw refused('need an `id` of lower-case letters, digits and hyphens', id)
    if (ids.has(id)) throw refused('need an `id` that is free', id)
    ids.add(id)
    if (typeof title !== 'string' || title === '') throw refused(`need a \`title\` (${id})`, title)
    if (typeof icon !== 'string') throw refused(`need a name as \`icon\` (${id})`, icon)
    if (typeof order !== 'number') throw refused(`need a number as \`order\` (${id})`, order)
    if (!render) throw refused(`need a function \`render\` (${id})`, render)
    if (!isJsonObject(actions)) throw refused(`need an object as \`actions\` (${id})`, actions)
    for (const [name, act] of Object.entries(actions))
      if (!NAME.test(name) || typeof act !== 'function')
        throw refused(`need functions as \`actions\`, named like an \`id\` (${id})`, name)
  }
  return given as readonly OwnSection[]
}

function refused(rule: string, value: unknown): TypeError {
  const shown = JSON.stringify(value)?.slice(0, 40) ?? String(value)
  return optionError(`account(): \`sections\` ${rule}, got ${shown}`, 'account')
}
