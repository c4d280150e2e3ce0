import { accountOverview } from '../../pages/account.ts'
import type { SessionPlan } from '../../plan/plan.ts'
import type { Answer, Call } from '../../plugin/route.ts'
import { accountSections } from './sections.ts'

/** `GET account`: who is signed in, and the sections of plugins. */
export async function showOverview({ request, current }: Call, plan: SessionPlan): Promise<Answer> {
  const texts = plan.texts(request.original)
  const sections = accountSections(plan, texts, plan.basePath)
  return {
    page: {
      title: texts.text('account.title'),
      lead: texts.text('account.lead'),
      body: accountOverview(texts, current?.user ?? {}, sections),
      layout: 'account',
    },
  }
}
