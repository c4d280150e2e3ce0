import { createLatchkey } from 'latchkey/tanstack-start'
import { config } from 'latchkey-examples-shared/auth'

export const latchkey = createLatchkey(config)
