import {
  type AnswerPage,
  type Html,
  html,
  type SafeUrl,
  type TextKey,
  type Texts,
  visibleText,
} from '../../../entries/plugin.ts'
import {
  type Content,
  facts,
  field,
  foreign,
  leftToRight,
  linkButton,
  postForm,
  submitButton,
} from '../../../entries/plugin-pages.ts'
import type { TokensKey } from '../texts.ts'

interface FormParts {
  readonly texts: Texts<TokensKey | TextKey>
  readonly action: SafeUrl
  readonly csrfField: Html
}

/** The field for the code that a device shows. */
export function enterPage({
  texts: { text },
  action,
  csrfField,
  code,
  isWrong,
}: FormParts & { readonly code: string; readonly isWrong: boolean }): AnswerPage {
  const input = field({
    label: text('tokens:device.code'),
    name: 'user_code',
    id: 'code',
    value: code,
    hint: text('tokens:device.hint'),
    error: isWrong ? text('tokens:device.wrong') : undefined,
    attributes: {
      class: 'wordy',
      dir: 'ltr',
      maxlength: '20',
      autocomplete: 'off',
      autocapitalize: 'characters',
      spellcheck: 'false',
      placeholder: 'XXXX-XXXX',
      required: true,
      autofocus: isWrong || code === '',
    },
  })
  const submit = submitButton(text('tokens:device.next'), { kind: 'main' })
  return {
    title: text('tokens:device'),
    lead: text('tokens:device.lead'),
    body: html`${postForm([input, '\n', submit], { action, csrfField })}`,
  }
}

/** Who wants to be let in, in its own words where they are that. No button is focused. */
export function decidePage({
  texts: { text },
  action,
  csrfField,
  device,
  client,
  name,
  address,
  minutes,
  user,
}: FormParts & {
  /** Which one it is, for the decision. */
  readonly device: string
  readonly client: string
  readonly name: string | undefined
  readonly address: string | undefined
  /** Since it asked. */
  readonly minutes: number
  readonly user: string
}): AnswerPage {
  const asked =
    minutes > 0 ? text('tokens:device.age', { count: minutes }) : text('tokens:device.now')
  const known: (readonly [string, Content] | false)[] = [
    name !== undefined && [
      text('tokens:device.device'),
      text('tokens:device.name', { name: visibleText(name) }),
    ],
    address !== undefined && [text('tokens:device.network'), leftToRight(address)],
    [text('tokens:device.asked'), asked],
    [text('tokens:device.account'), foreign(visibleText(user))],
  ]
  const buttons = [
    submitButton(text('tokens:device.deny'), { name: 'decision', value: 'deny' }),
    '\n',
    submitButton(text('tokens:device.allow'), { kind: 'main', name: 'decision', value: 'allow' }),
  ]
  const form = postForm(buttons, { action, csrfField, hidden: { device }, className: 'pair' })
  return {
    title: text('tokens:device.title', { client: visibleText(client) }),
    lead: text('tokens:device.warning'),
    body: html`<div class="stack">
${facts(known.filter((fact) => fact !== false))}
${form}
</div>
<p class="note">${text('tokens:device.note')}</p>`,
  }
}

/** What becomes of it. */
export function donePage(
  isAllowed: boolean,
  { text }: Texts<TokensKey | TextKey>,
  { name, home }: { readonly name: string; readonly home: string },
): AnswerPage {
  return {
    title: text(isAllowed ? 'tokens:device.allowed' : 'tokens:device.denied'),
    lead: text('tokens:device.back'),
    seal: isAllowed ? { icon: 'check', tone: 'good' } : { icon: 'pause' },
    body: html`<div class="stack">
${linkButton(text('page.back', { name }), home)}
</div>`,
  }
}
