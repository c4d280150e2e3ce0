import { problemTexts } from '../../base/texts/en.ts'
import type { Form } from '../../http/form.ts'
import { markup } from '../../http/html.ts'
import { isFromElsewhere, isLinkOfOwnPage } from '../../http/origin/origin-hints.ts'
import type { Outcome } from '../../http/outcome.ts'
import { type SiteRequest, splitUrl } from '../../http/request.ts'
import { problemList, textLink } from '../../page-kit/components.ts'
import { fillForm } from '../../page-kit/fill-form.ts'
import type { Plan } from '../../plan/plan.ts'
import { Problem, problems } from '../../plugin/problem.ts'
import type { PluginPath, PluginRoute } from '../../plugin/route.ts'
import { allFaults, runRoute } from '../run-route.ts'

/** The codes of a form that did nothing. */
const EARLY: readonly string[] = ['csrf', 'invalid_input']

/**
 * Returns the page of a form that was refused before its route did anything: with what was typed except secrets, a
 * summary, and a CSRF token with which the form can be sent again.
 *
 * @param request with the fields of the form.
 * @param refuse returns the page that says what was refused: if the form has no page, or it is not for this visitor.
 */
export async function formAgain(
  error: unknown,
  request: SiteRequest,
  path: PluginPath,
  plan: Plan,
  refuse: (fault: unknown) => Promise<Outcome>,
): Promise<Outcome> {
  try {
    const shown = error instanceof Problem && (await pageAgain(error, request, path, plan))
    return shown || (await refuse(error))
  } catch (failure) {
    // The page itself may be refused. What was wrong with the form is then the answer.
    return refuse(failure instanceof Problem ? error : failure)
  }
}

/** Returns `undefined` if the form has no page, or the page is not for this visitor. */
async function pageAgain(
  problem: Problem,
  request: SiteRequest,
  path: PluginPath,
  plan: Plan,
): Promise<Outcome | undefined> {
  const { original, origin, form, method } = request
  const page = path.methods.POST?.page ?? path.route
  const route = path.routes[page]?.GET
  const isElsewhere = isFromElsewhere(original.headers, origin)
  const isEarly = EARLY.includes(problem.code) && !problem.page && !problem.next
  if (!route || !isEarly || method !== 'POST' || isElsewhere) return undefined
  const row = path.problems[problem.code] ?? problems[problem.code] ?? problems.invalid_input
  const { text } = plan.texts(original).with({ en: problemTexts }).with(path.texts)
  const { csrfToken: _, ...typed } = form
  // Without its token, the form may be of another site, whose fields are not for the page.
  const fields = problem.code !== 'csrf' || isLinkOfOwnPage(original.headers, origin) ? typed : {}
  const sent = {
    action: splitUrl(original.url).pathname,
    page: `${plan.basePath}/${page}`,
    fields,
    faults: (problem.errors ?? []).map(({ field }) => field),
  }
  const outcome = await runRoute(
    route,
    path,
    { ...request, method: 'GET' },
    { isForm: true, fields: await acceptedFields(route, fields) },
    plan,
    ({ page: content, headers, cookies }) => {
      if (!content) return {}
      const { body, faults } = fillForm(content.body, sent)
      const others = sent.faults.filter((name) => faults.every((each) => each.name !== name))
      const items = [
        ...faults.map(({ id, label }) => textLink(markup(label), `#${id}`)),
        ...(others.length > 0 ? [text('problem.fields', { fields: others.join(', ') })] : []),
        text('problem.nothing-done'),
      ]
      const notice = problemList(row.title ?? text(row.text), items)
      return { page: { ...content, body, notice }, status: row.status, headers, cookies }
    },
  )
  return outcome.kind === 'page' ? outcome : undefined
}

/** Returns the fields that the page takes: it may be one of several, by a query of these names. */
async function acceptedFields({ input }: PluginRoute<never>, fields: Form): Promise<Form> {
  if (!input) return {}
  const schema = await input()
  const sent = Object.entries(fields)
  const { issues } = await schema['~standard'].validate(Object.fromEntries(sent))
  if (!issues) return fields
  const refused = (await allFaults(issues, sent, schema)).map(({ field }) => field)
  return Object.fromEntries(sent.filter(([name]) => !refused.includes(name)))
}
