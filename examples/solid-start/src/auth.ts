import { config } from 'latchkey-examples-shared/auth'

export const authConfig = { ...config, prefix: '/api/auth' }
