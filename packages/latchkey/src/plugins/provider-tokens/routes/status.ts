import type { Answer, Call, JsonObject } from '../../../entries/plugin.ts'
import { connectionsOf, type Own } from '../own.ts'

/** `GET provider-tokens/status`: returns the state of the connections, without tokens. */
export async function status(call: Call, own: Own): Promise<Answer> {
  const providers = await (await connectionsOf(call, own)).status()
  return { json: { providers: providers as unknown as JsonObject } }
}
