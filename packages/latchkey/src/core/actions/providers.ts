import { json } from '../../http/outcome.ts'
import type { PublicProvider } from '../../model/public-provider.ts'
import type { Plan } from '../../plan/plan.ts'
import type { CompiledProvider } from '../../plan/provider.ts'
import type { ReadAction } from './action.ts'

/** `GET providers`: the public data of the providers, by id. */
export const providers: ReadAction = async ({ base }, plan) => {
  const list: Record<string, Omit<PublicProvider, 'name'> & Pick<CompiledProvider, 'name'>> = {}
  for (const { id, name, type } of plan.providers) {
    list[id] = {
      id,
      name,
      type,
      signinUrl: `${base}/signin/${id}`,
      callbackUrl: `${base}/callback/${id}`,
    }
  }
  let written = texts.get(plan)
  if (written?.base !== base) texts.set(plan, (written = { base, text: JSON.stringify(list) }))
  return { ...json(list), text: written.text }
}

/** The last serialized list. Most sites have one address, so the list seldom changes. */
const texts = new WeakMap<Plan, { readonly base: string; readonly text: string }>()
