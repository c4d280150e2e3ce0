import { expect, test } from 'vitest'
import { GOOD, OTHER, passwordsSite } from '../../../../tests/support/passwords-site.ts'
import type { PasswordsApi } from '../index.ts'

const ADA = 'ada@example.com'
const AS_PAGE = { headers: { accept: 'text/html' } }

/** The text that a page shows. */
const textOf = (page: string): string =>
  page.replaceAll(/<(style|script)[\s\S]*?<\/\1>/g, '').replaceAll(/<[^>]*>/g, ' ')

test.each(['jwt', 'database'] as const)(
  'T-ACC-16: the page for a password that must be changed names the account of a planted sign-in, with the strategy %s',
  async (strategy) => {
    const site = passwordsSite({}, { session: { strategy } })
    const { world } = site
    await site.signUp()
    const api = world.core.plan(world.config).plugins?.api('passwords') as PasswordsApi
    const user = await world.config.adapter?.getUserByEmail?.(ADA)
    await api.set(String(user?.id), OTHER, { mustChange: true })
    const attacker = world.otherBrowser()
    await site.signIn(ADA, OTHER, attacker)
    const victim = world.otherBrowser()
    await site.signUp('victim@example.com', GOOD, victim)
    for (const [name, value] of attacker.jar)
      if (/pending|csrf/.test(name)) victim.jar.set(name, value)
    const page = await (await victim.get('/auth/password/renew', AS_PAGE)).text()
    // It ends in the account of the attacker, so it has to say so before.
    const password = 'a wholly new long password'
    expect((await site.json('password/renew', { password }, victim)).status).toBe(200)
    expect((await victim.session())?.user?.['email']).toBe(ADA)
    expect(textOf(page)).toContain(ADA)
  },
)
