import 'latchkey-examples-shared/style.css'
import { SessionProvider } from 'latchkey/react'
import { authSession, sessionContext } from 'latchkey/react-router'
import { Link, Links, Meta, Outlet, Scripts } from 'react-router'
import type { Route } from './+types/root'
import { latchkey } from './auth.server'

export const middleware: Route.MiddlewareFunction[] = [authSession(latchkey)]

export const loader = ({ context }: Route.LoaderArgs) => ({ session: context.get(sessionContext) })

export default function Root({ loaderData: { session } }: Route.ComponentProps) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>Latchkey with React Router</title>
        <Meta />
        <Links />
      </head>
      <body>
        <header>
          <strong>Latchkey with React Router</strong>
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
