import { revalidate } from '@solidjs/router'
import { createAuthClient, createSession } from 'latchkey/solid'
import { Show } from 'solid-js'

export function OnTheClient() {
  const client = createAuthClient({ basePath: '/api/auth' })
  const session = createSession(client)
  const leave = async () => {
    await client.signOut({ redirect: false })
    await revalidate()
  }
  const name = () => session().data?.user?.email ?? 'nobody'
  return (
    <>
      <code id="client">{session().status === 'loading' ? '…' : name()}</code>{' '}
      <Show
        when={session().data}
        fallback={
          <button type="button" onClick={() => void client.signIn('development')}>
            Sign in with the development account
          </button>
        }
      >
        <code id="name">{session().data?.user?.name}</code>{' '}
        <button type="button" onClick={() => void client.store.update({ name: 'Max' })}>
          Call me Max
        </button>{' '}
        <button type="button" onClick={() => void leave()}>
          Sign out here
        </button>
      </Show>
    </>
  )
}
