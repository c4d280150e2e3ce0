import { keepFromCaches } from './caching.ts'

/**
 * `Set-Cookie` headers of two that answer the same request. What both set, in one piece or in several,
 * is as the later one says: a session that was extended on the way to its sign-out is signed out.
 */
export function inOrder(earlier: readonly string[], later: readonly string[]): string[] {
  return [...left(earlier, later), ...later]
}

/** Those that the later ones leave as they are. */
export function left(earlier: readonly string[], later: readonly string[]): string[] {
  const names = new Set(later.map(nameOf))
  return earlier.filter((line) => !names.has(nameOf(line)))
}

/** Without the number of a piece. */
function nameOf(line: string): string {
  const end = line.indexOf('=')
  return line
    .slice(0, end < 0 ? line.length : end)
    .trim()
    .replace(/\.\d+$/, '')
}

/** The same answer with cookies, unless it sets them itself, and kept by no cache; that of a redirect cannot be changed. */
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
