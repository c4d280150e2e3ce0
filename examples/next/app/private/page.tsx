import { auth } from '../../auth'

export default async function Private() {
  const session = await auth()
  return (
    <>
      <h1>Only you may see this</h1>
      <section>
        Signed in as <code id="server">{session?.user?.email ?? 'nobody'}</code>
      </section>
    </>
  )
}
