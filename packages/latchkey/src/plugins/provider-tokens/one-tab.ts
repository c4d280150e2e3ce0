/** The name of the lock that all tabs of a browser share. */
const NAME = 'latchkey.provider-tokens'

/** Milliseconds after which the note of a closed tab expires. */
const LEASE = 15_000

/** The part of the browser that is used. */
export interface TabsPage {
  readonly navigator?: { readonly locks?: Pick<LockManager, 'request'> | undefined } | undefined
  readonly localStorage?: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | undefined
}

/**
 * Runs a function in one tab at a time. Without Web Locks it uses a note in `localStorage`, which two tabs may write at
 * once.
 */
export async function inOneTab<Result>(
  work: () => Promise<Result>,
  { navigator, localStorage: storage }: TabsPage,
): Promise<Result> {
  if (navigator?.locks) return await navigator.locks.request(NAME, work)
  if (!storage) return work()
  const isTaken = (): boolean => Number(storage.getItem(NAME)) > Date.now()
  for (let waited = 0; isTaken() && waited < LEASE; waited += 100)
    await new Promise((resolve) => {
      setTimeout(resolve, 100)
    })
  storage.setItem(NAME, String(Date.now() + LEASE))
  try {
    return await work()
  } finally {
    storage.removeItem(NAME)
  }
}
