import { escapeHtml, type Html, rawHtml } from '../http/html.ts'

/** A form that was sent. */
export interface SentForm {
  /** The path that it was sent to. */
  readonly action: string
  /** The path of the page that has the form. */
  readonly page: string
  readonly fields: Readonly<Record<string, unknown>>
  /** Names of the fields that were refused. */
  readonly faults: readonly string[]
}

/** A page with what was typed into one of its forms. */
export interface FilledForm {
  readonly body: Html
  /** The refused fields that the form has. */
  readonly faults: readonly NamedField[]
}

interface NamedField {
  readonly name: string
  readonly id: string
  readonly label: Html
}

/**
 * Returns the body of a page with what was typed into the form that was sent: the one with its path and its hidden
 * fields. Passwords and codes stay empty. A form without an address is sent to its page, wherever this page is shown.
 */
export function fillForm(body: Html, sent: SentForm): FilledForm {
  const faults: NamedField[] = []
  const filled = replaceParts(body, '<form', '</form>', (form) => {
    const [start, content] = [tagOf(form), form.slice(tagOf(form).length)]
    const action = valueOf(start, 'action')
    const opened = action === undefined ? withValue(start, 'action', sent.page) : start
    if (!isSent(action ?? sent.page, content, sent)) return opened + content
    const inputs = replaceParts(content, '<input', '>', (input) => {
      const name = valueOf(input, 'name') ?? ''
      const typed = typedInto(input, name, sent)
      const id = valueOf(input, 'id')
      if (id === undefined || !sent.faults.includes(name)) return typed
      faults.push({ name, id, label: labelOf(id, content) ?? escapeHtml(name) })
      const marked = withValue(typed, 'aria-invalid', 'true')
      return valueOf(marked, 'aria-describedby') === undefined
        ? withValue(marked, 'aria-describedby', 'problem')
        : marked
    })
    const selects = replaceParts(inputs, '<select', '</select>', (select) => {
      const chosen = sent.fields[valueOf(tagOf(select), 'name') ?? '']
      return typeof chosen === 'string' ? chosenIn(select, chosen) : select
    })
    return opened + selects
  })
  return { body: rawHtml(filled), faults }
}

// In markup of the page kit, attributes have double quotes, and all values are escaped.
/** Replaces each part of a text that begins and ends with these texts, in linear time. */
function replaceParts(
  text: string,
  start: string,
  end: string,
  change: (part: string) => string,
): string {
  let changed = ''
  let at = 0
  while (true) {
    const from = text.indexOf(start, at)
    const to = from < 0 ? -1 : text.indexOf(end, from)
    if (to < 0) return changed + text.slice(at)
    changed += text.slice(at, from) + change(text.slice(from, to + end.length))
    at = to + end.length
  }
}

/** Returns the tag with which an element begins. */
function tagOf(element: string): string {
  return element.slice(0, element.indexOf('>') + 1)
}

function valueOf(tag: string, name: string): string | undefined {
  return new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1]
}

function withValue(tag: string, name: string, value: string): string {
  const without = tag.replace(new RegExp(` ${name}="[^"]*"`), '')
  return `${without.slice(0, -1)} ${name}="${escapeHtml(value)}">`
}

/** Returns whether a form was sent, and no other one with the same address, for example of another row of a list. */
function isSent(action: string, content: string, { action: path, fields }: SentForm): boolean {
  const inputs = content.split('<input').slice(1).map(tagOf)
  const hidden = inputs.filter((input) => valueOf(input, 'type') === 'hidden')
  return (
    (pathOf(action) === path || content.includes(` formaction="${escapeHtml(path)}"`)) &&
    hidden.every((input) => {
      const name = valueOf(input, 'name') ?? ''
      return name === 'csrfToken' || escapeHtml(String(fields[name])) === valueOf(input, 'value')
    })
  )
}

function pathOf(action: string): string {
  return new URL(action.replaceAll('&amp;', '&'), 'http://localhost').pathname
}

function typedInto(input: string, name: string, { fields }: SentForm): string {
  const type = valueOf(input, 'type')
  if (type === 'checkbox' || type === 'radio') {
    const isChosen = escapeHtml(String(fields[name])) === valueOf(input, 'value')
    const without = input.replace(/ checked(?=[ >])/, '')
    return isChosen ? without.replace(/>$/, ' checked>') : without
  }
  const typed = fields[name]
  const isSecret =
    type === 'password' || type === 'hidden' || valueOf(input, 'autocomplete') === 'one-time-code'
  return typeof typed !== 'string' || isSecret ? input : withValue(input, 'value', typed)
}

function chosenIn(select: string, chosen: string): string {
  return select
    .replace(/ selected(?=[ >])/g, '')
    .replace(/<option\b[^>]*/g, (option) =>
      valueOf(option, 'value') === escapeHtml(chosen) ? `${option} selected` : option,
    )
}

function labelOf(id: string, content: string): Html | undefined {
  const [, label] = content.split(`<label for="${id}">`)
  return label === undefined ? undefined : rawHtml(label.slice(0, label.indexOf('<')))
}
