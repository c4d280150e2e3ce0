/** Calls a function of one of the objects with these arguments. */
type CallByName = (object: string, name: string, args: unknown[]) => Promise<unknown>

/** Returns an object of objects of functions that looks up each name when the function is called. */
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
    // `await` reads `then`: the object is not a promise.
    { get: (_, name) => (typeof name === 'symbol' || name === 'then' ? undefined : make(name)) },
  )
}
