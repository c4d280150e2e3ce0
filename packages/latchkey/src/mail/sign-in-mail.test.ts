import { describe, expect, test } from 'vitest'
import { createTexts } from '../base/texts/texts.ts'
import type { WrittenMail } from './mail-frame.ts'
import { type SignInMailParams, signInMail } from './sign-in-mail.ts'

const LINK = 'https://app.example/auth/callback/mail?callbackUrl=%2F&token=t&email=a%40x.example'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'

function mailOf(params: Partial<SignInMailParams> = {}): WrittenMail {
  return signInMail({ url: LINK, theme: {}, provider: {}, ...params })
}

const whole: Partial<SignInMailParams> = {
  theme: { name: 'Acme' },
  code: '012345',
  expires: new Date('2026-11-27T16:50:00Z'),
  request: new Request('https://app.example', { headers: { 'user-agent': FIREFOX } }),
}

describe('a sign-in mail', () => {
  test('names the site, the link and the code, how long they work, and when and where it was requested', () => {
    expect(mailOf(whole).subject).toBe('012345 is your Acme sign-in code')
    expect(mailOf(whole).text).toBe(`Sign in to Acme

Open this link on the device where you asked for it:
${LINK}

Or enter this code there:
012345

Link and code work once, for 10 minutes. Do not give the code to anyone; Acme never asks for it.

Asked for on 27 November 2026 at 16:40 UTC in Firefox on Linux. If that was not you, ignore this mail: nobody can sign in without it.
Acme, https://app.example

@app.example #012345
`)
  })

  test('says no more than is known', () => {
    const { subject, text } = mailOf()
    expect(subject).toBe('Sign in to app.example')
    expect(text).toBe(`Sign in to app.example

Open this link on the device where you asked for it:
${LINK}

The link works once, for 10 minutes.

If that was not you, ignore this mail: nobody can sign in without it.
https://app.example
`)
    const { expires } = whole
    expect(mailOf({ expires }).text).toContain('Asked for on 27 November 2026 at 16:40 UTC. If')
    const request = new Request('https://app.example', {
      headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Strange/1' },
    })
    expect(mailOf({ expires, request }).text).toContain('at 16:40 UTC in Linux. If')
  })

  for (const [seconds, words] of [
    [30, '1 minute'],
    [60, '1 minute'],
    [3600, '60 minutes'],
    [7200, '2 hours'],
    [86400, '24 hours'],
  ] as const) {
    test(`says ${words} for ${seconds} seconds`, () => {
      expect(mailOf({ provider: { maxAge: seconds } }).text).toContain(` for ${words}.`)
    })
  }

  test('is in the language of the request', () => {
    const texts = createTexts('ar', { ar: { 'mail.title': 'تسجيل الدخول إلى {name}' } })
    const { html } = mailOf({ ...whole, texts })
    expect(html).toContain('<html lang="ar" dir="rtl"')
    expect(html).toContain('>تسجيل الدخول إلى Acme</h1>')
  })

  test('takes texts that still have the place {host}', () => {
    const texts = createTexts('en', { en: { 'mail.subject': 'Enter {host}' } })
    expect(mailOf({ texts }).subject).toBe('Enter app.example')
  })

  test('T-WEB-4: escapes the link', () => {
    const { html } = mailOf({ url: `${LINK}&x="><script>alert(1)</script>` })
    expect(html).not.toContain('<script')
    expect(html).not.toContain('x=">')
  })
})
