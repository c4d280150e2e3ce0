type DefinedOnly<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> }

/** Returns an object without members that are `undefined`. */
export function definedOnly<T extends object>(object: T): DefinedOnly<T> {
  return Object.fromEntries(
    Object.entries(object).filter(([, value]) => value !== undefined),
  ) as DefinedOnly<T>
}
