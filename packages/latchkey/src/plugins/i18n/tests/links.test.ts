import { describe, expect, test } from 'vitest'
import { passwordsSite } from '../../../../tests/support/passwords-site.ts'
import { memoryAdapter } from '../../../adapters/memory/index.ts'
import { createWorld } from '../../../entries/testing.ts'
import { account } from '../../account/index.ts'
import { i18n } from '../index.ts'

async function signedInSite() {
  const site = passwordsSite({ limits: false }, { plugins: [account({ limits: false }), i18n()] })
  await site.signUp()
  return site
}

/** Returns where the link to the page in German leads, unescaped. */
function linkIn(text: string): string | undefined {
  return /<a href="([^"]+)" lang="de"/.exec(text)?.[1]?.replaceAll('&amp;', '&')
}

describe('I18N-2: the links to a page in another language', () => {
  test.each([
    ['signin?callbackUrl=%2Finside%3Fa%3D1', '?callbackUrl=%2Finside%3Fa%3D1&lang=de'],
    ['signin?lang=xx', '?lang=de'],
    ['password/forgot', '?lang=de'],
    ['signin?callbackUrl=%22%3E%3Cscript%3E', '?callbackUrl=%22%3E%3Cscript%3E&lang=de'],
  ])('keep the query of %s', async (path, link) => {
    const { world } = passwordsSite({}, { plugins: [i18n()] })
    const page = await (
      await world.get(`/auth/${path}`, { headers: { accept: 'text/html' } })
    ).text()
    expect(linkIn(page)).toBe(link)
  })

  test('show the page of a link in a mail again, with its token', async () => {
    const sent: string[] = []
    const post = {
      id: 'post',
      name: 'Post',
      type: 'email' as const,
      maxAge: 600,
      options: {},
      sendVerificationRequest: ({ url }: { url: string }) => void sent.push(url),
    }
    const world = createWorld({ adapter: memoryAdapter(), providers: [post], plugins: [i18n()] })
    await world.post('/auth/signin/post', { email: 'ada@example.com' })
    const { pathname, search } = new URL(sent[0] ?? '')
    const stranger = world.otherBrowser()
    const page = await (await stranger.get(pathname + search)).text()
    const moved = await stranger.get(pathname + linkIn(page))
    const again = await (await stranger.get(moved.headers.get('location') ?? '')).text()
    expect(again).toContain('<html lang="de">')
    expect(again).toContain('ada@example.com')
  })

  test('on the answer to a form lead to the page at its address', async () => {
    const site = await signedInSite()
    const answer = await site.world.post('/auth/password/change', { current: 'x', password: 'y' })
    const link = linkIn(await answer.text())
    expect(link).toBe('?lang=de')
    const moved = await site.world.get(`/auth/password/change${link}`, {
      headers: { accept: 'text/html' },
    })
    const shown = await site.world.get(moved.headers.get('location') ?? '')
    expect(shown.status).toBe(200)
  })

  test('are missing on the answer to a form whose address shows no page', async () => {
    const site = await signedInSite()
    const answer = await site.world.post('/auth/account/update', { name: 'x'.repeat(201) })
    const text = await answer.text()
    expect(text).toContain('<form')
    expect(linkIn(text)).toBeUndefined()
    expect(text).not.toContain('class="languages"')
  })
})
