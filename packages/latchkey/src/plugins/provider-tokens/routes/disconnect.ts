import { type Answer, type Call, Problem } from '../../../entries/plugin.ts'
import { connectionsOf, type Own } from '../own.ts'
import { isPage } from './connecting.ts'
import { needFresh } from './fresh.ts'

/** `POST provider-tokens/disconnect`: deletes the tokens. The account stays linked. */
export async function disconnect(call: Call<{ provider: string }>, own: Own): Promise<Answer> {
  const { input, callbackUrl } = call
  await needFresh(call, own.host, callbackUrl)
  const connections = await connectionsOf(call, own)
  const { revoked, cookies } = await connections.forget(input.provider, 'disconnect')
  if (revoked === undefined) throw new Problem('not_found', 'there are no tokens of this provider')
  const { name = input.provider } = (await own.host.providers.client(input.provider)) ?? {}
  const isSaid = isPage(callbackUrl, own.host)
  const notice = isSaid ? { id: 'disconnected', params: [name] } : undefined
  return { json: { revoked }, to: callbackUrl, notice, cookies }
}
