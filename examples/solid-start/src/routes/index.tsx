import { createAsync } from '@solidjs/router'
import { OnTheClient } from '../on-the-client'
import { whoIsHere } from '../session'

export default function Home() {
  const session = createAsync(() => whoIsHere(), { deferStream: true })
  return (
    <>
      <h1>Everybody may see this</h1>
      <section>
        On the server: <code id="server">{session()?.user?.email ?? 'nobody'}</code>
      </section>
      <section>
        In the browser: <OnTheClient />
      </section>
    </>
  )
}
