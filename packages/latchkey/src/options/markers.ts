/** `config.raw`: for framework authors; the entry point gives the {@link ResponseInternal}. */
export const raw: unique symbol = Symbol.for('latchkey.raw') as never

/** `config.skipCSRFCheck`: for framework authors whose framework already protects its forms. */
export const skipCSRFCheck: unique symbol = Symbol.for('latchkey.skip-csrf-check') as never

/** On a provider or its options: a `fetch` of your own for its requests, through a proxy say. */
export const customFetch: unique symbol = Symbol.for('latchkey.custom-fetch') as never

/**
 * On a provider of a type that not every application has: what makes it part of a plan. Its module
 * brings it along, so that nobody else carries it.
 */
export const compileWith: unique symbol = Symbol.for('latchkey.compile-with') as never

/** On a provider or a plugin: what its configuration is judged by. Its module brings it along. */
export const checkWith: unique symbol = Symbol.for('latchkey.check-with') as never

/** On a configuration that was filled in where `NODE_ENV` is `production`: true. */
export const inProduction: unique symbol = Symbol.for('latchkey.in-production') as never

/** On a configuration: a list of what is put around the sessions. Only applications that want it carry it. */
export const around: unique symbol = Symbol.for('latchkey.around') as never

/** On a plugin: what sets plugins up and answers for them. `definePlugin` brings it along. */
export const setUpWith: unique symbol = Symbol.for('latchkey.set-up-with') as never

/** On the half of a plugin for the edge: what it cannot tell of a session there. */
export const uncheckedAtEdge: unique symbol = Symbol.for('latchkey.unchecked-at-edge') as never

/** On a plugin: true where it is the half for the edge, whose needs the other half has. */
export const withoutNeeds: unique symbol = Symbol.for('latchkey.without-needs') as never
