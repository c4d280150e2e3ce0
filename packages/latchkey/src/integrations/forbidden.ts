/**
 * Returns the response to a request that another site sent, if that is why an action failed. For frameworks that
 * respond to every thrown error with 500; others read its status.
 */
export function forbidden(error: unknown): Response | undefined {
  const { type, getResponse } = Object(error) as {
    readonly type?: unknown
    readonly getResponse?: () => Response
  }
  return type === 'MissingCSRF' ? getResponse?.call(error) : undefined
}
