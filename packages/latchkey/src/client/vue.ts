import { onScopeDispose, type ShallowRef, shallowRef } from 'vue'
import type { AuthClient } from './client.ts'
import type { SessionState } from './session-store.ts'

export * from './index.ts'

/** Returns the session as a ref, until the component is unmounted. */
export function useSession<S>({ store }: AuthClient<S>): Readonly<ShallowRef<SessionState<S>>> {
  const state = shallowRef(store.state)
  onScopeDispose(
    store.subscribe(() => {
      state.value = store.state
    }),
  )
  return state
}
