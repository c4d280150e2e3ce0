import { type Accessor, createSignal, onCleanup } from 'solid-js'
import type { AuthClient } from './client.ts'
import type { SessionState } from './session-store.ts'

export * from './index.ts'

/** The session, as long as the owner lives. */
export function createSession<S>({ store }: AuthClient<S>): Accessor<SessionState<S>> {
  const [state, setState] = createSignal(store.state)
  onCleanup(store.subscribe(() => setState(store.state)))
  return state
}
