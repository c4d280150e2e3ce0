import NextAuth from 'latchkey/next'
import { config } from 'latchkey-examples-shared/auth'

export const { handlers, auth, signIn, signOut } = NextAuth({
  ...config,
  callbacks: {
    ...config.callbacks,
    authorized: ({ request, auth }) =>
      auth !== null || new URL(request.url).pathname !== '/private',
  },
})
