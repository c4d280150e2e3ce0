import { createFileRoute } from '@tanstack/react-router'
import { latchkey } from '../auth.server'

export const Route = createFileRoute('/sign-in')({
  server: { handlers: { POST: ({ request }) => latchkey.signIn(request) } },
})
