import { SvelteKitAuth } from 'latchkey/sveltekit'
import { config } from 'latchkey-examples-shared/auth'

export const { handle, signIn, signOut } = SvelteKitAuth({
  ...config,
  callbacks: {
    ...config.callbacks,
    authorized: ({ request, auth }) =>
      auth !== null || !/^\/private(\/|$)/.test(new URL(request.url).pathname),
  },
})
