import type { AuthConfig } from './auth-config.ts'

/** Returns the session strategy of a configuration, with its default. */
export function strategyOf({ session, adapter }: AuthConfig): 'jwt' | 'database' {
  return session?.strategy ?? (adapter ? 'database' : 'jwt')
}
