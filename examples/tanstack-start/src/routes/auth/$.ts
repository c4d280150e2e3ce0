import { createFileRoute } from '@tanstack/react-router'
import { authHandler } from 'latchkey/tanstack-start'
import { latchkey } from '../../auth.server'

export const Route = createFileRoute('/auth/$')({
  server: { handlers: { GET: authHandler(latchkey), POST: authHandler(latchkey) } },
})
