import 'latchkey-examples-shared/style.css'
import { createAsync, Router } from '@solidjs/router'
import { FileRoutes } from '@solidjs/start/router'
import { type ParentProps, Show, Suspense } from 'solid-js'
import { enter, leave, whoIsHere } from './session'

export default function App() {
  return (
    <Router root={Layout}>
      <FileRoutes />
    </Router>
  )
}

function Layout(props: ParentProps) {
  const session = createAsync(() => whoIsHere(), { deferStream: true })
  return (
    <Suspense>
      <header>
        <strong>Latchkey with SolidStart</strong>
        <a href="/">Home</a>
        <a href="/private">Private</a>
        <Show
          when={session()}
          fallback={
            <form action={enter} method="post">
              <button>Sign in</button>
            </form>
          }
        >
          <form action={leave} method="post">
            <button>Sign out</button>
          </form>
        </Show>
      </header>
      <main>{props.children}</main>
    </Suspense>
  )
}
