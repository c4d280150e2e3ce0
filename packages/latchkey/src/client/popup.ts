import type { Surroundings } from './session-store.ts'

const CHANNEL = 'latchkey.popup'
const FEATURES = 'popup,width=480,height=720'

/** Milliseconds that a window which is closed may have said something just before. */
const LAST_WORDS = 500

/** A window of the browser, as far as it is used. */
interface OpenedWindow {
  readonly closed: boolean
  readonly location: Pick<Location, 'assign'>
  close(): void
}

/** What is used of the browser for windows of their own. */
export type Windows = Surroundings & {
  readonly open?: (url: string, target: string, features: string) => OpenedWindow | null
  readonly close?: () => void
  readonly location?: Pick<Location, 'href'>
}

/** A window for somebody's sign-in. */
export interface Popup {
  /** Where the sign-in has to end. */
  readonly end: string
  /** The address at which it ended; `undefined` when the window was closed before. */
  readonly done: Promise<string | undefined>
  go(url: string): void
  close(): void
}

/**
 * Opens a window, if the browser lets us: only while it is busy with a click.
 *
 * @param end the page that calls {@link finishPopup}.
 */
export function openPopup(end: string, page: Windows): Popup | undefined {
  const { BroadcastChannel: Channel, location } = page
  const opened = Channel && location && page.open?.('', '', FEATURES)
  if (!opened) return undefined
  const { href: here } = location
  const url = new URL(end, here)
  // Several pages may wait at a time.
  const id = Math.random().toString(36).slice(2)
  url.searchParams.set('popup', id)
  const channel = new Channel(CHANNEL)
  let look = (): void => {}
  const done = new Promise<string | undefined>((resolve) => {
    channel.addEventListener('message', ({ data }) => {
      const told = data as { id: string; url: string }
      if (told.id === id) resolve(told.url)
    })
    look = () => {
      // Nobody comes back from a window that is open: one that looks closed then is, or cannot be seen.
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
 * For the page that `popup` names: tells the page that waits for this window, and closes it.
 *
 * @returns whether there is one; otherwise somebody came here by themselves.
 */
export function finishPopup(page: Windows = globalThis): boolean {
  const { BroadcastChannel: Channel, location } = page
  const url = location?.href ?? ''
  const id = URL.canParse(url) ? new URL(url).searchParams.get('popup') : null
  if (id === null || !Channel) return false
  // A channel reaches this origin alone.
  const channel = new Channel(CHANNEL)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  channel.postMessage({ id, url })
  channel.close()
  page.close?.()
  return true
}
