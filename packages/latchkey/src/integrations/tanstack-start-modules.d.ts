// What is used of TanStack Start's types. It is the application's own whose types are taken.

declare module '@tanstack/react-start' {
  export interface RequestServerResult<Register, Middlewares, Context> {
    readonly register?: Register
    readonly middlewares?: Middlewares
    readonly added?: Context
    readonly response: Response
  }
}
