import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import type { Challenge } from 'altcha-lib/types'
import { describe, expect, test } from 'vitest'
import { emailCodeSite } from '../../../../tests/support/email-code-site.ts'
import { proofOfWork } from '../../limits/challenge/proof-of-work.ts'
import { limits } from '../../limits/index.ts'

const html = { headers: { accept: 'text/html' } }
const SEND = '/auth/email-code/send'
const email = 'ada@example.com'

/** A site on which each code needs the answer to a challenge. */
const challenged = () =>
  emailCodeSite(
    {},
    {
      plugins: [
        limits({
          challenge: proofOfWork({ cost: 1, range: [1, 5] }),
          challengeWhen: ({ action }) => action === 'email-code.send',
        }),
      ],
    },
  )

describe('LIM-9: a code by mail that needs the answer to a challenge', () => {
  test('is not sent without it, and the page that follows has it, with the address', async () => {
    const { world, mails } = challenged()
    const refused = await world.post(SEND, { email }, html)
    expect(refused.status).toBe(403)
    const page = await refused.text()
    expect(page).toContain('data-work="')
    expect(page).toContain(email)
    expect(refused.headers.get('content-security-policy')).toContain("connect-src 'self'")
    expect(await (await world.get(SEND, html)).text()).toContain('data-work="')
    expect(mails).toEqual([])
  })

  test('is sent with it, once for each answer', async () => {
    const { world, mails } = challenged()
    const path = '/auth/limits/challenge?action=email-code.send'
    const given = (await (await world.get(path)).json()) as Challenge
    const solution = await solveChallenge({ challenge: given, deriveKey })
    const challenge = btoa(JSON.stringify({ challenge: given, solution }))
    expect((await world.post(SEND, { email, challenge }, html)).status).toBe(303)
    expect(mails.map(({ to }) => to)).toEqual([email])
    world.advance(61)
    expect((await world.post(SEND, { email, challenge }, html)).status).toBe(403)
    expect(mails).toHaveLength(1)
  })
})
