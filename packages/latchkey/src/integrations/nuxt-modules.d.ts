// The part of Nuxt that is used in an application. The package is the one that the application installed.

declare module 'nuxt/app' {
  import type { Session, StepUp } from 'latchkey'

  export function abortNavigation(error: { statusCode: number }): false
  export function defineNuxtPlugin(plugin: {
    name: string
    setup(): Promise<{ provide: object }>
  }): unknown
  export function defineNuxtRouteMiddleware(
    guard: (to: { readonly fullPath: string }) => unknown,
  ): unknown
  export function navigateTo(
    path: string,
    options: { external: true; redirectCode?: number },
  ): false | Promise<false>
  export function useNuxtApp(): {
    /** Whether the browser takes over the page with which it began. */
    readonly isHydrating?: boolean
    /** Whether the server rendered that page, and the error that is shown in its place. */
    readonly payload: { readonly serverRendered?: boolean; readonly error?: unknown }
    /** Calls a function that uses the application, after an `await`. */
    runWithContext<Result>(call: () => Result): Result | Promise<Awaited<Result>>
  }
  /** Has the values that the module's middleware set, unless the page is prerendered. */
  export function useRequestEvent():
    | {
        readonly context: {
          latchkey?: () => Promise<Session | null>
          latchkeyProof?: (needed: StepUp & { redirectTo: string }) => Promise<Response | undefined>
        }
      }
    | undefined
  export function useRuntimeConfig(): { readonly app: { readonly baseURL: string } }
  /** State that the server passes to the browser. */
  export function useState<T>(key: string): { value: T | undefined }
}
