import type { Awaitable } from '../base/awaitable.ts'
import type { Cookie } from '../http/cookies/cookies.ts'
import type { Html } from '../http/html.ts'
import type { SiteRequest } from '../http/request.ts'
import type { SafeUrl } from '../http/safe-url.ts'
import type { AdapterUser } from '../model/user.ts'
import type { Content } from '../page-kit/components.ts'
import type { IconName } from '../page-kit/icon-names.ts'
import type { CurrentSession } from '../session/strategy.ts'
import type { Answer } from './route.ts'

/**
 * How signed-in users prove their identity again, on the page at `reauthenticate`. There is a page as soon as one plugin of a
 * configuration has a way.
 */
export interface PluginProofs {
  readonly ways: readonly ProofWay[]
  /**
   * Returns how many factors the account of a user has: 2 if it has a second factor. Of several plugins, the highest counts.
   *
   * @default 1
   */
  factors?(userId: string): Awaitable<1 | 2>
  /**
   * Returns the authentication methods (RFC 8176) that a sign-in with an OpenID Connect provider proves beside `fed`, for example
   * `mfa`. The time of a second factor is `auth_time` of the ID token; without it, the factor counts, and is never recent.
   *
   * @default none
   */
  ofProvider?(proof: ProvidedProof): Awaitable<readonly string[]>
  /**
   * Returns the contexts (`acr_values`) that sign-ins with an OpenID Connect provider ask it for. An `acr_values` of the provider's own
   * configuration is asked for instead.
   *
   * @default none
   */
  askOfProvider?(provider: string): readonly string[]
  /** The page on which a user without a second factor gets one, if a step needs one. */
  readonly setUpPage?: SafeUrl | undefined
}

/** What a provider says about a sign-in. */
export interface ProvidedProof {
  /** The id of the provider. */
  readonly provider: string
  /** The claims of the verified ID token of this sign-in. */
  readonly claims: Readonly<Record<string, unknown>>
}

/** One way to prove one's identity again, for example with the password. */
export interface ProofWay {
  /** Its name in forms and addresses: lower-case letters, digits and hyphens, unique among all plugins. */
  readonly id: string
  /** The authentication methods (RFC 8176) that it proves at least. */
  readonly amr: readonly string[]
  /** The text of a link to it, for example "Use your password": an English text, or the key of a text of the plugin. */
  readonly label: string
  readonly icon?: IconName | undefined
  /** Names of the fields of its form. Others are refused. */
  readonly fields: readonly string[]
  /** Returns whether the user can use it. @param asked `amr`: what was proved in the session so far */
  has(
    asked: Pick<AskedProof, 'user' | 'factors'> & { readonly amr?: readonly string[] | undefined },
  ): Awaitable<boolean>
  /** Returns the fields of its form. The page adds the form itself, its button and the hidden fields. */
  form(asked: AskedProofForm): Awaitable<ProofForm>
  /**
   * Prepares the proof, for example sends a code or redirects to a provider. Called for a form with the field `begin`, whose
   * value is `1`. Without `to`, the page with this way follows.
   */
  begin?(asked: AskedProof): Awaitable<Answer>
  /**
   * Checks the fields for this user and for nobody else.
   *
   * The page has counted the attempt as `reauthenticate`. Wrong proofs in a row are counted here, with `host.attempts.strikes`.
   *
   * @param fields those of {@link ProofWay.fields} that were sent.
   * @throws {Problem} `too_many_attempts` if the way is limited; the page then says so.
   */
  check(asked: AskedProof, fields: Readonly<Record<string, string>>): Awaitable<ProofVerdict>
}

/** Who proves what. */
export interface AskedProof {
  readonly user: AdapterUser
  readonly current: CurrentSession
  readonly request: SiteRequest
  /** How many factors the step needs. */
  readonly factors: 1 | 2
  /** The page at which the user comes back to this way. */
  readonly page: SafeUrl
  /** The validated URL to which the user goes after the proof. */
  readonly callbackUrl: SafeUrl
}

/** For the form of a way. */
export interface AskedProofForm extends AskedProof {
  /** Whether {@link ProofWay.check} refused what was typed; the field then shows an error. */
  readonly isWrong: boolean
  /** The hidden fields that every form of the page needs, for a further form. Its address is that of the page. */
  readonly hidden: Html
}

/** The part of the page for one way. */
export interface ProofForm {
  /** Markup of the fields, each with its label. */
  readonly content: Content
  /** The text of the button. @default "Confirm" */
  readonly submit?: string | undefined
  /** Whether the button begins the proof: it calls {@link ProofWay.begin}. */
  readonly begins?: boolean | undefined
  /** What follows the form, for example a form with a button that sends another code. */
  readonly further?: Content
  /** A sentence above the form. */
  readonly lead?: Content
  /** A script. It must be constant text, never input of a visitor. */
  readonly script?: string | undefined
  /** Replaces the whole form, for a script that needs another one. */
  readonly instead?: Content
}

/** How a proof was judged. */
export type ProofVerdict =
  | {
      readonly isRight: true
      /** The methods that were proved. @default `amr` of the way */
      readonly amr?: readonly string[] | undefined
      readonly cookies?: readonly Cookie[] | undefined
    }
  | {
      readonly isRight: false
      /** The code of the problem. @default 'invalid_code' */
      readonly code?: string | undefined
      /** The field that is wrong. */
      readonly field?: string | undefined
      readonly cookies?: readonly Cookie[] | undefined
    }
