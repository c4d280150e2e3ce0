import { auth } from '../auth'
import { OnTheClient } from './on-the-client'

export default async function Home() {
  const session = await auth()
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
