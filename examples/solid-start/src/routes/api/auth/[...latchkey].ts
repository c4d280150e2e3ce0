import { SolidAuth } from 'latchkey/solid-start'
import { authConfig } from '../../../auth'

export const { GET, POST } = SolidAuth(authConfig)
