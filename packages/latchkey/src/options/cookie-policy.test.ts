import { describe, expect, test } from 'vitest'
import { cookieSpecs } from './cookie-policy.ts'

describe('the cookies of an application', () => {
  test('have a prefix that limits them to https, if the site uses it', () => {
    const names = Object.values(cookieSpecs(true)).map(({ name }) => name)
    expect(names.every((name) => /^__(?:Secure|Host)-/.test(name))).toBe(true)
    const plain = Object.values(cookieSpecs(false))
    expect(plain.some(({ name, options }) => name.startsWith('__') || options.secure)).toBe(false)
  })

  test('accept names and attributes, and leave the others', () => {
    const { sessionToken, csrfToken } = cookieSpecs(true, {
      sessionToken: { name: 'sid', options: { sameSite: 'strict', path: undefined } },
    })
    expect(sessionToken.name).toBe('sid')
    expect(sessionToken.options).toMatchObject({ sameSite: 'strict', path: '/', httpOnly: true })
    expect(csrfToken).toEqual(cookieSpecs(true).csrfToken)
  })

  test.for(['state', 'pkceCodeVerifier', 'nonce'] as const)(
    'of a sign-in use the attributes of `%s`',
    (name) => {
      const { signIn } = cookieSpecs(true, { [name]: { options: { domain: 'app.example' } } })
      expect(signIn.options.domain).toBe('app.example')
      expect(signIn.name).toBe('__Secure-latchkey.sign-in')
      expect(cookieSpecs(true, { [name]: { name: 'other' } }).signIn).toEqual(
        cookieSpecs(true).signIn,
      )
    },
  )

  test('T-WEB-1: of a sign-in are for this host only, as the others of the library', () => {
    const { signIn, emailRequest, webauthnChallenge } = cookieSpecs(true)
    for (const { name, options } of [signIn, emailRequest, webauthnChallenge]) {
      expect(name).toMatch(/^__Host-(?:latchkey|authjs)\./)
      expect(options).toMatchObject({ secure: true, path: '/' })
      expect(options).not.toHaveProperty('domain')
    }
    const shared = { webauthnChallenge: { options: { domain: 'app.example' } } }
    expect(cookieSpecs(true, shared).webauthnChallenge.name).toBe('__Secure-authjs.challenge')
    expect(cookieSpecs(false).signIn.name).toBe('latchkey.sign-in')
  })

  test('of a sign-in use the first configured attributes of the three, also with other names', () => {
    const options = { domain: 'app.example' }
    for (const overrides of [
      { state: { name: 'other' }, pkceCodeVerifier: { options } },
      { state: { name: 'other' }, pkceCodeVerifier: { name: 'another' }, nonce: { options } },
      { state: { options }, pkceCodeVerifier: { options: { domain: 'no.example' } } },
    ]) {
      expect(cookieSpecs(true, overrides).signIn.options.domain).toBe('app.example')
    }
  })
})
