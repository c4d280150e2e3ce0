import { beforeEach } from 'vitest'
import { missingBrowser } from './chromium.ts'

/** Skips the tests of a suite, with the reason, if no browser can be started. */
export function needsBrowser(): void {
  beforeEach((context) => {
    if (missingBrowser !== undefined) context.skip(missingBrowser)
  })
}
