import { createFileRoute, redirect } from '@tanstack/react-router'

export const Route = createFileRoute('/private')({
  beforeLoad: ({ context: { session }, location }) => {
    if (session) return
    const query = new URLSearchParams({ callbackUrl: location.href })
    throw redirect({ href: `/auth/signin?${query}`, reloadDocument: true })
  },
  component: Private,
})

function Private() {
  const { session } = Route.useRouteContext()
  return (
    <>
      <h1>Only you may see this</h1>
      <section>
        Signed in as <code id="server">{session?.user?.email ?? 'nobody'}</code>
      </section>
    </>
  )
}
