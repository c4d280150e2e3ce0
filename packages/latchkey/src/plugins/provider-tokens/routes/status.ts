import type { JsonObject } from '../../../model/json.ts'
import type { Answer, Call } from '../../../plugin-kit.ts'
import type { Own } from '../own.ts'

/** `GET provider-tokens/status`: no tokens. */
export async function status({ current }: Call, { tokens }: Own): Promise<Answer> {
  const providers = await (await tokens()).status(current?.user.id ?? '')
  return { json: { providers: providers as unknown as JsonObject } }
}
