import * as paths from '$app/paths'

/**
 * Returns the path of a SvelteKit application with a slash at its end, relative to the current page. `resolve` exists
 * from version 2.26 on, `base` up to version 2.
 */
export function applicationPath(): string {
  if ('resolve' in paths) return paths.resolve('/')
  // Not as a member, because bundlers would warn with version 3.
  const { base } = paths as { readonly base: string }
  return `${base}/`
}
