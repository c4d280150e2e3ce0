import { component$, Slot } from '@builder.io/qwik'
import { Form, Link } from '@builder.io/qwik-city'
import { useSession, useSignIn, useSignOut } from './plugin@auth'

export default component$(() => {
  const session = useSession()
  const signIn = useSignIn()
  const signOut = useSignOut()
  return (
    <>
      <header>
        <strong>Latchkey with Qwik</strong>
        <Link href="/">Home</Link>
        <Link href="/private" prefetch={false}>
          Private
        </Link>
        {session.value ? (
          <Form action={signOut}>
            <input type="hidden" name="redirectTo" value="/" />
            <button>Sign out</button>
          </Form>
        ) : (
          <Form action={signIn}>
            <button>Sign in</button>
          </Form>
        )}
      </header>
      <main>
        <Slot />
      </main>
    </>
  )
})
