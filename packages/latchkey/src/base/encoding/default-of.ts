/** Returns the default export of a CommonJS package. Parcel imports such a package without one. */
export function defaultOf<Exports>(module: { readonly default?: Exports }): Exports {
  return module.default ?? (module as Exports)
}
