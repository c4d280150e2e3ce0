import { isServer } from '@builder.io/qwik/build'
import { QwikAuth$ } from 'latchkey/qwik'

export const { onRequest, useSession, useSignIn, useSignOut } = QwikAuth$(async () => {
  // This is built for the browser, too, which has no database.
  if (!isServer) throw new Error('only on the server')
  const { config } = await import('latchkey-examples-shared/auth')
  return config
})
