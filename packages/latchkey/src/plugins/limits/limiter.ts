import { clientAddress, type Limiter, loadOnce, type Strikes } from '../../entries/plugin.ts'
import { finderOf, type Parts } from './parts.ts'

/** Creates what the plugin does for all others. */
export function createLimiter(parts: Parts): Limiter {
  const { host, settings, counter, browsers, challenges, state } = parts
  const finder = loadOnce(() => finderOf(settings.client))
  return {
    count: async (...asked) => (await counter()).count(...asked),
    async attempt(name, subjects) {
      const { attempt } = await loadAttempt()
      return attempt(name, subjects, {
        counter: await counter(),
        challenges: await challenges(),
        browsers: await browsers(),
        host,
        settings,
      })
    },
    async clientAddress(request) {
      const find = await finder()
      return find(clientAddress(request), (name) => request.headers.get(name))
    },
    isKnownBrowser: async (userId, request) =>
      (await (await browsers()).deviceOf(userId, request)) !== undefined,
    browserOf: async (...asked) => (await (await browsers()).deviceOf(...asked))?.key,
    poolOf: async (...asked) => (await (await browsers()).deviceOf(...asked))?.pool,
    forgetBrowsers: async (...asked) => (await browsers()).forgetAll(...asked),
    mayMail: async (...asked) => (await counter()).mayMail(...asked),
    async isDisposable(address) {
      const { isDisposable } = settings.hooks
      return (await isDisposable?.(address)) === true
    },
    async failed() {
      state().failures.add(host.ports.now())
    },
    async challenge(name, request, isRequired = false) {
      const asked = await challenges()
      if (!asked || settings.challengeWhen === 'never') return undefined
      const isNeeded =
        isRequired ||
        (await asked.judge({
          action: name,
          request,
          isHalfUsed: await (await counter()).isHalfUsed(name, { request }),
          counts: [],
          isOver: false,
          isKnown: undefined,
        })) === 'challenge'
      return isNeeded ? asked.part(name, request) : undefined
    },
    strikes: (authenticator, most) => strikesOf(authenticator, most, parts),
  }
}

function strikesOf(
  authenticator: string,
  most: number | undefined,
  { host, browsers, state }: Parts,
): Strikes {
  const strikes = loadOnce(async () => {
    const { createStrikes } = await loadStrikes()
    return createStrikes(host, authenticator, await browsers(), most)
  })
  return {
    isDisabled: async (...asked) => (await strikes()).isDisabled(...asked),
    async wrong(...asked) {
      state().failures.add(host.ports.now())
      return (await strikes()).wrong(...asked)
    },
    right: async (...asked) => (await strikes()).right(...asked),
    clear: async (userId) => (await strikes()).clear(userId),
  }
}

const loadAttempt = loadOnce(() => import('./counting/attempt.ts'))
const loadStrikes = loadOnce(() => import('./browsers/strikes.ts'))
