import { type AnswerPage, html, htmlOf, markup, time } from '../../../entries/plugin.ts'
import {
  acts,
  field,
  foreign,
  leftToRight,
  linkButton,
  pane,
  postForm,
  row,
  section,
  submitButton,
} from '../../../entries/plugin-pages.ts'
import type { PlannedDeletion } from '../records/deletions.ts'
import type { PageParts } from '../routes/parts.ts'
import { errorOf, type Form, messageOf } from './parts.ts'

const DAY: number = 24 * 60 * 60_000

/** The download and the deletion. */
export function dataPage({ texts: { text }, settings, name, path }: PageParts): AnswerPage {
  const { deletion } = settings
  const rows = [
    settings.export !== false &&
      row({
        picture: 'download',
        title: text('account:export'),
        below: markup(html`<p>${text('account:export.about', { name })}</p>`),
        acts: [
          linkButton(text('account:export.submit'), path('account/export'), {
            isSmall: true,
            of: text('account:export'),
          }),
        ],
      }),
    deletion !== false &&
      row({
        picture: 'alert',
        title: text('account:delete'),
        below: markup(
          html`<p>${deletion.grace === 0 ? text('account:delete.at-once') : text('account:delete.about', { count: daysOf(deletion.grace) })}</p>`,
        ),
        acts: [
          linkButton(text('account:delete.open'), path('account/delete'), {
            kind: 'danger',
            isSmall: true,
            of: text('account:delete'),
          }),
        ],
      }),
  ]
  return {
    title: text('account:data'),
    lead: text('account:data.about'),
    body: html`${section({ title: text('account:data.title') }, rows.filter(Boolean))}`,
    layout: 'account',
    section: 'account/data',
  }
}

/** A part of a day counts as one. */
function daysOf(milliseconds: number): number {
  return Math.ceil(milliseconds / DAY)
}

/** Asks before an account is deleted. @param word what has to be typed */
export function deletePage(word: string, form: Form, parts: PageParts): AnswerPage {
  const { texts, csrfField, path } = parts
  const { text } = texts
  const label = text('account:delete.confirm', { word })
  const fields = [
    field({
      label,
      name: 'confirm',
      error: errorOf('confirm', form, parts),
      attributes: {
        autocomplete: 'off',
        autocapitalize: 'none',
        spellcheck: 'false',
        required: true,
        dir: word.includes('@') ? 'ltr' : 'auto',
      },
    }),
    acts(
      submitButton(text('account:delete.submit'), { kind: 'danger main' }),
      linkButton(text('account:delete.cancel'), path('account/data')),
    ),
  ]
  return {
    title: text('account:delete.title'),
    lead: deletionLead(parts),
    notice: messageOf(form, { confirm: label }, parts),
    body: html`${pane(postForm(fields, { action: path('account/delete'), csrfField }))}`,
    layout: 'account',
    section: 'account/data',
  }
}

/** Says that a link was mailed which confirms the deletion. */
export function deletionMailedPage(email: string, { texts: { text } }: PageParts): AnswerPage {
  return {
    title: text('account:delete.mailed'),
    lead: htmlOf(text('account:delete.mailed.lead'), { address: leftToRight(email) }),
    body: html``,
    seal: { icon: 'mail' },
  }
}

/** Asks in the browser that opened the link of the mail. */
export function confirmDeletionPage(email: string, parts: PageParts): AnswerPage {
  const { texts, csrfField, path } = parts
  const { text } = texts
  const submit = submitButton(text('account:delete.submit'), { kind: 'danger main' })
  return {
    title: text('account:delete.title'),
    lead: deletionLead(parts),
    body: html`<div class="stack"><p class="labels">${leftToRight(email)}</p>${postForm(submit, { action: path('account/confirm-delete'), csrfField })}</div>`,
  }
}

function deletionLead({ texts: { text }, settings }: PageParts): string {
  const { grace } = settings.deletion || { grace: 0 }
  return grace === 0
    ? text('account:delete.lead.at-once')
    : text('account:delete.lead', { count: daysOf(grace) })
}

/** Says that the account is, or will be deleted. @param at when, in milliseconds since the epoch */
export function deletedPage(at: number | undefined, { texts }: PageParts): AnswerPage {
  const { text, lang } = texts
  return at === undefined
    ? {
        title: text('account:delete.done'),
        lead: text('account:delete.done.lead'),
        body: html``,
        seal: { icon: 'check', tone: 'good' },
      }
    : {
        title: text('account:delete.planned'),
        lead: htmlOf(text('account:delete.planned.lead'), { date: dateOf(at, lang) }),
        body: html``,
        seal: { icon: 'clock' },
      }
}

/** Asks somebody who signs in whether the account is kept. */
export function keepPage(
  { who, deletion }: { readonly who: string; readonly deletion: PlannedDeletion | undefined },
  { texts, csrfField, path }: PageParts,
): AnswerPage {
  const { text, lang } = texts
  if (deletion?.state === 'begun')
    return {
      title: text('account:keep.late'),
      lead: text('account:keep.late.lead'),
      body: html``,
      seal: { icon: 'clock' },
    }
  const keep = submitButton(text('account:keep.submit'), { kind: 'main' })
  const shown = who.includes('@') ? leftToRight(who) : foreign(who)
  return {
    title: text('account:keep'),
    lead: htmlOf(text('account:keep.lead'), {
      who: markup(html`<strong>${shown}</strong>`),
      date: dateOf(deletion?.at ?? 0, lang),
    }),
    body: html`<div class="stack">${postForm(keep, { action: path('account/keep'), csrfField })}${linkButton(text('account:keep.leave'), path('signin'))}</div>`,
  }
}

function dateOf(at: number, lang: string): ReturnType<typeof time> {
  return time(new Date(at).toISOString(), lang)
}
