import type { Texts } from '../base/texts/texts.ts'
import { html } from '../http/html.ts'
import type { PageOutcome } from '../http/outcome.ts'
import { identity, linkButton, type Person, textLink } from '../page-kit/components.ts'
import { layOut, page } from '../page-kit/layout.ts'
import type { PageSite } from '../page-kit/site.ts'

/** Returns the page for a visitor who opens the sign-in page and is signed in already. */
export async function signedInPage(
  site: PageSite,
  texts: Texts,
  { person, callbackUrl, otherUrl, signOutUrl }: SignedInValues,
): Promise<PageOutcome> {
  const { text } = texts
  const content = {
    site,
    texts,
    title: text('signed-in.title'),
    lead: text('signed-in.lead', { name: site.name }),
    body: html`<div class="stack">
${identity(person)}
${linkButton(text('signed-in.continue'), callbackUrl, { kind: 'main' })}
${linkButton(text('signed-in.other'), otherUrl)}
</div>`,
    footer: textLink(text('sign-out.submit'), signOutUrl),
  }
  return page(await layOut(content))
}

interface SignedInValues {
  readonly person: Person
  readonly callbackUrl: string
  /** The page with the ways to sign in. */
  readonly otherUrl: string
  readonly signOutUrl: string
}
