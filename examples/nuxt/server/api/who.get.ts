import { getSession } from 'latchkey/h3'
import latchkey from '../latchkey'

export default defineEventHandler(async (event) => {
  const session = await getSession(event, latchkey)
  return { email: session?.user?.email ?? 'nobody' }
})
