import { AstroAuth } from 'latchkey/astro'
import { config } from 'latchkey-examples-shared/auth'

export const auth = AstroAuth({
  ...config,
  callbacks: {
    ...config.callbacks,
    authorized: ({ request, auth }) =>
      auth !== null || !/^\/private(\/|$)/.test(new URL(request.url).pathname),
  },
})
