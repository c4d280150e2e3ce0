import * as v from 'valibot'
import {
  type AdapterUser,
  type Answer,
  type AnswerPage,
  type Call,
  type Html,
  Problem,
} from '../../../entries/plugin.ts'
import type { Own } from '../own.ts'
import type { OwnSection, SectionContext } from '../sections.ts'
import { callerOf } from './caller.ts'
import { typed } from './fields.ts'
import { partsOf } from './parts.ts'

interface Shown {
  readonly done?: string | undefined
}

export const shownInput: v.GenericSchema<Shown> = v.strictObject({
  done: v.optional(v.pipe(v.string(), v.maxLength(100))),
})
export const sentInput: v.GenericSchema<Readonly<Record<string, string>>> = v.record(
  v.string(),
  typed,
)

/** `GET account/{id}` */
export async function show(call: Call<Shown>, section: OwnSection, own: Own): Promise<Answer> {
  const { user } = await callerOf(call, own)
  const { done } = call.input
  // Nothing but the name of an action of the section reaches the page.
  const known = done !== undefined && Object.hasOwn(section.actions ?? {}, done) ? done : undefined
  const context = await contextOf(call, section, { user, done: known }, own)
  return { page: pageOf(await section.render(context), section, context) }
}

interface Acting {
  readonly section: OwnSection
  readonly name: string
  readonly act: NonNullable<OwnSection['actions']>[string]
}

/** `POST account/{id}/{action}` */
export async function run(
  call: Call<Readonly<Record<string, string>>>,
  { section, name, act }: Acting,
  own: Own,
): Promise<Answer> {
  const { user } = await callerOf(call, own)
  const context = await contextOf(call, section, { user, done: undefined }, own)
  const again = await act(context, call.input)
  if (again)
    throw new Problem('invalid_input', `the section ${section.id} refused the fields`, {
      page: pageOf(again, section, context),
    })
  const to = own.host.site.path(`account/${section.id}`, { done: name })
  return { json: { status: 'done' }, to }
}

async function contextOf(
  call: Call<unknown>,
  { id }: OwnSection,
  { user, done }: { readonly user: AdapterUser; readonly done: string | undefined },
  own: Own,
): Promise<SectionContext> {
  const { texts, csrfField, path } = await partsOf(call, own)
  return {
    user,
    request: call.request.original,
    lang: texts.lang,
    text: (key, values) => texts.text(key as never, values),
    csrfField,
    path: (action) => path(`account/${id}/${action}`),
    done,
  }
}

function pageOf(body: Html, { title, about }: OwnSection, { text }: SectionContext): AnswerPage {
  return {
    title: text(title),
    ...(about !== undefined && { lead: text(about) }),
    body,
    layout: 'account',
  }
}
