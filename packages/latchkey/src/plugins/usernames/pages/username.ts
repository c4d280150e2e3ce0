import {
  type AnswerPage,
  dateText,
  type Html,
  html,
  type Problem,
  type SafeUrl,
  type TextKey,
  type Texts,
} from '../../../entries/plugin.ts'
import {
  acts,
  type Content,
  facts,
  field,
  foreign,
  linkButton,
  notice,
  pane,
  postForm,
  submitButton,
} from '../../../entries/plugin-pages.ts'
import type { NameFault } from '../rules.ts'
import type { Settings } from '../settings.ts'
import type { UsernamesKey } from '../texts.ts'

/** What was typed, and what came of it. */
export interface Form {
  readonly typed?: string | undefined
  readonly isDone?: boolean | undefined
  readonly refusal?: Pick<Problem, 'errors'> | undefined
}

/** What the page is made with. */
export interface PageParts {
  /** The name that the user has. */
  readonly name: string | undefined
  /** The user cannot change the name until then, in milliseconds. */
  readonly lockedUntil: number | 'never' | undefined
  readonly settings: Settings
  readonly texts: Texts<UsernamesKey | TextKey>
  readonly csrfField: Html
  path(route: string): SafeUrl
}

/** The form with the user name, or the name alone while it cannot be changed. */
export function usernamePage(form: Form, parts: PageParts): AnswerPage {
  const { name, lockedUntil, texts, csrfField, path } = parts
  const { text } = texts
  const title = text('usernames:title')
  const body =
    lockedUntil !== undefined
      ? facts([[title, foreign(name ?? '')]])
      : pane(
          postForm(
            [
              nameField(form, parts),
              acts(
                submitButton(text('usernames:save'), { kind: 'main' }),
                linkButton(text('page.cancel'), path('account')),
              ),
            ],
            { action: path('account/username'), csrfField },
          ),
        )
  return {
    title,
    lead: text('usernames:about'),
    notice: noticeOf(form, parts),
    body: html`${body}`,
    layout: 'account',
  }
}

function nameField({ typed, refusal }: Form, { name, settings, texts }: PageParts): Content {
  const { text } = texts
  const { least, most, pattern } = settings
  const code = refusal?.errors?.[0]?.code as NameFault | 'taken' | undefined
  return field({
    label: text('usernames:title'),
    name: 'name',
    value: typed ?? name ?? '',
    error: code && text(`usernames:${code}`, { count: code === 'too_short' ? least : most }),
    // Only the application knows what its pattern allows.
    hint: text(pattern ? 'usernames:hint.length' : 'usernames:hint', { least, most }),
    attributes: {
      // Password managers keep the address, with which people sign in, too.
      autocomplete: 'nickname',
      autocapitalize: 'none',
      spellcheck: 'false',
      required: true,
      dir: pattern ? 'auto' : 'ltr',
    },
  })
}

function noticeOf({ isDone, refusal }: Form, { name, lockedUntil, texts }: PageParts): Content {
  const { text, lang } = texts
  const locked =
    lockedUntil === 'never'
      ? text('usernames:fixed')
      : lockedUntil !== undefined &&
        text('usernames:until', { date: dateText(new Date(lockedUntil).toISOString(), lang) })
  if (isDone && name !== undefined) return notice(text('usernames:done'), 'good', locked)
  return locked && notice(locked, refusal && 'bad')
}
