import { sessions } from '../../src/plugins/sessions/index.ts'
import { type UsernamesOptions, usernames } from '../../src/plugins/usernames/index.ts'
import { type PageState, password, type Visitor, visit } from './visitor.ts'

const PAGE = '/auth/account/username'

function state(
  name: string,
  act: (visitor: Visitor) => Promise<Response>,
  options: UsernamesOptions = {},
): PageState {
  return {
    name: `usernames/${name}`,
    async open(look) {
      const visitor = await visit({
        look,
        config: { providers: [password], plugins: [sessions(), usernames(options)] },
      })
      await visitor.signIn()
      return act(visitor)
    },
  }
}

const send = (name: string) => (visitor: Visitor) => visitor.post(PAGE, { name })

/** Every page of the plugin `usernames` in every state. */
export const usernamesStates: readonly PageState[] = [
  state('none', (visitor) => visitor.get(PAGE)),
  state('short', send('ab')),
  state('not-allowed', send('ada lovelace')),
  state('reserved', send('admin')),
  state('done', send('Lovelace')),
  state(
    'change',
    async (visitor) => {
      await send('Lovelace')(visitor)
      visitor.world.advance(60)
      return visitor.get(PAGE)
    },
    { change: { every: 60 } },
  ),
  state('locked', async (visitor) => {
    await send('Lovelace')(visitor)
    return visitor.get(PAGE)
  }),
  state(
    'fixed',
    async (visitor) => {
      await send('Lovelace')(visitor)
      return send('countess')(visitor)
    },
    { change: 'never' },
  ),
]
