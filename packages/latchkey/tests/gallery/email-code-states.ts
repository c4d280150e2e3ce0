import { emailCode } from '../../src/plugins/email-code/index.ts'
import { limits } from '../../src/plugins/limits/index.ts'
import { email } from '../../src/providers/define.ts'
import { type PageState, type Visitor, visit } from './visitor.ts'

const SEND = '/auth/email-code/send'
const VERIFY = '/auth/email-code/verify'

/** Sends nothing: the states need no right code. */
const silent = email({
  id: 'post',
  name: 'Post',
  sendVerificationRequest: () => {},
  sendMail: () => {},
})

function state(name: string, act: (visitor: Visitor) => Promise<Response>): PageState {
  return {
    name: `email-code/${name}`,
    async open(look) {
      const plugins = [emailCode({ tries: 1, limits: false })]
      return act(await visit({ look, config: { providers: [silent], plugins } }))
    },
  }
}

/** The pages of the plugin `emailCode`. */
export const emailCodeStates: readonly PageState[] = [
  state('ask', (visitor) => visitor.get(SEND)),
  state('no-address', (visitor) => visitor.post(SEND, { email: 'ada' })),
  {
    name: 'email-code/not-accepted',
    async open(look) {
      const plugins = [emailCode(), limits({ hooks: { isDisposable: () => true } })]
      const visitor = await visit({ look, config: { providers: [silent], plugins } })
      return visitor.post(SEND, { email: 'ada@mailinator.example' })
    },
  },
  state('code', (visitor) => visitor.post(SEND, { email: 'ada@example.com' })),
  state('wrong', async (visitor) => {
    await visitor.post(SEND, { email: 'ada@example.com' })
    return visitor.post(VERIFY, { code: 'no code' })
  }),
  state('too-many', async (visitor) => {
    await visitor.post(SEND, { email: 'ada@example.com' })
    for (let tries = 0; tries < 2; tries++) await visitor.post(VERIFY, { code: '000000' })
    return visitor.post(VERIFY, { code: '000000' })
  }),
]
