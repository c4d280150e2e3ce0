import { type Readable, readable } from 'svelte/store'
import type { AuthClient } from './client.ts'
import type { SessionState } from './session-store.ts'

export * from './index.ts'

/** Returns the session as a store: `$session.data`. */
export function sessionStore<S>({ store }: AuthClient<S>): Readable<SessionState<S>> {
  return readable(store.state, (set) => {
    set(store.state)
    return store.subscribe(() => set(store.state))
  })
}
