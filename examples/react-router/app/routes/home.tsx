import { sessionContext } from 'latchkey/react-router'
import { OnTheClient } from '../on-the-client'
import type { Route } from './+types/home'

export const loader = ({ context }: Route.LoaderArgs) => ({ session: context.get(sessionContext) })

export default function Home({ loaderData: { session } }: Route.ComponentProps) {
  return (
    <>
      <h1>Everybody may see this</h1>
      <section>
        On the server: <code id="server">{session?.user?.email ?? 'nobody'}</code>
      </section>
      <section>
        In the browser: <OnTheClient />
      </section>
    </>
  )
}
