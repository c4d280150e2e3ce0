import { authSession } from 'latchkey/h3'
import latchkey from '../latchkey'

export default defineEventHandler(async (event) => {
  const session = await authSession(latchkey)(event)
  return { email: session?.user?.email ?? 'nobody' }
})
