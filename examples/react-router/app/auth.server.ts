import { createLatchkey } from 'latchkey/react-router'
import { config } from 'latchkey-examples-shared/auth'

export const latchkey = createLatchkey(config)
