import { component$ } from '@builder.io/qwik'
import { useSession } from './plugin@auth'

export default component$(() => {
  const session = useSession()
  return (
    <>
      <h1>Everybody may see this</h1>
      <section>
        On the server: <code id="server">{session.value?.user?.email ?? 'nobody'}</code>
      </section>
    </>
  )
})
