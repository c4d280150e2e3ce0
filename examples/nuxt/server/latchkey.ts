import { createLatchkey } from 'latchkey'
import { config } from 'latchkey-examples-shared/auth'

export default createLatchkey(config)
