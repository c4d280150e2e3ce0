import * as v from 'valibot'
import { type Answer, type Call, Problem, siteNameOf } from '../../../entries/plugin.ts'
import { approvalOf } from '../approval.ts'
import { needTry } from '../counted.ts'
import { parseUserCode } from '../device/user-code.ts'
import { count } from '../limited.ts'
import type { Own } from '../own.ts'
import { decidePage, donePage, enterPage } from '../pages/device.ts'
import type { TokensKey } from '../texts.ts'
import { needCaller } from './caller.ts'
import { shownCode } from './device-programs.ts'

const codeField = v.pipe(v.string(), v.maxLength(40))

interface Shown {
  readonly user_code?: string | undefined
}

export const inputOfPage: v.GenericSchema<Shown> = v.strictObject({
  user_code: v.optional(codeField),
})

export const inputOfCode: v.GenericSchema<{ user_code: string }> = v.strictObject({
  user_code: codeField,
})

interface Decision {
  readonly decision: 'allow' | 'deny'
  /** The device that the page showed, since the session may have entered another code meanwhile. */
  readonly device?: string | undefined
}

export const inputOfDecision: v.GenericSchema<Decision> = v.strictObject({
  decision: v.picklist(['allow', 'deny']),
  device: v.optional(v.pipe(v.string(), v.regex(/^[\w-]{16}$/))),
})

const PAGE = 'device'
const MINUTE = 60

/** `GET device`: the page with the field. A parameter may fill the field, and has no other effect. */
export async function page({ request, input, csrfField }: Call<Shown>, own: Own): Promise<Answer> {
  const { host } = own
  return {
    page: enterPage({
      texts: await host.site.text<TokensKey>(request),
      action: host.site.path('device/enter'),
      csrfField,
      code: shownCode(input.user_code),
      isWrong: false,
    }),
    json: {},
  }
}

/** `POST device/enter` */
export async function enter(
  { request, current, input, csrfField }: Call<{ user_code: string }>,
  own: Own,
): Promise<Answer> {
  const { host } = own
  const { flow, settings } = await own.device()
  const { sid } = await needCaller(current, host, host.site.path(PAGE))
  // Here, since the session that enters a code is the one that decides.
  await host.sessions.needFresh(current, settings.freshAge, host.site.path(PAGE))
  await count(host, 'device.enter', { request, sid })
  await needTry(host, `device-enter:${sid}`, { limit: 5, seconds: 15 * MINUTE })
  await needTry(host, 'device-enter', { limit: 1000, seconds: MINUTE })
  const code = parseUserCode(input.user_code)
  if (code !== undefined && (await flow.enter(code, sid)))
    return { to: host.site.path('device/decide'), json: { next: host.site.path('device/decide') } }
  const texts = await host.site.text<TokensKey>(request)
  const action = host.site.path('device/enter')
  return {
    status: 400,
    page: enterPage({ texts, action, csrfField, code: '', isWrong: true }),
    json: {
      type: 'about:blank',
      status: 400,
      code: 'invalid_code',
      title: texts.text('tokens:device.wrong'),
    },
    headers: {},
  }
}

/** `GET device/decide`: the description of the device, and the question. */
export async function question({ request, current, csrfField }: Call, own: Own): Promise<Answer> {
  const { host } = own
  const { flow } = await own.device()
  const { sid } = await needCaller(current, host, host.site.path(PAGE))
  const waiting = await flow.waiting(sid)
  if (!waiting) return { to: host.site.path(PAGE), json: { next: host.site.path(PAGE) } }
  const { device, client, name, address, made } = waiting
  return {
    page: decidePage({
      texts: await host.site.text<TokensKey>(request),
      action: host.site.path('device/decide'),
      csrfField,
      device,
      client,
      name,
      address,
      minutes: Math.max(0, Math.floor((host.ports.now() - made) / 60_000)),
      user: String(current?.user.email ?? current?.user.name ?? current?.user.id ?? ''),
    }),
    json: { device, client, name: name ?? null, address: address ?? null },
  }
}

/** `POST device/decide` */
export async function decide(
  { request, current, input: { decision, device } }: Call<Decision>,
  own: Own,
): Promise<Answer> {
  const { host } = own
  const { flow, settings } = await own.device()
  const { sid } = await needCaller(current, host, host.site.path(PAGE))
  const isAllowed = decision === 'allow'
  if (isAllowed) await host.sessions.needFresh(current, settings.freshAge, host.site.path(PAGE))
  const approval = isAllowed && current ? await approvalOf(current, host) : undefined
  if (!(await flow.decide(sid, approval, device)))
    throw new Problem(
      'conflict',
      'the code has expired, was already approved or refused, or the code of another device was entered since',
    )
  const texts = await host.site.text<TokensKey>(request)
  const home = request.origin
  const name = siteNameOf({ theme: host.site.theme, origin: home })
  return { page: donePage(isAllowed, texts, { name, home }), json: { decision } }
}
