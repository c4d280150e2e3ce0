/**
 * Refuses addresses of services for throw-away mailboxes. Needs the package `disposable-email-domains`.
 *
 * @module
 */

import { defaultOf, loadOnce } from '../../entries/plugin.ts'

/**
 * Returns the hook `isDisposable` of `limits()`, with the list of the package `disposable-email-domains`. The list is
 * loaded at the first use.
 */
export function disposableAddresses(): (address: string) => Promise<boolean> {
  return async (address) => {
    const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase()
    const labels = domain.split('.')
    const parents = labels.slice(0, -1).map((_, at) => labels.slice(at).join('.'))
    const known = await loadList()
    return parents.some((each) => known.has(each))
  }
}

const loadList = loadOnce(async (): Promise<ReadonlySet<string>> => {
  try {
    const list = await import('disposable-email-domains/index.js')
    return new Set(defaultOf(list))
  } catch (error) {
    throw new Error(
      'disposableAddresses() needs the package disposable-email-domains: run npm install disposable-email-domains',
      { cause: error },
    )
  }
})
