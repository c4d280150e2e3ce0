/**
 * Checks of the arguments of functions, for the `api` of plugins: see `withCheckedArguments` of `latchkey/plugin`. A module
 * of its own, since it is only needed for a call that is wrong.
 *
 * @module
 */
export * from '../options/arguments/arguments.ts'
