// The part of Qwik that is used. The package is the one that the application installed.

declare module '@builder.io/qwik' {
  /** A function that may be loaded when it is called. */
  export interface QRL<Type> {
    readonly resolved?: Type
  }
  /** A function that is already loaded. */
  export function inlinedQrl<Type>(symbol: Type, symbolName: string): QRL<Type>
  export function implicit$FirstArg<First, Result>(
    fn: (qrl: QRL<First>) => Result,
  ): (first: First) => Result
}

declare module '@builder.io/qwik/build' {
  /** A constant of the build: code that depends on it is not built for the browser. */
  export const isServer: boolean
}

declare module '@builder.io/qwik-city' {
  import type { QRL } from '@builder.io/qwik'

  export interface RequestEventCommon {
    readonly request: Request
    readonly method: string
    readonly clientConn?: { readonly ip?: string }
    /** The URL of the page, also in requests for its data. */
    readonly url: URL
    readonly headers: Headers
    readonly env: { get(name: string): string | undefined }
    readonly cookie: { set(name: string, value: string): void }
    readonly sharedMap: Map<string, unknown>
    send(response: Response): Error
    text(status: number, text: string): Error
    redirect(status: number, url: string): Error
    fail<Data extends object>(status: number, data: Data): Data & { failed: true }
  }
  export interface Loader<Type> {
    readonly value?: Type
  }
  export interface Action<Result, Input> {
    readonly result?: Result
    readonly input?: Input
  }
  export function routeLoaderQrl<Type>(
    loader: QRL<(event: RequestEventCommon) => Type>,
    options: { id: string },
  ): Loader<Type>
  export function globalActionQrl<Result, Input>(
    action: QRL<(input: Input, event: RequestEventCommon) => Promise<Result>>,
    options: { id: string },
  ): Action<Result, Input>
}
