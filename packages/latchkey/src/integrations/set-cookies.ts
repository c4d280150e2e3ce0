import { keepFromCaches } from './caching.ts'

/**
 * Merges the `Set-Cookie` headers of two responses to one request. If both set a cookie, also in several pieces, the
 * later one wins. So a session that a middleware extended stays signed out after a sign-out.
 */
export function inOrder(earlier: readonly string[], later: readonly string[]): string[] {
  return [...left(earlier, later), ...later]
}

/** Returns the earlier lines whose cookie no later line sets. */
export function left(earlier: readonly string[], later: readonly string[]): string[] {
  const names = new Set(later.map(nameOf))
  return earlier.filter((line) => !names.has(nameOf(line)))
}

/** Returns the name of a cookie, without the number of a piece. */
function nameOf(line: string): string {
  const end = line.indexOf('=')
  return line
    .slice(0, end < 0 ? line.length : end)
    .trim()
    .replace(/\.\d+$/, '')
}

/**
 * Returns a copy of a response with cookies, except those that it sets itself, and without caching. A copy, because the
 * headers of `Response.redirect` cannot be changed.
 */
export function withCookies(response: Response, { headers }: { headers: Headers }): Response {
  const cookies = headers.getSetCookie()
  if (cookies.length === 0) return response
  const answer = new Response(response.body, response)
  const own = answer.headers.getSetCookie()
  answer.headers.delete('set-cookie')
  for (const line of inOrder(cookies, own)) answer.headers.append('set-cookie', line)
  keepFromCaches(answer.headers)
  return answer
}
