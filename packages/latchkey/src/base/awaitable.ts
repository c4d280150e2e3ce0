/** A value, now or later. */
export type Awaitable<T> = T | PromiseLike<T>
