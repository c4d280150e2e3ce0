import { action, query } from '@solidjs/router'
import { getSession, signIn, signOut } from 'latchkey/solid-start'
import { getRequestEvent } from 'solid-js/web'
import { authConfig } from './auth'

export const whoIsHere = query(async () => {
  'use server'
  return getSession(request(), authConfig)
}, 'who-is-here')

/** The same for pages that are not for everybody. */
export const whoMayBeHere = query(async (page: string) => {
  'use server'
  const session = await getSession(request(), authConfig)
  if (!session) throw await signIn(request(), authConfig, undefined, { redirectTo: page })
  return session
}, 'who-may-be-here')

export const enter = action(async () => {
  'use server'
  return signIn(request(), authConfig)
}, 'enter')

export const leave = action(async () => {
  'use server'
  return signOut(request(), authConfig, { redirectTo: '/' })
}, 'leave')

function request(): Request {
  const event = getRequestEvent()
  if (!event) throw new Error('not while a request is answered')
  return event.request
}
