import { accountOverview } from '../../pages/account.ts'
import type { SessionPlan } from '../../plan/plan.ts'
import type { PasskeyOffer } from '../../plugin/provides.ts'
import type { Answer, Call } from '../../plugin/route.ts'
import { accountSections } from './sections.ts'

/** `GET account`: who is signed in, and the sections of plugins. */
export async function showOverview(
  call: Call,
  plan: SessionPlan,
  offer: PasskeyOffer | undefined,
): Promise<Answer> {
  const { request, current } = call
  const texts = plan.texts(request.original)
  const sections = accountSections(plan, texts, plan.basePath)
  const box = await offer?.box(call)
  return {
    page: {
      title: texts.text('account.title'),
      lead: texts.text('account.lead'),
      body: accountOverview(texts, current?.user ?? {}, sections, box?.content),
      ...(box?.script !== undefined && { script: box.script }),
      layout: 'account',
    },
  }
}
