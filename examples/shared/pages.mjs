// The pages of the examples whose framework leaves it to others to make HTML.

const HTML = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** @param {string} text */
const escaped = (text) => text.replace(/[&<>"]/g, (character) => HTML[character])

/** @param {import('./pages.d.mts').Visitor | null} session */
const email = (session) => `<code id="server">${escaped(session?.user?.email ?? 'nobody')}</code>`

/** @param {string} framework */
export function pages(framework) {
  const page = (session, main) => `<!doctype html>
<html lang="en">
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width">
  <title>Latchkey with ${framework}</title>
  <link rel="stylesheet" href="/style.css">
  <header>
    <strong>Latchkey with ${framework}</strong>
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
  return {
    home: (session) =>
      page(
        session,
        `<h1>Everybody may see this</h1><section>On the server: ${email(session)}</section>`,
      ),
    privatePage: (session) =>
      page(
        session,
        `<h1>Only you may see this</h1><section>Signed in as ${email(session)}</section>`,
      ),
  }
}
