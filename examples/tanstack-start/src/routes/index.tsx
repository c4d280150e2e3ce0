import { createFileRoute } from '@tanstack/react-router'
import { OnTheClient } from '../on-the-client'

export const Route = createFileRoute('/')({ component: Home })

function Home() {
  const { session } = Route.useRouteContext()
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
