import { createRootRoute, HeadContent, Link, Outlet, Scripts } from '@tanstack/react-router'
import { SessionProvider } from 'latchkey/react'
import style from 'latchkey-examples-shared/style.css?url'
import { whoIsHere } from '../session'

export const Route = createRootRoute({
  beforeLoad: async () => ({ session: await whoIsHere() }),
  head: () => ({
    meta: [
      { charSet: 'utf-8' },
      { name: 'viewport', content: 'width=device-width' },
      { title: 'Latchkey with TanStack Start' },
    ],
    links: [{ rel: 'stylesheet', href: style }],
  }),
  component: Root,
})

function Root() {
  const { session } = Route.useRouteContext()
  return (
    <html lang="en">
      <head>
        <HeadContent />
      </head>
      <body>
        <header>
          <strong>Latchkey with TanStack Start</strong>
          <Link to="/">Home</Link>
          <Link to="/private">Private</Link>
          <form method="post" action={session ? '/sign-out' : '/sign-in'}>
            <button>{session ? 'Sign out' : 'Sign in'}</button>
          </form>
        </header>
        <main>
          <SessionProvider session={session} basePath="/auth">
            <Outlet />
          </SessionProvider>
        </main>
        <Scripts />
      </body>
    </html>
  )
}
