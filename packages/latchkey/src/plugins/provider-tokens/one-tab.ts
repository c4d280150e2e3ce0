/** Who all tabs of a browser know: one of them at a time does what is done under the name. */
const NAME = 'latchkey.provider-tokens'

/** Milliseconds after which a tab that was closed meanwhile holds nothing any more. */
const LEASE = 15_000

/** What is needed of the browser. */
export interface TabsPage {
  readonly navigator?: { readonly locks?: Pick<LockManager, 'request'> | undefined } | undefined
  readonly localStorage?: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | undefined
}

/** Does something in one tab at a time. Without Web Locks a note in `localStorage` has to do, which two tabs may write at once. */
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
