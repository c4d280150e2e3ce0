import { definePlugin, type PluginOption } from '../../entries/plugin.ts'
/**
 * Leaves a way back to Auth.js: both may serve one site, with the same secret and the same store.
 *
 * @module
 */

/** Writes values that Auth.js can read, so that an application can go back to it, or run instances of both. */
export function authJsRollback(): PluginOption<'authJsRollback'> {
  return definePlugin({
    name: 'authJsRollback',
    writes: { sessionTokens: 'plain', hashes: 'joined' },
    atEdge: () => ({ isWhole: true }),
    setUp: () => ({
      async onBegin(signIn) {
        const { checkCookies } = await import('./check-cookies.ts')
        return checkCookies(signIn)
      },
    }),
  })
}
