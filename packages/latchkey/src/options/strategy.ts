import type { AuthConfig } from './auth-config.ts'

/** The strategy, when a configuration does not name one. */
export function strategyOf({ session, adapter }: AuthConfig): 'jwt' | 'database' {
  return session?.strategy ?? (adapter ? 'database' : 'jwt')
}
