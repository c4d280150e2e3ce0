import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { definePlugin, type Host, html } from '../../src/entries/plugin.ts'
import { developmentMailbox } from '../../src/entries/plugin-mailbox.ts'
import { createWorld } from '../../src/entries/testing.ts'
import { appearance, NOW, type PageState } from './visitor.ts'

const LINK = 'http://localhost:3000/auth/signin'

/** Sends a mail with a link and one with a code. */
const sender = definePlugin<'sender', object, Host>({
  name: 'sender',
  brings: [developmentMailbox()],
  routes: {
    send: {
      GET: {
        who: 'anyone',
        run: async () => async (call, host) => {
          const to = 'ada@example.com'
          await host.mail(
            {
              to,
              subject: 'Confirm your address',
              text: `Open this link:\n\n${LINK}\n`,
              html: html`<p>Open <a href="${LINK}">this link</a>.</p>`,
            },
            call.request,
          )
          await host.mail(
            {
              to,
              subject: '493817 is your code',
              text: 'Enter this code:\n\n493817\n',
              html: html`<p>Enter this code: 493817</p>`,
            },
            call.request,
          )
          return { json: {} }
        },
      },
    },
  },
  setUp: (host) => ({ own: host }),
})

function state(name: string, isEmpty: boolean): PageState {
  return {
    name,
    async open(look) {
      const world = createWorld(
        { providers: [], plugins: [sender], adapter: memoryAdapter(), ...appearance(look) },
        { origin: 'http://localhost:3000', startsAt: look.now ?? NOW },
      )
      if (!isEmpty) await quietly(() => world.get('/auth/send'))
      return world.get('/auth/mailbox', {
        headers: { accept: 'text/html', 'accept-language': look.lang },
      })
    },
  }
}

/** Each mail is a line of the console, where other programs print the states. */
async function quietly(work: () => Promise<unknown>): Promise<void> {
  const { log } = console
  console.log = () => {}
  try {
    await work()
  } finally {
    console.log = log
  }
}

/** The mailbox of development. */
export const mailboxStates: readonly PageState[] = [
  state('mailbox/mails', false),
  state('mailbox/empty', true),
]
