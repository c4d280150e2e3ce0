import { beforeAll, describe, expect, test } from 'vitest'
import { passwordSignIn } from '../../../../tests/attacks/support/site.ts'
import { giveNotice } from '../../../../tests/support/notice.ts'
import { hostOf } from '../../../../tests/support/user-names.ts'
import type { Message } from '../../../base/texts/catalogue.ts'
import type { TextsOfLanguage } from '../../../options/texts-option.ts'
import { sessions } from '../../sessions/index.ts'
import { type UsernamesOptions, usernames } from '../index.ts'
import { texts } from '../texts.ts'

/** Each text is its key between marks, and then its places. */
const marked: TextsOfLanguage = Object.fromEntries(
  Object.entries<Message>(texts.en).map(([key, message]) => {
    const text = typeof message === 'string' ? message : message.other
    const shown = `⟦${key}⟧${(text.match(/\{\w+\}/g) ?? []).join(' ')}`
    return [key, typeof message === 'string' ? shown : { other: shown }]
  }),
)

const headers = { accept: 'text/html', 'accept-language': 'eo' }

/** A visitor of a site in the marked language. */
async function visitor(options: UsernamesOptions, shown: string[]) {
  const { world, host } = await hostOf([sessions(), usernames(options)])
  Object.assign(world.config, { texts: { eo: marked } })
  await passwordSignIn(world)
  await host?.userNames()?.give('lovelace', 'bob')
  return {
    world,
    async get(path: string) {
      shown.push(await (await world.get(`/auth/account${path}`, { headers })).text())
    },
    async post(name: string, path = 'account/username') {
      shown.push(await (await world.post(`/auth/${path}`, { name }, { headers })).text())
    },
  }
}

describe('the texts of the plugin', () => {
  const shown: string[] = []

  beforeAll(async () => {
    const ada = await visitor({}, shown)
    await ada.get('')
    await ada.get('/username')
    for (const name of ['a', 'a'.repeat(40), 'a b', 'admin', 'lovelace', 'countess'])
      await ada.post(name)
    await giveNotice(ada.world, '/auth/account/username', 'saved')
    await ada.get('/username')
    // The form of an application.
    await ada.post('another', 'usernames/set')

    const wide = await visitor({ pattern: /^\p{L}+$/u, change: 'never' }, shown)
    await wide.post('adа')
    await wide.post('countess')
    await wide.get('/username')
  })

  test('are shown by pages, each at least once', () => {
    const keys = new Set([...shown.join('\n').matchAll(/⟦([^⟧]+)⟧/g)].map(([, key]) => key))
    expect(Object.keys(texts.en).filter((key) => !keys.has(key))).toEqual([])
  })

  test('have a value for each place', () => {
    for (const text of shown)
      expect(text.replace(/<(style|script)>[\s\S]*?<\/\1>/g, '')).not.toMatch(/\{\w+\}/)
  })
})
