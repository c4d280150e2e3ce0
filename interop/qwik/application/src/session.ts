import type { DefaultSession } from '@auth/qwik'

declare module '@auth/qwik' {
  interface Session {
    user?: { role?: 'admin' } & DefaultSession['user']
  }
}
