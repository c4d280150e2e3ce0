/** A function of one of the objects, called with these arguments. */
type CallByName = (object: string, name: string, args: unknown[]) => Promise<unknown>

/** An object of objects of functions, whose names are looked up when they are called. */
export function callsByName(call: CallByName): object {
  return named((object) =>
    named(
      (name) =>
        (...args: unknown[]) =>
          call(object, name, args),
    ),
  )
}

function named<Made>(make: (name: string) => Made): object {
  return new Proxy(
    {},
    // Whoever awaits the object asks for `then`: it is no promise.
    { get: (_, name) => (typeof name === 'symbol' || name === 'then' ? undefined : make(name)) },
  )
}
