import * as v from 'valibot'
import { type Answer, type Call, Problem, siteNameOf } from '../../../entries/plugin.ts'
import type { Own } from '../own.ts'
import { signedOutPage } from '../pages/signed-out.ts'
import type { LogoutKey } from '../texts.ts'

interface Shown {
  readonly provider: string
}

export const input: v.GenericSchema<Shown> = v.strictObject({
  provider: v.pipe(v.string(), v.maxLength(200)),
})

/** `GET logout/signed-out`: shown in place of a redirect to a provider that would sign the visitor in at once. */
export async function signedOut(
  { request, input: { provider }, csrfField, callbackUrl }: Call<Shown>,
  { host }: Own,
): Promise<Answer> {
  const client = await host.providers.client(provider)
  if (!client) throw new Problem('not_found', 'there is no such provider')
  const texts = await host.site.text<LogoutKey>(request)
  const action = host.site.path(`signin/${client.id}`)
  const { origin } = request
  const site = siteNameOf({ theme: host.site.theme, origin })
  return {
    page: signedOutPage({ texts, name: client.name, action, csrfField, callbackUrl, origin, site }),
  }
}
