// Compiled with the whole repository and never run: each `@ts-expect-error` must be one.
import { html, markup, type RunRoute } from '../../src/entries/plugin.ts'

/** A route has the fields that it names, and one that names none has none. */
export const named: RunRoute<undefined, { code: string }> = ({ input }) => ({
  json: {
    code: input.code,
    // @ts-expect-error: the route takes no such field
    name: input.name,
  },
})
export const bare: RunRoute = ({ input }) => ({
  json: {
    // @ts-expect-error: a route that names no fields is given none
    code: input.code.length,
  },
})

/** What is markup already would be escaped once more: it has to be marked. */
export const inner = html`<b>one</b>`
export const marked = html`<p>${markup(inner)}</p>`
// @ts-expect-error: it would be shown as text
export const shown = html`<p>${inner}</p>`
