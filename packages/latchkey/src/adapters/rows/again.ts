const ATTEMPTS = 6

/** Thrown if another request changed what a transaction has read, so that the transaction must start again. */
export class Superseded extends Error {
  constructor(options?: ErrorOptions) {
    super('other requests changed the same rows at each attempt; try again later', options)
    this.name = 'Superseded'
  }
}

/**
 * Repeats `work`, each time a little later, while it collides with another transaction. An example is a deadlock, for
 * which the store rolls one of the two transactions back.
 */
export async function again<Result>(
  work: () => Promise<Result>,
  isCollision: (error: unknown) => boolean,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const collides = error instanceof Superseded || isCollision(error)
      if (attempt === ATTEMPTS || !collides) throw error
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 5 * 2 ** attempt))
    }
  }
}
