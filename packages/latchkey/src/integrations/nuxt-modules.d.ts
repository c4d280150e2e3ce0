// What is used of Nuxt in an application. It is the application's own that is loaded.

declare module 'nuxt/app' {
  export function defineNuxtPlugin(plugin: {
    name: string
    setup(): Promise<{ provide: object }>
  }): unknown
  export function defineNuxtRouteMiddleware(
    guard: (to: { readonly fullPath: string }) => unknown,
  ): unknown
  export function navigateTo(path: string, options: { external: true }): unknown
  export function useNuxtApp(): object
  export function useRequestEvent(): { readonly context: object } | undefined
  /** What the server found out is known in the browser. */
  export function useState<T>(key: string): { value: T | undefined }
}
