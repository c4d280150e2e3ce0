/** What JSON can say. */
type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue }

/** An object that JSON keeps as it is. */
export type JsonObject = { readonly [name: string]: JsonValue }
