interface Visitor {
  user?: { email?: string | null } | undefined
}

const HTML: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => HTML[character] ?? '')

const page = (session: Visitor | null, main: string) => `<!doctype html>
<html lang="en">
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width">
  <title>Latchkey with Hono</title>
  <link rel="stylesheet" href="/style.css">
  <header>
    <strong>Latchkey with Hono</strong>
    <a href="/">Home</a>
    <a href="/private">Private</a>
    ${
      session
        ? '<form method="post" action="/sign-out"><button>Sign out</button></form>'
        : '<form action="/auth/signin"><button>Sign in</button></form>'
    }
  </header>
  <main>${main}</main>
</html>
`

const email = (session: Visitor | null) =>
  `<code id="server">${escaped(session?.user?.email ?? 'nobody')}</code>`

export const home = (session: Visitor | null) =>
  page(
    session,
    `<h1>Everybody may see this</h1><section>On the server: ${email(session)}</section>`,
  )

export const privatePage = (session: Visitor | null) =>
  page(session, `<h1>Only you may see this</h1><section>Signed in as ${email(session)}</section>`)
