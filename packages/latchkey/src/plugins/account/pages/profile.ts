import { type AnswerPage, html } from '../../../entries/plugin.ts'
import {
  acts,
  field,
  linkButton,
  nameOfLanguage,
  pane,
  postForm,
  selectField,
  submitButton,
} from '../../../entries/plugin-pages.ts'
import type { PageParts } from '../routes/parts.ts'
import { errorOf, type Form, messageOf } from './parts.ts'

/**
 * The form with the name, the picture and the language of a user.
 *
 * @param locale the language that the user chose.
 */
export function profilePage(
  form: Form,
  { isDone, locale }: { readonly isDone: boolean; readonly locale: string | undefined },
  parts: PageParts,
): AnswerPage {
  const { texts, csrfField, settings, path } = parts
  const { text, lang, choices = [] } = texts
  const labels = {
    name: text('account:name'),
    image: text('account:image'),
    locale: text('account:language'),
  }
  const current = locale !== undefined && choices.includes(locale) ? locale : lang
  const fields = [
    settings.changeName &&
      field({
        label: labels.name,
        name: 'name',
        value: form.typed['name'] ?? '',
        error: errorOf('name', form, parts),
        attributes: { autocomplete: 'name', maxlength: '200' },
      }),
    settings.changeImage &&
      field({
        label: labels.image,
        name: 'image',
        type: 'url',
        value: form.typed['image'] ?? '',
        error: errorOf('image', form, parts),
        hint: text('account:image.hint'),
        attributes: { autocomplete: 'photo', maxlength: '2000', dir: 'ltr' },
      }),
    choices.length > 0 &&
      selectField({
        label: labels.locale,
        name: 'locale',
        // Whoever saves a name chooses no language.
        options: [
          { value: '', text: nameOfLanguage(current), lang: current },
          ...choices
            .filter((each) => each !== current)
            .map((each) => ({ value: each, text: nameOfLanguage(each), lang: each })),
        ],
      }),
    acts(
      submitButton(text('account:save'), { kind: 'main' }),
      linkButton(text('page.cancel'), path('account')),
    ),
  ]
  return {
    title: text('account:profile'),
    notice: messageOf(form, labels, parts, isDone ? text('account:profile.done') : undefined),
    body: html`${pane(postForm(fields, { action: path('account/update'), csrfField }))}`,
    layout: 'account',
    section: 'account/profile',
  }
}
