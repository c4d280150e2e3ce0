/**
 * Asks the visitor of a page for a proof of identity, and repeats requests after it. A module of its own, for the pages that
 * need it.
 *
 * @module
 */

import { openPopup, type Windows } from './popup.ts'

/** How recent and how strong the proof of identity must be. */
export interface NeededProof {
  /** Seconds since the last proof; with two factors, since the last proof with a second factor. */
  maxAge?: number | undefined
  /** How many factors. @default as many as the account has */
  factors?: 1 | 2 | undefined
  /** The strength as one value, for example `urn:latchkey:acr:2`. */
  acr?: string | undefined
}

/** The part of a client that is used here. `createAuthClient` of `latchkey/client` creates such a client. */
export interface StepUpPage {
  ask(path: string, fields?: object): Promise<unknown>
  readonly store: { changed(): Promise<void> }
}

export interface StepUpOptions {
  /**
   * Path of your page on which a window of its own ends. That page calls `finishPopup` of `latchkey/client`. Without it, and if
   * the browser opens no window, the browser leaves the page, and comes back to it.
   */
  popup?: string | undefined
}

/** Functions that ask for a proof of identity. */
export interface StepUpClient {
  /**
   * Asks the visitor for a proof, if the session has none that is recent and strong enough. Call it during a click, since browsers
   * open a window only then.
   *
   * @returns `true` if the session has the proof; `false` if the visitor closed the window, or the browser leaves the page.
   * @throws {ClientError} `unauthenticated` without a session.
   */
  stepUp(needed?: NeededProof): Promise<boolean>
  /**
   * Returns a `fetch` that asks the visitor for a proof if a response needs one, and then repeats the request once. Otherwise it
   * returns the response as it is. A body that is a stream cannot be sent twice.
   */
  withStepUp(send?: typeof fetch): typeof fetch
}

/** Creates the functions for a page. */
export function stepUpClient(
  { ask, store }: StepUpPage,
  { popup: path }: StepUpOptions = {},
  page: StepUpWindows = globalThis,
): StepUpClient {
  /** Returns the address of the page that asks for the proof; `undefined` if the session has it. */
  const nextFor = async (needed: NeededProof, callbackUrl: string): Promise<string | undefined> =>
    ((await ask('reauthenticate/need', { ...needed, callbackUrl })) as Need).next

  const stepUp: StepUpClient['stepUp'] = async (needed = {}) => {
    const popup = path === undefined ? undefined : openPopup(path, page)
    const here = page.location?.href ?? ''
    let isProved = false
    try {
      const next = await nextFor(needed, popup?.end ?? here)
      if (next === undefined) return true
      if (!popup) {
        page.location?.assign(next)
        return false
      }
      popup.go(next)
      // The visitor may have reached the page without a proof.
      isProved = (await popup.done) !== undefined && (await nextFor(needed, here)) === undefined
    } finally {
      popup?.close()
    }
    if (isProved) await store.changed()
    return isProved
  }

  return {
    stepUp,
    withStepUp:
      (send = fetch) =>
      async (input, init) => {
        const again = input instanceof Request ? input.clone() : input
        const answer = await send(input, init)
        const needed = await neededBy(answer)
        const isOnce = init?.body instanceof ReadableStream
        if (!needed || isOnce || !(await stepUp(needed))) return answer
        return send(again, init)
      },
  }
}

/** The part of the browser that is used. */
export type StepUpWindows = Omit<Windows, 'location'> & {
  readonly location?: Pick<Location, 'href' | 'assign'>
}

interface Need {
  readonly next?: string
}

/** Returns the proof that a response asks for. */
async function neededBy(answer: Response): Promise<NeededProof | undefined> {
  const type = answer.headers.get('content-type') ?? ''
  if (answer.status !== 403 || !type.startsWith('application/problem+json')) return undefined
  const problem = (await answer.clone().json()) as Record<string, unknown>
  if (problem['code'] !== 'reauthentication_required') return undefined
  const { max_age: maxAge, acr_values: acr } = problem
  return {
    ...(typeof maxAge === 'number' && { maxAge }),
    ...(typeof acr === 'string' && { acr }),
  }
}
