import type { Surroundings } from './session-store.ts'

const CHANNEL = 'latchkey.popup'
const FEATURES = 'popup,width=480,height=720'

/** Milliseconds to wait for a message of a closed window. */
const LAST_WORDS = 500

/** The part of a browser window that is used. */
interface OpenedWindow {
  readonly closed: boolean
  readonly location: Pick<Location, 'assign'>
  close(): void
}

/** The part of the browser that is used to open windows. */
export type Windows = Surroundings & {
  readonly open?: (url: string, target: string, features: string) => OpenedWindow | null
  readonly close?: () => void
  readonly location?: Pick<Location, 'href'>
}

/** The window of a sign-in. */
export interface Popup {
  /** The URL at which the sign-in ends. */
  readonly end: string
  /** The URL at which it ended; `undefined` if the window was closed before. */
  readonly done: Promise<string | undefined>
  go(url: string): void
  close(): void
}

/**
 * Opens a window. Browsers allow this only during a click.
 *
 * @param end the page that calls {@link finishPopup}.
 * @returns `undefined` if the browser opens no window.
 */
export function openPopup(end: string, page: Windows): Popup | undefined {
  const { BroadcastChannel: Channel, location } = page
  const opened = Channel && location && page.open?.('', '', FEATURES)
  if (!opened) return undefined
  const { href: here } = location
  const url = new URL(end, here)
  // Several pages may wait at the same time.
  const id = Math.random().toString(36).slice(2)
  url.searchParams.set('popup', id)
  const channel = new Channel(CHANNEL)
  let look = (): void => {}
  const done = new Promise<string | undefined>((resolve) => {
    channel.addEventListener('message', ({ data }) => {
      const answer = data as { id: string; url: string }
      if (answer.id === id) resolve(answer.url)
    })
    look = () => {
      // A window that appears closed is closed, or cannot be observed by this page.
      if (opened.closed) setTimeout(resolve, LAST_WORDS, undefined)
    }
    page.addEventListener?.('focus', look)
  }).finally(() => {
    channel.close()
    page.removeEventListener?.('focus', look)
  })
  return {
    end: url.href,
    done,
    go: (to) => opened.location.assign(new URL(to, here).href),
    close: () => opened.close(),
  }
}

/**
 * Ends a sign-in in its own window: notifies the waiting page, and closes the window. Call it on the page that `popup`
 * names.
 *
 * @returns whether a page waits; `false` if the visitor opened this page directly.
 */
export function finishPopup(page: Windows = globalThis): boolean {
  const { BroadcastChannel: Channel, location } = page
  const url = location?.href ?? ''
  const id = URL.canParse(url) ? new URL(url).searchParams.get('popup') : null
  if (id === null || !Channel) return false
  // A channel reaches only this origin.
  const channel = new Channel(CHANNEL)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  channel.postMessage({ id, url })
  channel.close()
  page.close?.()
  return true
}
