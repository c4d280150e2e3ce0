import { type Accessor, createSignal, onCleanup } from 'solid-js'
import type { AuthClient } from './client.ts'
import type { SessionState } from './session-store.ts'

export * from './index.ts'

/** Returns the session as a signal, until its owner is disposed. */
export function createSession<S>({ store }: AuthClient<S>): Accessor<SessionState<S>> {
  const [state, setState] = createSignal(store.state)
  onCleanup(store.subscribe(() => setState(store.state)))
  return state
}
