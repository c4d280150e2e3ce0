export { auth as middleware } from './auth'

// In Next.js 15 it is called so, and runs on the edge unless it says otherwise.
export const config = { runtime: 'nodejs', matcher: ['/((?!_next/|favicon.ico).*)'] }
