/** A JSON value. */
type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue }

/** A JSON object. */
export type JsonObject = { readonly [name: string]: JsonValue }
