import * as v from 'valibot'
import {
  type Answer,
  type AnswerPage,
  type Call,
  definedOnly,
  Problem,
} from '../../../entries/plugin.ts'
import { personOf } from '../../../entries/plugin-accounts.ts'
import { changeableFrom, rename } from '../flows/rename.ts'
import type { Own } from '../own.ts'
import { type Form, usernamePage } from '../pages/username.ts'
import type { UsernamesKey } from '../texts.ts'

interface Shown {
  /** What was typed before the browser went for a proof of identity. */
  readonly name?: string | undefined
}

interface Change {
  readonly name?: string | undefined
}

/** What is wrong with a name is said beside the field, and not here. */
const typed = v.optional(v.pipe(v.string(), v.maxLength(10_000)))

export const shownInput: v.GenericSchema<Shown> = v.strictObject({
  name: typed,
})

export const input: v.GenericSchema<Change> = v.strictObject({ name: typed })

const PAGE = 'account/username'

/** `GET account/username` */
export async function show(call: Call<Shown>, own: Own): Promise<Answer> {
  const { name } = call.input
  const { user } = await personOf(call, own.host)
  const names = await own.names()
  return {
    json: { name: (await names.nameOf(user.id)) ?? null },
    page: await pageOf({ typed: name, isDone: call.notice?.id === 'saved' }, user.id, call, own),
  }
}

/** `POST account/username` */
export async function change(call: Call<Change>, own: Own): Promise<Answer> {
  const { name = '' } = call.input
  const path = (params: Record<string, string>) => own.host.site.path(PAGE, params)
  const { user } = await personOf(call, own.host)
  try {
    const shown = await rename(name, call, path({ name }), own)
    return { json: { name: shown }, to: path({}), notice: { id: 'saved' } }
  } catch (error) {
    // A proof of identity is asked for on a page of its own.
    if (!(error instanceof Problem) || error.next !== undefined) throw error
    const { code, message, errors, headers, members } = error
    const page = await pageOf({ typed: name, refusal: error }, user.id, call, own)
    throw new Problem(code, message, { ...definedOnly({ errors }), headers, members, page })
  }
}

async function pageOf(
  form: Form,
  userId: string,
  call: Pick<Call<unknown>, 'request' | 'csrfField'>,
  own: Own,
): Promise<AnswerPage> {
  const { host, settings, names } = own
  const current = await (await names()).current(userId)
  const from = current && changeableFrom(current.data, own)
  return usernamePage(form, {
    name: current?.data.shown,
    lockedUntil: from === 'never' || Number(from) > host.ports.now() ? from : undefined,
    settings,
    texts: await host.site.text<UsernamesKey>(call.request),
    csrfField: call.csrfField,
    path: (...asked) => host.site.path(...asked),
  })
}
