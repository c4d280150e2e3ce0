import {
  type Call,
  type ChallengePart,
  type Html,
  type SafeUrl,
  siteNameOf,
  type TextKey,
  type Texts,
} from '../../../entries/plugin.ts'
import type { Own } from '../own.ts'
import type { PasswordsKey } from '../texts.ts'

/** What every page of the plugin is made with. */
export interface PageParts {
  readonly texts: Texts<PasswordsKey | TextKey>
  readonly csrfField: Html
  readonly settings: Own['settings']
  /** The name of the site. */
  readonly name: string
  /** Whether people can have user names. */
  readonly hasNames: boolean
  /** Why nobody may have the user name that was typed, in the words of people. */
  readonly nameFault?: string | undefined
  /** What the form needs for a challenge, if its visitor has to solve one. */
  readonly challenge: ChallengePart | undefined
  path(route: string, params?: Readonly<Record<string, string>>): SafeUrl
}

/** The action of a form, and whether an attempt at it was refused without the answer to a challenge. */
export interface Challenged {
  readonly action: 'password.sign-in' | 'password.sign-up' | 'password.forgot'
  readonly isRequired?: boolean
}

/** @param challenged the action of a form that may need a challenge. */
export async function partsOf(
  { request, csrfField }: Pick<Call<unknown>, 'request' | 'csrfField'>,
  { host, settings }: Own,
  challenged?: Challenged,
): Promise<PageParts> {
  const { theme } = host.site
  const { action, isRequired } = challenged ?? {}
  return {
    texts: await host.site.text<PasswordsKey>(request),
    csrfField,
    settings,
    name: siteNameOf({ theme, origin: request.origin }),
    hasNames: host.userNames() !== undefined,
    challenge: action && (await host.attempts.challenge(action, request, isRequired)),
    path: (...asked) => host.site.path(...asked),
  }
}
