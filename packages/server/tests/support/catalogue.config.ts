import { customFetch } from 'latchkey'
import gitlab from 'latchkey/providers/gitlab'
import microsoftEntraId from 'latchkey/providers/microsoft-entra-id'
import resend from 'latchkey/providers/resend'
import { defineConfig } from '../../src/define-config.ts'

export default defineConfig(({ env }) => {
  const vendors = env['VENDORS'] ?? ''
  /** Asks the vendors on loopback whatever the real ones would be asked. */
  const send: typeof fetch = (input, init) => {
    const request = new Request(input, init)
    const { pathname, search } = new URL(request.url)
    return fetch(new Request(`${vendors}${pathname}${search}`, request))
  }
  const mail = resend({ from: 'Example <no-reply@example.com>' })
  return {
    demo: false,
    auth: {
      providers: [
        gitlab({ baseUrl: vendors, [customFetch]: send }),
        microsoftEntraId({ [customFetch]: send }),
        resend({
          from: 'Example <no-reply@example.com>',
          sendVerificationRequest: (params) =>
            mail.sendVerificationRequest({ ...params, fetch: send }),
        }),
      ],
    },
  }
})
