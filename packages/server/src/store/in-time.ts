/**
 * @param seconds after which it fails.
 * @param late is called then.
 */
export async function inTime<T>(
  work: Promise<T>,
  seconds: number,
  late: () => void = () => {},
): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    reject(new Error(`no answer within ${seconds} s`))
    late()
  }, seconds * 1000)
  // What becomes of it later interests nobody.
  work.catch(() => {})
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}
