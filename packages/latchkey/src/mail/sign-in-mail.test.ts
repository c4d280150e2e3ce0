import { describe, expect, test } from 'vitest'
import { signInMail } from './sign-in-mail.ts'

const LINK = 'https://app.example/auth/callback/mail?callbackUrl=%2F&token=t&email=a%40x.example'

describe('a sign-in mail', () => {
  test('has the site, the link and its lifetime, as text and as HTML', () => {
    const { subject, text, html } = signInMail(LINK, 600, {})
    expect(subject).toBe('Sign in to app.example')
    expect(text).toContain(`\n${LINK}\n`)
    expect(text).toContain('10 minutes')
    expect(html).toContain(`<a href="${LINK.replaceAll('&', '&amp;')}"`)
    expect(html).toContain('10 minutes')
  })

  test('has the code in one piece, if there is one', () => {
    const { subject, text, html } = signInMail(LINK, 600, {}, '012345')
    expect(subject).not.toContain('012345')
    expect(text).toContain('\n012345\n')
    expect(html).toContain('>012345</p>')
    const without = signInMail(LINK, 600, {})
    expect(`${without.text}${without.html}`).not.toMatch(/\bcode\b/)
    expect(without.text).not.toContain('\n\n\n')
  })

  for (const [seconds, words] of [
    [30, '1 minute'],
    [60, '1 minute'],
    [3600, '60 minutes'],
    [7200, '2 hours'],
    [86400, '24 hours'],
  ] as const) {
    test(`has ${words} for ${seconds} seconds`, () => {
      expect(signInMail(LINK, seconds, {}).text).toContain(` for ${words}:`)
    })
  }

  test('T-WEB-4: shows the host so that mail programs do not turn it into a link', () => {
    const { html } = signInMail(LINK, 600, {})
    expect(html).toContain('Sign in to app&#8203;.example')
    expect(html.replaceAll(/href="[^"]*"/g, '')).not.toContain('app.example')
  })

  test('T-WEB-4: escapes the link', () => {
    const { html } = signInMail(`${LINK}&x="><script>alert(1)</script>`, 600, {})
    expect(html).not.toContain('<script')
    expect(html).not.toContain('x=">')
  })

  for (const brandColor of [
    'red;background:url(https://evil.example)',
    '"><script>alert(1)</script>',
    'red}body{display:none',
    'expression(alert(1))',
  ]) {
    test(`T-WEB-4: ignores the colour ${JSON.stringify(brandColor)}`, () => {
      const { html } = signInMail(LINK, 600, { brandColor, buttonText: brandColor })
      expect(html).not.toContain('evil.example')
      expect(html).not.toContain('<script')
      expect(html).not.toContain('display:none')
      expect(html).toContain('background:#4f46e5')
    })
  }

  test('has the colours of the theme, and readable text on them', () => {
    expect(signInMail(LINK, 600, { brandColor: '#ffcc00' }).html).toContain(
      'background:#ffcc00;color:#000',
    )
    expect(signInMail(LINK, 600, { brandColor: '#000', buttonText: '#eee' }).html).toContain(
      'background:#000;color:#eee',
    )
  })

  test('T-WEB-3: loads no external resource', () => {
    const { html } = signInMail(LINK, 600, { logo: 'https://cdn.example/logo.png' })
    expect(html).not.toMatch(/<(?:img|link|script|iframe|style)|url\(/)
  })
})
