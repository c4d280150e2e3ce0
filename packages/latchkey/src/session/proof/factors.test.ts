import { expect, test } from 'vitest'
import { acrOf } from './factors.ts'

test.each([
  [['guest'], '0'],
  [[], '1'],
  [['pwd'], '1'],
  [['email'], '1'],
  [['fed'], '1'],
  // A person who reads the mails can set a new password, and has the telephone that shows the mails.
  [['pwd', 'email'], '1'],
  [['email', 'sms'], '1'],
  [['pwd', 'fed'], '1'],
  [['otp'], '1'],
  [['pop'], '1'],
  [['pop', 'hwk'], '1'],
  [['pwd', 'otp'], '2'],
  [['fed', 'otp', 'mfa'], '2'],
  [['email', 'recovery'], '2'],
  [['fed', 'mfa'], '2'],
  // A code by mail is a second factor, and the mailbox is then no first one.
  [['pwd', 'email', 'mca'], '2'],
  [['fed', 'mca'], '2'],
  [['email', 'mca'], '1'],
  [['pwd', 'pop'], '2pr'],
  [['otp', 'pop'], '2pr'],
  [['pop', 'user', 'swk'], '2pr'],
])('ACC-13, MF-17: a session with the methods %j has acr %s', (amr, level) => {
  expect(acrOf(amr)).toBe(`urn:latchkey:acr:${level}`)
})
