import type { Session } from '@auth/qwik'
import { component$ } from '@builder.io/qwik'
import type { RequestHandler } from '@builder.io/qwik-city'
import { useSession } from '../plugin@auth'

export const onRequest: RequestHandler = (event) => {
  const session: Session | null = event.sharedMap.get('session')
  if (!session || new Date(session.expires) < new Date()) {
    throw event.redirect(302, `/auth/signin?callbackUrl=${event.url.pathname}`)
  }
}

export default component$(() => {
  const session = useSession()
  return <p id="user">{session.value?.user?.email}</p>
})
