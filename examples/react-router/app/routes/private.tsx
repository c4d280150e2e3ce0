import { requireAuth, sessionContext } from 'latchkey/react-router'
import { latchkey } from '../auth.server'
import type { Route } from './+types/private'

export const middleware: Route.MiddlewareFunction[] = [requireAuth(latchkey)]

export const loader = ({ context }: Route.LoaderArgs) => ({ session: context.get(sessionContext) })

export default function Private({ loaderData: { session } }: Route.ComponentProps) {
  return (
    <>
      <h1>Only you may see this</h1>
      <section>
        Signed in as <code id="server">{session?.user?.email ?? 'nobody'}</code>
      </section>
    </>
  )
}
