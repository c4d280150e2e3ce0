import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { escapeHtml, html, markup, rawHtml } from './html.ts'

/** What a browser makes of escaped text. */
function shown(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}

describe('markup', () => {
  test('T-WEB-4: shows inserted text as it is, which never ends its element or attribute', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const escaped = escapeHtml(text)
        expect(escaped).not.toMatch(/[<>"']/)
        expect(escaped.replace(/&(?:amp|lt|gt|quot|#39);/g, '')).not.toContain('&')
        expect(shown(escaped)).toBe(text)
      }),
    )
  })

  test('escapes all inserted values, also in lists', () => {
    expect(html`<p title="${'"'}">${'<b>'}${['&', "'"]}</p>`).toBe(
      '<p title="&quot;">&lt;b&gt;&amp;&#39;</p>',
    )
  })

  test('inserts only marked markup unescaped', () => {
    const inner = html`<b>${'<'}</b>`
    expect(html`<p>${markup(inner)}</p>`).toBe('<p><b>&lt;</b></p>')
    // @ts-expect-error: markup that is not marked is shown as text, and the compiler says so
    expect(html`<p>${inner}</p>`).toBe('<p>&lt;b&gt;&amp;lt;&lt;/b&gt;</p>')
    expect(html`${[markup(rawHtml('<i>')), 'x']}`).toBe('<i>x')
  })

  test('shows numbers, also zero, and nothing for missing values', () => {
    expect(html`${0}|${undefined}|${null}|${false}|${''}`).toBe('0||||')
  })
})
