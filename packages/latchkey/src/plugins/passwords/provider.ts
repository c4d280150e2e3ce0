/** The id of the provider, which callbacks and events receive. */
export const PROVIDER = 'password'
