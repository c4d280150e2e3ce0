import { component$ } from '@builder.io/qwik'
import { Form } from '@builder.io/qwik-city'
import { useSession, useSignIn, useSignOut } from './plugin@auth'

export default component$(() => {
  const session = useSession()
  const signIn = useSignIn()
  const signOut = useSignOut()
  return (
    <>
      <p id="user">{session.value?.user?.email ?? 'nobody'}</p>
      {session.value?.user?.role === 'admin' && <a href="/admin">Everybody</a>}
      <Form action={signIn} id="sign-in">
        <input type="hidden" name="providerId" value="github" />
        <input type="hidden" name="options.redirectTo" value="/private/" />
        <button>Sign in with GitHub</button>
      </Form>
      <button onClick$={() => signIn.submit({ redirectTo: '/private/' })}>Sign in</button>
      <Form action={signOut} id="sign-out">
        <input type="hidden" name="redirectTo" value="/" />
        <button>Sign out</button>
      </Form>
      <button onClick$={() => signOut.submit({ redirectTo: '/' })}>Leave</button>
    </>
  )
})
