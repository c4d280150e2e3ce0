import { type Answer, type Call, Problem } from '../../../plugin-kit.ts'
import { connectionsOf, type Own } from '../own.ts'

/** Seconds since the last proof within which somebody may disconnect an account. */
const FRESH = 600

/** `POST provider-tokens/disconnect`: forgets the tokens; the account stays linked. */
export async function disconnect(call: Call<{ provider: string }>, own: Own): Promise<Answer> {
  const { current, input, callbackUrl } = call
  const { host } = own
  // Known where a plugin keeps sessions; else everybody proves it with the session alone.
  const { auth_time: proved } = (await current?.facts.known()) ?? {}
  if (proved !== undefined && proved < host.ports.now() / 1000 - FRESH)
    throw new Problem('reauthentication_required', 'the last proof is too long ago', {
      next: host.path('signin', { callbackUrl }),
    })
  const connections = await connectionsOf(call, own)
  const { revoked, cookies } = await connections.forget(input.provider, 'disconnect')
  if (revoked === undefined) throw new Problem('not_found', 'there are no tokens of this provider')
  return { json: { revoked }, to: callbackUrl, cookies }
}
