import { describe, expect, test } from 'vitest'
import { type MailContent, type MailSite, requestedText, writeMail } from './mail-frame.ts'

const site: MailSite = { theme: { name: 'Acme' }, origin: 'https://app.example:8443' }

const content: MailContent = {
  subject: '493817 is your code for Acme',
  title: 'A passkey was added',
  body: [
    '"iCloud" can now sign in to your account & more.',
    { facts: ['27 November 2026, 16:40 UTC', 'Firefox on Linux'] },
    'Open this link:',
    { button: 'A passkey was added', url: 'https://app.example:8443/auth/a?b=1&c=2' },
    'Or enter this code:',
    { code: '493817' },
  ],
  notes: ['If that was not you, do nothing.', 'Notices are always sent.'],
}

/** The words of a part, without addresses of links. */
function wordsOf(text: string): string[] {
  return text
    .replace(/https:\S+/g, '')
    .split(/[\s\u200b]+/)
    .filter((word) => word !== '')
}

/** The text of markup, as it looks without styles. */
function readable(html: string): string {
  const [, body = ''] = html.split('<body')
  return body
    .replace(/^[^>]*>/, '')
    .replace(/<a href="[^"]*" style="display:inline-block[^>]*>[^<]*<\/a>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&#8203;', '')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
}

describe('a mail', () => {
  test('has the same words in both parts', () => {
    const { text, html } = writeMail(content, site)
    // HTML also begins with the name of the site, and its link says the host.
    expect(wordsOf(readable(html))).toEqual(
      ['Acme', ...wordsOf(text)].flatMap((word) =>
        word === 'Acme,' ? [word, 'app.example:8443'] : [word],
      ),
    )
  })

  test('has the parts in order, as text', () => {
    expect(writeMail(content, site).text).toBe(`A passkey was added

"iCloud" can now sign in to your account & more.
  27 November 2026, 16:40 UTC
  Firefox on Linux

Open this link:
https://app.example:8443/auth/a?b=1&c=2

Or enter this code:
493817

If that was not you, do nothing.
Notices are always sent.
Acme, https://app.example:8443

@app.example #493817
`)
  })

  test('has one heading, one button and the code in one piece, as HTML', () => {
    const { html } = writeMail(content, site)
    expect(html.match(/<h1[^>]*>([^<]*)<\/h1>/)?.[1]).toBe('A passkey was added')
    expect(html).toContain('<title>493817 is your code for Acme</title>')
    expect(html).toContain('<a href="https://app.example:8443/auth/a?b=1&amp;c=2"')
    expect(html).toContain('>493817</p>')
    expect(html).toContain('<html lang="en" dir="ltr"')
  })

  test('has no line for a code without one', () => {
    const { text, html } = writeMail({ ...content, body: ['Hello.'], notes: [] }, site)
    expect(text).toBe('A passkey was added\n\nHello.\n\nAcme, https://app.example:8443\n')
    expect(html).not.toContain('#493817')
  })

  test('T-WEB-3: loads nothing, has no style sheet, and no colour of text but that of the button', () => {
    const { html } = writeMail(content, {
      ...site,
      theme: { logo: 'https://cdn.example/logo.png' },
    })
    expect(html).not.toMatch(/<(?:img|link|script|iframe|style)|url\(|class=/)
    // In dark mode, mail programs choose the colours of both the text and what is behind it.
    expect(html.match(/(?<!-)color:#?\w+/g)).toEqual(['color:#fff', 'color:inherit'])
    expect(html.match(/background[^:]*:/g)).toEqual(['background-color:'])
  })

  test('T-WEB-4: shows the host in a way that mail programs do not make a link of', () => {
    const { html } = writeMail(
      { ...content, title: 'Sign in to app.example:8443' },
      { ...site, theme: {} },
    )
    expect(html).toContain('>Sign in to app&#8203;.example:8443</h1>')
    expect(html).toContain('>app&#8203;.example:8443</p>')
  })

  test('T-WEB-4: escapes all values', () => {
    const evil = '"><script>alert(1)</script>'
    const { html } = writeMail(
      {
        subject: evil,
        title: evil,
        body: [evil, { button: evil, url: evil }, { code: evil }, { facts: [evil] }],
        notes: [evil],
      },
      { theme: { name: evil, brandColor: evil, buttonText: evil }, origin: 'https://app.example' },
    )
    expect(html).not.toContain('<script')
    expect(html).not.toContain('">"')
  })

  for (const [theme, style] of [
    [{}, 'background-color:#17171a;color:#fff;'],
    [{ brandColor: '#ffcc00' }, 'background-color:#ffcc00;color:#000;'],
    [{ accent: { light: '#0a6b4b', dark: '#6ddcb0' } }, 'background-color:#0a6b4b;color:#fff;'],
    [{ brandColor: '#000', buttonText: '#eee' }, 'background-color:#000;color:#eee;'],
    [{ accent: 'oklch(0.7 0.1 200)' }, 'background-color:#17171a;color:#fff;'],
    [
      { brandColor: 'red;background:url(https://evil.example)' },
      'background-color:#17171a;color:#fff;',
    ],
    [{ accent: 'expression(alert(1))' }, 'background-color:#17171a;color:#fff;'],
  ] as const) {
    test(`T-WEB-4: has a button in the colours of ${JSON.stringify(theme)}`, () => {
      const { html } = writeMail(content, { ...site, theme })
      expect(html).toContain(style)
      expect(html).not.toContain('evil.example')
    })
  }
})

test('the sentence about the request names no browser that is unknown', () => {
  const at = new Date('2026-11-27T16:40:00Z')
  const headers = new Headers({ 'user-agent': '<b>evil</b>' })
  expect(requestedText({ headers }, at)).toBe('Asked for on 27 November 2026 at 16:40 UTC.')
  expect(requestedText(undefined, at)).toBe('Asked for on 27 November 2026 at 16:40 UTC.')
})
