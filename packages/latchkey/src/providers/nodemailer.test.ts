import { describe, expect, test } from 'vitest'
import { memoryAdapter } from '../adapters/memory/index.ts'
import { createLatchkey } from '../instance/create-latchkey.ts'
import Nodemailer, { type NodemailerOptions } from './nodemailer.ts'

describe('sign-in by mail over SMTP', () => {
  const from = 'Example <no-reply@example.com>'

  test('needs a server and a sender, unless the application sends itself', () => {
    const start = (options: object | undefined) =>
      createLatchkey(
        {
          providers: [Nodemailer(options as NodemailerOptions)],
          adapter: memoryAdapter(),
          secret: 'the secret of a site with mail, 0123456',
          trustHost: true,
        },
        {},
      )
    const server = 'smtp://127.0.0.1'
    expect(() => start(undefined)).toThrow('provider nodemailer: `server` is missing; set it')
    expect(() => start({ from })).toThrow('provider nodemailer: `server` is missing; set it')
    expect(() => start({ server })).toThrow('provider nodemailer: `from` is missing; set it')
    start({ server, from })
    start({ server, sendVerificationRequest: () => {} })
    start({ sendVerificationRequest: () => {} })
  })

  test('sends no other mails without a server', () => {
    const sendVerificationRequest = (): void => {}
    expect(Nodemailer({ sendVerificationRequest }).sendMail).toBeUndefined()
    const server = 'smtp://127.0.0.1'
    expect(Nodemailer({ server, sendVerificationRequest }).sendMail).toBeTypeOf('function')
  })

  test('fails if the server refuses the mail', async () => {
    const closed: unknown[] = []
    /** A transport of nodemailer, which it takes as it is. */
    const server = {
      name: 'refusing',
      version: '1',
      send: (_mail: unknown, done: (error: null, info: object) => void) =>
        done(null, { envelope: {}, messageId: '1', rejected: ['ada@example.com'], pending: [] }),
      close: () => closed.push(1),
    }
    const provider = Nodemailer({ server, from })
    const sent = provider.sendVerificationRequest({
      identifier: 'ada@example.com',
      url: 'https://app.example/auth/callback/nodemailer?token=x',
      token: 'x',
      expires: new Date(0),
      theme: {},
      provider: { ...provider, server, from },
      fetch,
      request: new Request('https://app.example'),
    })
    await expect(sent).rejects.toThrow('did not accept the mail')
    expect(closed).toEqual([1])
  })
})
