import { describe, expect, test } from 'vitest'
import {
  GOOD,
  type PasswordsSite,
  passwordsSite,
} from '../../../../tests/support/passwords-site.ts'
import type { AuthConfig } from '../../../entries/index.ts'
import type { SendMailParams } from '../../../options/provider-options.ts'
import type { PasswordsOptions } from '../index.ts'

const EMAIL = 'ada@example.com'

/** A site whose mail service is held up until `send`, and breaks with `fail`. */
function slowSite(options: PasswordsOptions = {}, further: Partial<AuthConfig> = {}) {
  const handed: Promise<unknown>[] = []
  let open = (): void => {}
  let breaks = false
  const held = new Promise<void>((resolve) => {
    open = resolve
  })
  const mails: string[] = []
  const slow = {
    id: 'slow',
    name: 'Slow',
    type: 'email' as const,
    maxAge: 600,
    options: {},
    sendVerificationRequest() {},
    async sendMail({ mail }: SendMailParams) {
      await held
      if (breaks) throw new Error('the mail service is down')
      mails.push(`${mail.to}: ${mail.subject}`)
    },
  }
  const site = passwordsSite(options, {
    ...further,
    providers: [slow],
    waitUntil: (work) => void handed.push(work),
  })
  return {
    ...site,
    mails,
    handed,
    send: async () => {
      open()
      await Promise.all(handed)
    },
    fail: () => {
      breaks = true
    },
  }
}

const signUp = (site: Pick<PasswordsSite, 'json' | 'world'>, email = EMAIL): Promise<Response> =>
  site.json('password/sign-up', { email, password: GOOD }, site.world.otherBrowser())

describe('PW-19: mails of a sign-up in the background', () => {
  test('are handed to `waitUntil` of the platform, and the response does not wait', async () => {
    const site = slowSite()
    expect((await signUp(site)).status).toBe(202)
    expect(site.mails).toEqual([])
    expect(site.handed).toHaveLength(1)
    await site.send()
    expect(site.mails).toEqual([expect.stringContaining(EMAIL)])
  })

  test('are the same for an address with an account: response, mails and work', async () => {
    const site = slowSite()
    await site.world.config.adapter?.createUser?.({
      id: 'bob',
      email: 'bob@example.com',
      emailVerified: new Date(),
    })
    const answers = [await signUp(site), await signUp(site, 'bob@example.com')]
    const bodies = await Promise.all(answers.map(async (each) => each.json()))
    expect(answers.map(({ status }) => status)).toEqual([202, 202])
    expect(bodies.map((body) => Object.keys(body as object))).toEqual([
      ['status', 'flow'],
      ['status', 'flow'],
    ])
    expect(site.handed).toHaveLength(2)
    await site.send()
    expect(site.mails).toHaveLength(2)
  })

  test('are logged if they fail, and can be asked for again at once', async () => {
    const site = slowSite()
    site.fail()
    expect((await signUp(site)).status).toBe(202)
    await site.send()
    expect(site.world.log.map(({ level, message }) => `${level} ${message}`).join('\n')).toMatch(
      /error .*the mail service is down/s,
    )
    expect((await signUp(site)).status).toBe(202)
    expect(site.handed).toHaveLength(2)
  })

  test('are sent once for two sign-ups at once', async () => {
    const site = slowSite()
    await Promise.all([signUp(site), signUp(site)])
    await site.send()
    expect(site.mails).toHaveLength(1)
  })

  test('are awaited without `waitUntil` or with `mailInBackground: false`, and a failure is the response', async () => {
    const site = slowSite({ mailInBackground: false })
    site.fail()
    const answer = signUp(site)
    await site.send()
    expect((await answer).status).toBe(503)
    expect(site.handed).toEqual([])
    const plain = passwordsSite()
    await plain.json('password/sign-up', { email: EMAIL, password: GOOD })
    expect(plain.mails).toHaveLength(1)
  })

  test('are refused at start for another value than true and false', () => {
    expect(() => passwordsSite({ mailInBackground: 'yes' as never })).toThrow(
      'passwords(): `mailInBackground` must be true or false, got "yes"',
    )
  })
})
