/** The default base path with Next.js, where `latchkey/next` is mounted, and elsewhere. */
const IN_NEXT = '/api/auth'
const ELSEWHERE = '/auth'

/**
 * Returns the default base path: that of the framework which renders the page.
 *
 * @param scope the global object of the page or of the server.
 */
export function defaultBasePath(scope: object): string {
  const { next, process } = scope as {
    next?: { version?: unknown }
    process?: { env?: Record<string, string | undefined> }
  }
  return next?.version || process?.env?.['NEXT_RUNTIME'] ? IN_NEXT : ELSEWHERE
}

/** Explains that nothing is mounted at the address of the service. */
export function notMounted(base: string): string {
  return `no service at ${base} (404); set \`basePath\`, by default ${IN_NEXT} in Next.js, else ${ELSEWHERE}`
}
