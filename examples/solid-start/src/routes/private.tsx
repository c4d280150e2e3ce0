import { createAsync } from '@solidjs/router'
import { whoMayBeHere } from '../session'

export default function Private() {
  const session = createAsync(() => whoMayBeHere('/private'), { deferStream: true })
  return (
    <>
      <h1>Only you may see this</h1>
      <section>
        Signed in as <code id="server">{session()?.user?.email ?? 'nobody'}</code>
      </section>
    </>
  )
}
