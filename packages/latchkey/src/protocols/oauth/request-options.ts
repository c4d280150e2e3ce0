import { allowInsecureRequests, customFetch } from 'oauth4webapi'
import { USER_AGENT } from './limited-fetch.ts'

/**
 * Returns options of a request with the limited `fetch`. It checks plain http itself, so the check of the library is
 * off. The library types the body more narrowly than `fetch`.
 */
export function requestOptions(send: typeof fetch): {
  // One type for all kinds of requests of the library.
  // oxlint-disable-next-line typescript/no-explicit-any
  [customFetch]: any
  [allowInsecureRequests]: true
  headers: Record<string, string>
} {
  return {
    [customFetch]: send,
    [allowInsecureRequests]: true,
    // Without it, the library sends its own name.
    headers: { 'user-agent': USER_AGENT },
  }
}
