/** An account of a provider that is linked, as pages and programs see it. */
export type ShownLink = {
  /** A public id, which only its owner can use. */
  readonly id: string
  /** The id of the provider. */
  readonly provider: string
  readonly name: string
  /** In ISO 8601. */
  readonly linkedAt?: string
}

/** A provider with which a user can sign in. */
export type ShownProvider = { readonly id: string; readonly name: string }
