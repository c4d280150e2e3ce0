type DefinedOnly<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> }

/** An object without the members that are `undefined`. */
export function definedOnly<T extends object>(object: T): DefinedOnly<T> {
  return Object.fromEntries(
    Object.entries(object).filter(([, value]) => value !== undefined),
  ) as DefinedOnly<T>
}
