import { createFileRoute } from '@tanstack/react-router'
import { latchkey } from '../auth.server'

export const Route = createFileRoute('/sign-out')({
  server: { handlers: { POST: ({ request }) => latchkey.signOut(request, { redirectTo: '/' }) } },
})
