import type { MaybePromise } from '../base/crypto/crypto.ts'
import type { TextTables } from '../base/texts/catalogue.ts'
import type { Cookie } from '../http/cookies/cookies.ts'
import type { Arrived, HeaderReader } from '../http/pending-request.ts'
import type { SafeUrl } from '../http/safe-url.ts'
import type { Logger } from '../options/redacting-logger.ts'

/** Languages for all pages and mails, which are loaded when a visitor needs them. */
export interface Languages {
  /** What pages offer; `undefined` without a choice. */
  readonly choices: readonly string[] | undefined
  /** All languages of the configuration. @default `choices` */
  readonly all?: readonly string[] | undefined
  /** The texts of the loaded languages. */
  readonly tables: TextTables
  /** Returns the language of a request; English if it is not loaded yet. */
  loaded(headers: HeaderReader): string
  /** Loads the language of a request. @returns where a visitor goes who chose another language. */
  arrive(request: Pick<Arrived, 'method' | 'headers' | 'url'>): MaybePromise<Chosen | undefined>
}

/** The same page in the language that a visitor chose. */
export interface Chosen {
  readonly to: SafeUrl
  readonly cookies: readonly Cookie[]
}

/** Creates the languages of a plan. @param own the texts of the application. */
export type CreateLanguages = (
  own: TextTables,
  services: { readonly logger: Logger; readonly now: () => number },
) => Languages
