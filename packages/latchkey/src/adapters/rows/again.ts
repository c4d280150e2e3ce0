const ATTEMPTS = 6

/** Thrown where others were faster, and what a transaction has seen is no more: it is begun again. */
export class Superseded extends Error {
  constructor(options?: ErrorOptions) {
    super('others were faster, again and again', options)
    this.name = 'Superseded'
  }
}

/**
 * Runs `work` again, a little later, while it collides with somebody else's: a deadlock, say, which the
 * store ends by undoing what one of both has done.
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
