/** The part of Nest's execution context that is used. */
export interface NestContext {
  getType(): string
  getHandler(): object
  getClass(): object
  switchToHttp(): { getRequest<T>(): T; getResponse<T>(): T }
}

/** Controllers and handlers that need no session. */
const open = new WeakSet<object>()

/** A decorator for controllers and methods that need no session. */
export function Public(): (target: object, key?: unknown, method?: { value?: unknown }) => void {
  return (target, _key, method) => {
    open.add(method ? (method.value as object) : target)
  }
}

/** Returns whether the request is for a controller or method that needs no session. */
export function isOpen(context: NestContext): boolean {
  return open.has(context.getHandler()) || open.has(context.getClass())
}
