import { type AnswerPage, html, htmlOf, timeAgo } from '../../../entries/plugin.ts'
import {
  acts,
  empty,
  linkButton,
  type Markup,
  notice,
  pane,
  postForm,
  row,
  section,
  submitButton,
} from '../../../entries/plugin-pages.ts'
import type { ShownLink, ShownProvider } from '../flows/shown-links.ts'
import type { PageParts } from '../routes/parts.ts'

interface Listed {
  readonly links: readonly ShownLink[]
  readonly available: readonly ShownProvider[]
  /** The marks of providers, by id. */
  readonly marks: ReadonlyMap<string, Markup>
  /** The name of the provider that was linked or unlinked before the page was shown. */
  readonly added: string | undefined
  readonly removed: string | undefined
}

/** The accounts of providers with which a user signs in. */
export function linksPage(
  { links, available, marks, added, removed }: Listed,
  parts: PageParts,
): AnswerPage {
  const { text } = parts.texts
  const list =
    links.length === 0
      ? empty('link', text('account:links.none'), text('account:links.none.about'))
      : section(
          { title: text('account:links.count', { count: links.length }) },
          links.map((link) => item(link, marks.get(link.provider), parts)),
        )
  const more =
    available.length > 0 &&
    section(
      { title: text('account:links.more') },
      available.map((provider) => choice(provider, marks.get(provider.id), parts)),
    )
  const done =
    added !== undefined
      ? text('account:links.added', { provider: added })
      : removed !== undefined && text('account:links.removed', { provider: removed })
  return {
    title: text('account:links'),
    lead: text('account:links.about'),
    notice: done !== false && notice(done, 'good'),
    body: html`${list}${more}`,
    layout: 'account',
    section: 'account/links',
  }
}

function item(
  { id, name, linkedAt }: ShownLink,
  mark: Markup | undefined,
  { texts: { text, lang }, path }: PageParts,
): Markup {
  return row({
    picture: mark ?? 'link',
    title: name,
    facts: [
      linkedAt !== undefined &&
        htmlOf(text('account:links.since'), { time: timeAgo(linkedAt, lang) }),
    ],
    acts: [
      linkButton(text('account:links.remove'), path('account/links', { confirm: id }), {
        kind: 'danger',
        isSmall: true,
        of: name,
      }),
    ],
  })
}

function choice(
  { id, name }: ShownProvider,
  mark: Markup | undefined,
  { texts: { text }, csrfField, path }: PageParts,
): Markup {
  const submit = submitButton(text('account:links.add'), { isSmall: true, of: name })
  const form = postForm(submit, {
    action: path('account/link'),
    csrfField,
    hidden: { provider: id },
  })
  return row({ picture: mark ?? 'link', title: name, acts: [form] })
}

/** Asks before an account is unlinked. */
export function unlinkPage(
  { id, name }: Pick<ShownLink, 'id' | 'name'>,
  { texts: { text }, csrfField, path }: PageParts,
): AnswerPage {
  const buttons = acts(
    submitButton(text('account:links.remove'), { kind: 'danger main', of: name }),
    linkButton(text('page.cancel'), path('account/links')),
  )
  const form = postForm(buttons, { action: path('account/unlink'), csrfField, hidden: { id } })
  return {
    title: text('account:links.question', { provider: name }),
    lead: text('account:links.question.lead'),
    body: html`${pane(form)}`,
    layout: 'account',
    section: 'account/links',
  }
}
