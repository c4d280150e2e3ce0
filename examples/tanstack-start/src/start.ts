import { createCsrfMiddleware, createMiddleware, createStart } from '@tanstack/react-start'
import { authSession } from 'latchkey/tanstack-start'
import { latchkey } from './auth.server'

const session = createMiddleware().server(authSession(latchkey))

const sameSite = createCsrfMiddleware({ filter: ({ handlerType }) => handlerType === 'serverFn' })

export const startInstance = createStart(() => ({ requestMiddleware: [sameSite, session] }))
