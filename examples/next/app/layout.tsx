import 'latchkey-examples-shared/style.css'
import { SessionProvider } from 'latchkey/react'
import Link from 'next/link'
import type { ReactNode } from 'react'
import { auth, signIn, signOut } from '../auth'

export const metadata = { title: 'Latchkey with Next.js' }

export default async function Layout({ children }: { children: ReactNode }) {
  const session = await auth()
  return (
    <html lang="en">
      <body>
        <header>
          <strong>Latchkey with Next.js</strong>
          <Link href="/">Home</Link>
          <Link href="/private">Private</Link>
          {session ? (
            <form
              action={async () => {
                'use server'
                await signOut({ redirectTo: '/' })
              }}
            >
              <button>Sign out</button>
            </form>
          ) : (
            <form
              action={async () => {
                'use server'
                await signIn()
              }}
            >
              <button>Sign in</button>
            </form>
          )}
        </header>
        <main>
          <SessionProvider session={session}>{children}</SessionProvider>
        </main>
      </body>
    </html>
  )
}
