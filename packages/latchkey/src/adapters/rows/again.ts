const ATTEMPTS = 6

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
      if (attempt === ATTEMPTS || !isCollision(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 5 * 2 ** attempt))
    }
  }
}
