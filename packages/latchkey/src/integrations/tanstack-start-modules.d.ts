// The part of TanStack Start's types that is used. The package is the one that the application installed.

declare module '@tanstack/react-start' {
  export interface RequestServerResult<Register, Middlewares, Context> {
    readonly register?: Register
    readonly middlewares?: Middlewares
    readonly added?: Context
    readonly response: Response
  }
}
