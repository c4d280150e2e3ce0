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
import type { Session } from '../entries/index.ts'

export type { AuthClient, SessionState } from '../client/vue.ts'

// The parts that `latchkey/nuxt` adds to an application.

/** Returns the client of the page, with `signIn` and `signOut`. */
export function useAuth(): AuthClient {
  return (useNuxtApp() as { $latchkey: AuthClient }).$latchkey
}

/** Returns the session for the lifetime of the component. The result of the server is available at once. */
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
