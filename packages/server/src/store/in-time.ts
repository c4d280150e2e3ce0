/** Something did not answer in time. */
class Late extends Error {
  override readonly name = 'Late'
}

/** Whether an error means that something did not answer in time. */
export function isLate(error: unknown): boolean {
  return error instanceof Late
}

/**
 * @param seconds after which the promise is rejected.
 * @param late is called then.
 */
export async function inTime<T>(
  work: Promise<T>,
  seconds: number,
  late: () => void = () => {},
): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    reject(new Late(`no answer within ${Math.ceil(seconds * 10) / 10} s`))
    late()
  }, seconds * 1000)
  // Prevents an unhandled rejection after the timeout.
  work.catch(() => {})
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}
