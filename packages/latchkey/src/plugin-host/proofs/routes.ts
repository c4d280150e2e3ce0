import { definedOnly } from '../../base/encoding/defined-only.ts'
import { withProviders } from '../../core/compile/providers.ts'
import type { Cookie } from '../../http/cookies/cookies.ts'
import { duration } from '../../http/dates.ts'
import { type Html, html, markup } from '../../http/html.ts'
import { type SafeUrl, trusted, withParams } from '../../http/safe-url.ts'
import type { AdapterUser } from '../../model/user.ts'
import { notice, textLink } from '../../page-kit/components.ts'
import { reauthenticateBody } from '../../pages/reauthenticate.ts'
import { Problem } from '../../plugin/problem.ts'
import type { AskedProof, ProofVerdict } from '../../plugin/proofs.ts'
import type { Answer, AnswerPage, Call, StandardSchema } from '../../plugin/route.ts'
import type { KnownFacts } from '../../session/facts.ts'
import { ACR } from '../../session/proof/factors.ts'
import { factsAfter, isMet, meets, type Need, type StepUp } from '../../session/proof/step-up.ts'
import type { CurrentSession } from '../../session/strategy.ts'
import { proofPage } from '../../sign-in/need-fresh.ts'
import { drawCsrf } from '../../sign-in/visit.ts'
import { wholeNeed } from '../../sign-in/whole-need.ts'
import { PATH, type ProofsOf, waysFor } from './page.ts'
import { type AskedNeed, openNeed } from './sealed-need.ts'
import type { WayOfPlugin } from './ways.ts'

/** The fields of a request: those of the page, and of the form of a way. */
export type ProofFields = Readonly<Record<string, string>>

/** Fields of the page itself. */
const OF_PAGE: readonly string[] = ['for', 'way', 'begin']

const MOST_FIELDS = 20

/** A schema for texts of any name; the handler knows which names the way has. */
const textsOf = (isAllowed: (name: string) => boolean): StandardSchema<ProofFields> => ({
  '~standard': {
    version: 1,
    vendor: 'latchkey',
    validate(value) {
      const entries = Object.entries(value as Record<string, unknown>)
      const odd = entries.filter(([name, each]) => typeof each !== 'string' || !isAllowed(name))
      if (odd.length === 0 && entries.length <= MOST_FIELDS) return { value: value as ProofFields }
      return { issues: odd.map(([name]) => ({ message: 'invalid', path: [name] })) }
    },
  },
})

export const shownFields: StandardSchema<ProofFields> = textsOf((name) => OF_PAGE.includes(name))
export const sentFields: StandardSchema<ProofFields> = textsOf(() => true)

/** What a script may ask for. */
const NEEDED: Readonly<Record<string, (value: unknown) => boolean>> = {
  maxAge: (value) => typeof value === 'number' && value >= 0,
  factors: (value) => value === 1 || value === 2,
  phishingResistant: (value) => typeof value === 'boolean',
  acr: (value) => typeof value === 'string' && (ACR as readonly string[]).includes(value),
}

export const neededFields: StandardSchema<StepUp> = {
  '~standard': {
    version: 1,
    vendor: 'latchkey',
    validate(value) {
      const odd = Object.entries(value as object).filter(
        ([name, each]) => !Object.hasOwn(NEEDED, name) || !NEEDED[name]?.(each),
      )
      if (odd.length === 0) return { value: value as StepUp }
      return { issues: odd.map(([name]) => ({ message: 'invalid', path: [name] })) }
    },
  },
}

/**
 * `POST reauthenticate/need`: whether the session has a proof, and where it gets one. It decides nothing: a step checks again
 * what it needs.
 */
export async function need(call: Call<StepUp>, { plan }: ProofsOf): Promise<Answer> {
  const { current, input, callbackUrl, request } = call
  const whole = await wholeNeed(current, input, plan)
  if (current && (await meets(current, whole, plan.ports))) return { json: { status: 'proved' } }
  const next = await proofPage(current, whole, callbackUrl, plan)
  return { json: { status: 'needed', next: new URL(next, request.origin).href } }
}

/** What a request is about. */
interface Asked extends AskedNeed {
  readonly user: AdapterUser
  readonly current: CurrentSession
  readonly known: KnownFacts
  /** The sealed need, if there is one. */
  readonly sealed: string | undefined
  readonly ways: readonly WayOfPlugin[]
}

/** `GET reauthenticate` */
export async function show(call: Call<ProofFields>, proofs: ProofsOf): Promise<Answer> {
  const asked = await readAsked(call, proofs)
  const { ways } = asked
  const way = ways.find(({ id }) => id === call.input['way']) ?? ways[0]
  return {
    page: await pageOf(call, asked, way, proofs),
    json: { ways: ways.map(({ id, amr }) => ({ id, amr: [...amr] })) },
  }
}

/** `POST reauthenticate`, and `POST reauthenticate/{way}` for the script of passkeys. */
export async function prove(call: Call<ProofFields>, proofs: ProofsOf): Promise<Answer> {
  const asked = await readAsked(call, proofs)
  const { request, input, rest } = call
  const { user, current, ways } = asked
  const { plan } = proofs
  const id = rest ?? input['way']
  const way = ways.find((each) => each.id === id)
  if (!way) throw await refusal('invalid_input', 'way', call, asked, ways[0], proofs)
  const fields = Object.entries(input).filter(([name]) => !OF_PAGE.includes(name))
  const odd = fields.filter(([name]) => !way.fields.includes(name))
  if (odd.length > 0)
    throw new Problem('invalid_input', 'unknown fields', {
      errors: odd.map(([field]) => ({ field: field.slice(0, 100), code: 'unknown' })),
    })
  const proof = proofOf(call, asked, way, proofs)
  const sid = await current.facts.sid()
  const verdict = await limitedOnPage(call, asked, way, proofs, async () => {
    await plan.plugins?.actions.limit('reauthenticate', {
      request,
      sid,
      userId: user.id,
      isProven: true,
    })
    if (input['begin'] === '1' && way.begin) return { begun: await way.begin(proof) }
    return way.check(proof, Object.fromEntries(fields))
  })
  if ('begun' in verdict) {
    const { begun } = verdict
    return { json: { status: 'begun' }, to: proof.page, ...begun }
  }
  if (!verdict.isRight) {
    const { code = 'invalid_code', field, cookies } = verdict
    await tell(asked, code, proofs)
    throw await refusal(code, field, call, asked, way, proofs, cookies)
  }
  return renewed(verdict, call, asked, way, proofs)
}

/** Renews the session, and goes on: to the target, or to the proof that is still missing. */
async function renewed(
  { amr: proved, cookies = [] }: Extract<ProofVerdict, { isRight: true }>,
  { request }: Call<ProofFields>,
  asked: Asked,
  way: WayOfPlugin,
  proofs: ProofsOf,
): Promise<Answer> {
  const { known, need, to } = asked
  const plan = withProviders(proofs.plan)
  const { ports } = plan
  const facts = factsAfter(proved ?? way.amr, known, ports)
  const { amr = [], auth_time: authTime = 0 } = facts
  const written = await plan.session.renew(request, { amr, authTime, proved: proved ?? way.amr })
  if (!written) throw new Problem('unauthenticated', 'the session has ended')
  await tell(asked, undefined, proofs)
  // Forms from before the proof must not work after it.
  const fresh = plan.csrf ? [(await drawCsrf(request, plan)).cookie] : []
  const all: readonly Cookie[] = [...written, ...fresh, ...cookies]
  if (isMet(facts, need, ports)) return { json: { status: 'proved' }, to, cookies: all }
  const next = pageAt(asked, undefined, proofs)
  return { json: { status: 'continue', next }, to: next, cookies: all }
}

/** @throws {Problem} if no person is signed in, or the need was changed. */
async function readAsked(call: Call<ProofFields>, proofs: ProofsOf): Promise<Asked> {
  const { current, input, callbackUrl } = call
  const { plan } = proofs
  if (!current) throw new Problem('unauthenticated')
  const known = await current.facts.known()
  if (current.holder !== undefined || known['act'] !== undefined)
    throw new Problem('forbidden', 'only the person proves it, and not a program or somebody else')
  const user = await plan.store?.getUser(String(current.user.id))
  if (!user) throw new Problem('unauthenticated', 'the user is deleted')
  const sealed = input['for']
  const own = await wholeNeed(current, {}, plan)
  const open: AskedNeed = { need: own, to: callbackUrl }
  const { need, to } = sealed === undefined ? open : await openNeed(sealed, user.id, plan)
  const ways = await waysFor({ user, factors: need.factors }, known, need, proofs)
  return { user, current, known, sealed, need, to, ways }
}

function pageAt(
  { sealed, to }: Pick<Asked, 'sealed' | 'to'>,
  way: string | undefined,
  { plan }: ProofsOf,
): SafeUrl {
  const params = definedOnly({ for: sealed, way, callbackUrl: to })
  return trusted(withParams(`${plan.basePath}/${PATH}`, params))
}

function proofOf(
  { request }: Call<ProofFields>,
  asked: Asked,
  way: WayOfPlugin,
  proofs: ProofsOf,
): AskedProof {
  const { user, current, need, to } = asked
  const { factors } = need
  return { user, current, request, factors, page: pageAt(asked, way.id, proofs), callbackUrl: to }
}

/** Says on the page that the way is limited. */
async function limitedOnPage<Result>(
  call: Call<ProofFields>,
  asked: Asked,
  way: WayOfPlugin,
  proofs: ProofsOf,
  work: () => Promise<Result> | Result,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const isLimited = error instanceof Problem && error.code === 'too_many_attempts'
    if (!isLimited || error.page) throw error
    const texts = proofs.plan.texts(call.request.original)
    const shown = await pageOf(call, asked, way, proofs)
    const { code, message, headers, members } = error
    const { retryAfter } = members
    const sentence =
      typeof retryAfter === 'number'
        ? texts.text('sign-in.wait', { time: duration(retryAfter, texts) })
        : texts.text('reauthenticate.limited')
    throw new Problem(code, message, {
      headers,
      members,
      page: { ...shown, notice: notice(sentence, 'bad') },
    })
  }
}

async function refusal(
  code: string,
  field: string | undefined,
  call: Call<ProofFields>,
  asked: Asked,
  way: WayOfPlugin | undefined,
  proofs: ProofsOf,
  cookies: readonly Cookie[] = [],
): Promise<Problem> {
  const isWrong = code !== 'invalid_input'
  const shown = await pageOf(call, asked, way, proofs, isWrong)
  // A way without a field of its own, such as a passkey, has no place for what is wrong.
  const { text } = proofs.plan.texts(call.request.original)
  const page =
    isWrong && field === undefined
      ? { ...shown, notice: notice(text('reauthenticate.wrong'), 'bad') }
      : shown
  return new Problem(code, 'the proof was refused', {
    ...(field !== undefined && { errors: [{ field, code: isWrong ? 'wrong' : 'invalid' }] }),
    page,
    cookies,
  })
}

async function tell(
  { user }: Asked,
  reason: string | undefined,
  { plan }: ProofsOf,
): Promise<void> {
  await plan.emit('security', {
    type: 'signin.step-up',
    outcome: reason === undefined ? 'success' : 'refused',
    ...definedOnly({ reason }),
    userId: user.id,
    at: new Date(plan.ports.now()),
  })
}

async function pageOf(
  call: Call<ProofFields>,
  asked: Asked,
  way: WayOfPlugin | undefined,
  proofs: ProofsOf,
  isWrong = false,
): Promise<AnswerPage> {
  const { request } = call
  const { user, need, sealed, to, ways } = asked
  const { plan, all } = proofs
  const texts = plan.texts(request.original)
  const { text } = texts
  const hidden = hiddenFields(call.csrfField, { for: sealed, way: way?.id, callbackUrl: to })
  const form = way && (await way.form({ ...proofOf(call, asked, way, proofs), isWrong, hidden }))
  const setUp = all().proofs.find(({ setUpPage }) => setUpPage !== undefined)?.setUpPage
  const next = needsSecond(need, ways)
    ? { text: text('reauthenticate.no-second'), label: text('reauthenticate.set-up'), href: setUp }
    : { text: text('reauthenticate.none'), label: text('sign-in.submit'), href: signIn(to, proofs) }
  return {
    title: text('reauthenticate.title'),
    lead: leadOf(need, text),
    body: reauthenticateBody({
      texts,
      person: user,
      action: `${plan.basePath}/${PATH}`,
      hidden,
      form,
      next: form ? undefined : { ...next, href: next.href ?? signIn(to, proofs) },
      others: ways
        .filter(({ id }) => id !== way?.id)
        .map(({ id, label, icon, texts: own, values }) => ({
          label: texts.with(own).text(label as never, values),
          icon,
          href: pageAt(asked, id, proofs),
        })),
    }),
    ...definedOnly({ script: form?.script }),
    footer: textLink(text('page.cancel'), request.origin),
  }
}

/** Returns whether only a second factor is missing, which the user does not have. */
const needsSecond = ({ factors }: Need, ways: readonly unknown[]): boolean =>
  factors === 2 && ways.length === 0

const signIn = (callbackUrl: SafeUrl, { plan }: ProofsOf): SafeUrl =>
  trusted(withParams(`${plan.basePath}/signin`, { callbackUrl }))

function leadOf(
  { factors, maxAge = 0 }: Need,
  text: ReturnType<ProofsOf['plan']['texts']>['text'],
): string {
  if (factors === 2) return text('reauthenticate.lead.second')
  const count = Math.floor(maxAge / 60)
  return count > 0 ? text('reauthenticate.lead', { count }) : text('reauthenticate.lead.any')
}

function hiddenFields(csrfField: Html, fields: Readonly<Record<string, string | undefined>>): Html {
  const inputs = Object.entries(fields).map(
    ([name, value]) =>
      value !== undefined && markup(html`<input type="hidden" name="${name}" value="${value}">`),
  )
  return html`${markup(csrfField)}${inputs}`
}
