import { answerOf, webRequestOf } from 'latchkey/h3'
import latchkey from '../latchkey'

export default defineEventHandler(async (event) => {
  const answer = await latchkey.signOut(webRequestOf(event), { redirectTo: '/' })
  return answerOf(answer, event)
})
