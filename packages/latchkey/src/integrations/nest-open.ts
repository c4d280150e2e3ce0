/** What Nest tells a guard, as far as it is used. */
export interface NestContext {
  getType(): string
  getHandler(): object
  getClass(): object
  switchToHttp(): { getRequest<T>(): T; getResponse<T>(): T }
}

/** Controllers and handlers that everybody may see. */
const open = new WeakSet<object>()

/** A decorator for controllers and their methods: everybody may see this. */
export function Public(): (target: object, key?: unknown, method?: { value?: unknown }) => void {
  return (target, _key, method) => {
    open.add(method ? (method.value as object) : target)
  }
}

/** May everybody see what this is about? */
export function isOpen(context: NestContext): boolean {
  return open.has(context.getHandler()) || open.has(context.getClass())
}
