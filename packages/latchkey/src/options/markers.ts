/** `config.raw`: for framework authors; `Auth` then returns the {@link ResponseInternal}. */
export const raw: unique symbol = Symbol.for('latchkey.raw') as never

/** `config.skipCSRFCheck`: for framework authors whose framework already protects its forms. */
export const skipCSRFCheck: unique symbol = Symbol.for('latchkey.skip-csrf-check') as never

/** On a provider or its options: your own `fetch` for its requests, for example through a proxy. */
export const customFetch: unique symbol = Symbol.for('latchkey.custom-fetch') as never

/**
 * On a provider of an optional type: the function that compiles it. The provider's module sets it, so that it is not
 * part of other bundles.
 */
export const compileWith: unique symbol = Symbol.for('latchkey.compile-with') as never

/** On a provider or a plugin: the function that checks its configuration. Its module sets it. */
export const checkWith: unique symbol = Symbol.for('latchkey.check-with') as never

/** On a configuration: `true` if `NODE_ENV` is `production`. */
export const inProduction: unique symbol = Symbol.for('latchkey.in-production') as never

/** Returns whether a configuration is for production. */
export function isInProduction(config: object): boolean {
  return (config as { readonly [inProduction]?: boolean })[inProduction] === true
}

/** On a configuration: the origin of `AUTH_URL`. */
export const configuredOrigin: unique symbol = Symbol.for('latchkey.configured-origin') as never

/** On a configuration: the function that creates the state cookie. Only applications that use it bundle it. */
export const stateCookieWith: unique symbol = Symbol.for('latchkey.state-cookie-with') as never

/** On a plugin: the code that runs plugins. `definePlugin` sets it. */
export const setUpWith: unique symbol = Symbol.for('latchkey.set-up-with') as never

/** On the edge part of a plugin: what it cannot check of a session there. */
export const uncheckedAtEdge: unique symbol = Symbol.for('latchkey.unchecked-at-edge') as never

/** On a plugin: `true` for its edge part, whose needs are not checked. */
export const withoutNeeds: unique symbol = Symbol.for('latchkey.without-needs') as never

/**
 * On the edge part of a plugin that needs the store when sessions begin, are extended or end: a function that throws the
 * error with the name of the plugin. Sessions are then only read.
 */
export const sessionsElsewhere: unique symbol = Symbol.for('latchkey.sessions-elsewhere') as never
