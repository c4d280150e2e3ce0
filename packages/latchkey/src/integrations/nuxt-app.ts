import {
  defineNuxtPlugin,
  defineNuxtRouteMiddleware,
  navigateTo,
  useNuxtApp,
  useRequestEvent,
  useState,
} from 'nuxt/app'
import type { ShallowRef } from 'vue'
import {
  type AuthClient,
  createAuthClient,
  type SessionState,
  useSession as useSessionOf,
} from '../client/vue.ts'
import type { Session } from '../index.ts'

export type { AuthClient, SessionState } from '../client/vue.ts'

// What `latchkey/nuxt` brings into an application, where it has names of its own there.

/** The client of the page, with `signIn` and `signOut`. */
export function useAuth(): AuthClient {
  return (useNuxtApp() as { $latchkey: AuthClient }).$latchkey
}

/** The session, as long as the component lives. What the server found out is shown at once. */
export function useSession(): Readonly<ShallowRef<SessionState>> {
  return useSessionOf(useAuth())
}

/** The plugin of the module. @internal */
export function createPlugin(basePath: string): unknown {
  return defineNuxtPlugin({
    name: 'latchkey',
    async setup() {
      const session = useState<Session | null>('latchkey')
      const event = useRequestEvent()
      if (event) session.value = await event.context.latchkey?.()
      const client = createAuthClient({ basePath })
      if (session.value !== undefined) client.store.set(session.value)
      return { provide: { latchkey: client } }
    },
  })
}

/** The route middleware of the module. @internal */
export function createGuard(basePath: string): unknown {
  return defineNuxtRouteMiddleware(async ({ fullPath }) => {
    const { store } = useAuth()
    const { data } = store.state
    if (data === undefined ? await store.refetch() : data) return undefined
    const query = new URLSearchParams({ callbackUrl: fullPath })
    return navigateTo(`${basePath}/signin?${query}`, { external: true })
  })
}
