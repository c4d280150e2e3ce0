import type { PublicProvider } from '../model/public-provider.ts'
import { type JsonOutcome, json } from '../outcome.ts'
import type { Plan } from '../plan.ts'
import type { ReadAction } from './action.ts'

/** `GET providers`: what a sign-in page may know, by id. */
export const providers: ReadAction = async ({ base }, plan) => {
  // Who takes the list itself may change it.
  if (plan.raw) return json(listOf(plan, base))
  let told = lists.get(plan)
  if (told?.base !== base) {
    const body = listOf(plan, base)
    lists.set(plan, (told = { base, outcome: { ...json(body), text: JSON.stringify(body) } }))
  }
  return told.outcome
}

/** The list as it was told last: a site is mostly asked for under one address. */
const lists = new WeakMap<Plan, { readonly base: string; readonly outcome: JsonOutcome }>()

function listOf({ providers }: Plan, base: string): Record<string, PublicProvider> {
  const list: Record<string, PublicProvider> = {}
  for (const { id, name, type } of providers) {
    list[id] = {
      id,
      name,
      type,
      signinUrl: `${base}/signin/${id}`,
      callbackUrl: `${base}/callback/${id}`,
    }
  }
  return list
}
