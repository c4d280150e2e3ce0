import type { PublicProvider } from '../model/public-provider.ts'
import { json } from '../outcome.ts'
import type { ReadAction } from './action.ts'

/** `GET providers`: what a sign-in page may know, by id. */
export const providers: ReadAction = async ({ base }, plan) => {
  const list: Record<string, PublicProvider> = {}
  for (const { id, name, type } of plan.providers) {
    list[id] = {
      id,
      name,
      type,
      signinUrl: `${base}/signin/${id}`,
      callbackUrl: `${base}/callback/${id}`,
    }
  }
  return json(list)
}
