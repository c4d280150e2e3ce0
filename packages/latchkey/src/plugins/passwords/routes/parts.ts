import type { Call, ChallengePart } from '../../../entries/plugin.ts'
import { type PageParts as Parts, pageParts } from '../../../entries/plugin-accounts.ts'
import type { Own } from '../own.ts'
import type { PasswordsKey } from '../texts.ts'

/** What every page of the plugin is made with. */
export interface PageParts extends Parts<PasswordsKey> {
  readonly settings: Own['settings']
  /** Whether people can have user names. */
  readonly hasNames: boolean
  /** Why nobody may have the user name that was typed, in the words of people. */
  readonly nameFault?: string | undefined
  /** What the form needs for a challenge, if its visitor has to solve one. */
  readonly challenge: ChallengePart | undefined
}

/** The action of a form, and whether an attempt at it was refused without the answer to a challenge. */
export interface Challenged {
  readonly action: 'password.sign-in' | 'password.sign-up' | 'password.forgot'
  readonly isRequired?: boolean
}

/** @param challenged the action of a form that may need a challenge. */
export async function partsOf(
  call: Pick<Call<unknown>, 'request' | 'csrfField'>,
  { host, settings }: Own,
  challenged?: Challenged,
): Promise<PageParts> {
  const { action, isRequired } = challenged ?? {}
  return {
    ...(await pageParts<PasswordsKey>(call, host)),
    settings,
    hasNames: host.userNames() !== undefined,
    challenge: action && (await host.attempts.challenge(action, call.request, isRequired)),
  }
}
