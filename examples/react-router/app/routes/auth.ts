import { authHandler } from 'latchkey/react-router'
import { latchkey } from '../auth.server'

export const loader = authHandler(latchkey)
export const action = authHandler(latchkey)
