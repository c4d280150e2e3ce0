import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { namedProviders } from './named-providers.ts'

const listed = readFileSync(
  new URL('../../latchkey/src/option-checks/provider-ids.ts', import.meta.url),
  'utf8',
)
const [, ids = ''] = /type OAuthProviderId =([^=]*)\n\n/.exec(listed) ?? []

describe('AUTH_PROVIDERS', () => {
  const catalogue = [...ids.matchAll(/'([^']+)'/g)].map(([, id = '']) => id)

  test('accepts every OAuth and OpenID Connect provider by its id', async () => {
    const env = new Proxy<Record<string, string>>({}, { get: (_, name) => String(name) })
    const providers = await namedProviders(catalogue, env)
    expect(catalogue.length).toBeGreaterThan(100)
    for (const [index, id] of catalogue.entries()) {
      const name = `AUTH_${id.toUpperCase().replaceAll('-', '_')}`
      expect(providers[index]).toMatchObject({
        id,
        options: { clientId: `${name}_ID`, clientSecret: `${name}_SECRET` },
      })
    }
  })

  test('accepts the name of a module, with the variables of its id', async () => {
    const [hydra] = await namedProviders(['ory-hydra'], {
      AUTH_HYDRA_ID: 'id',
      AUTH_HYDRA_SECRET: 's',
      AUTH_HYDRA_ISSUER: 'https://hydra.example',
    })
    expect(hydra).toMatchObject({ id: 'hydra', options: { issuer: 'https://hydra.example' } })
  })

  test('accepts services that send mail, with a key and the sender', async () => {
    const names = ['forwardemail', 'mailgun', 'postmark', 'resend', 'sendgrid']
    const env = Object.fromEntries(names.map((name) => [`AUTH_${name.toUpperCase()}_KEY`, 'key']))
    const from = 'Acme <login@acme.example>'
    const providers = await namedProviders(names, env, from)
    expect(providers.map((each) => (each as { id: string }).id)).toEqual(names)
    for (const each of providers) {
      expect(each).toMatchObject({ type: 'email', options: { apiKey: 'key', from } })
    }
    await expect(namedProviders(['resend'], {}, from)).rejects.toThrow(
      'providers: resend needs AUTH_RESEND_KEY',
    )
    await expect(namedProviders(['resend'], env)).rejects.toThrow(
      'mailFrom: is required with resend; set MAIL_FROM',
    )
  })

  test.for(['define', 'nobody', '../index'])('refuses %s', async (name) => {
    await expect(namedProviders([name], {})).rejects.toThrow(
      /that can be named here \(latchkey.*#options-of-the-service\)$/,
    )
  })

  test.for(['credentials', 'nodemailer', 'loops'])(
    'refuses %s, and names the right place',
    async (name) => {
      await expect(namedProviders([name], {})).rejects.toThrow(
        'that can be named here; add it to auth.providers in a configuration file',
      )
    },
  )
})
