import * as paths from '$app/paths'

/**
 * Returns the path of a SvelteKit application with a slash at the end, as seen from the page that is
 * shown. `resolve` is there from version 2.26 on, `base` up to version 2.
 */
export function applicationPath(): string {
  if ('resolve' in paths) return paths.resolve('/')
  // Not as a member: bundlers would warn of it in version 3.
  const { base } = paths as { readonly base: string }
  return `${base}/`
}
