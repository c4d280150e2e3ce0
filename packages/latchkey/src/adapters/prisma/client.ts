import type { RecordName } from '../records.ts'
import type { Row } from '../rows/coding.ts'

/** A Prisma client that was generated from a schema of the application. */
export interface PrismaClient {
  $transaction(...args: never[]): unknown
}

/** The members of a model that the adapter uses. */
export interface Delegate {
  readonly fields?: Readonly<Record<string, { readonly typeName?: string }>>
  findMany(query: object): Promise<Row[]>
  create(query: object): Promise<Row>
  updateMany(query: object): Promise<{ count: number }>
  deleteMany(query: object): Promise<{ count: number }>
}

/** A client, or the client of a transaction. */
export interface Client {
  $transaction?(work: (inside: Client) => Promise<unknown>): Promise<unknown>
}

/** The names of the models, as members of the client. */
export type ModelNames = Readonly<Record<RecordName, string>>

export function delegateOf(client: Client, name: string): Delegate | undefined {
  return (client as Readonly<Record<string, Delegate | undefined>>)[name]
}
