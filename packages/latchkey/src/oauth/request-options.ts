import { allowInsecureRequests, customFetch } from 'oauth4webapi'
import { USER_AGENT } from './limited-fetch.ts'

/**
 * Options of a request through our limited fetch. It judges plain http itself, so the library's own
 * check is off; the library types the body more narrowly than `fetch` does.
 */
export function requestOptions(send: typeof fetch): {
  // One shape for every kind of request of the library.
  // oxlint-disable-next-line typescript/no-explicit-any
  [customFetch]: any
  [allowInsecureRequests]: true
  headers: Record<string, string>
} {
  return {
    [customFetch]: send,
    [allowInsecureRequests]: true,
    // The library would name itself otherwise.
    headers: { 'user-agent': USER_AGENT },
  }
}
