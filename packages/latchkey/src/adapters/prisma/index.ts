import { withDocs } from '../../base/option-error.ts'
import type { UserAdapter } from '../../model/adapter.ts'
import { checkClient, checkNames } from '../expected.ts'
import type { RecordName } from '../records.ts'
import { rowAdapter } from '../rows/adapter.ts'
import { type Client, delegateOf, type ModelNames, type PrismaClient } from './client.ts'
import { fieldMapping } from './fields.ts'
import { prismaRows } from './rows.ts'

export type { PrismaClient } from './client.ts'

export interface PrismaAdapterOptions {
  /**
   * Other names of models, as members of the client: `{ user: 'member' }` for `prisma.member`.
   *
   * The model `record` for the records of plugins has no default name.
   *
   * @default `user`, `account`, `session`, `verificationToken`, `authenticator`
   */
  readonly models?: Partial<Readonly<Record<RecordName, string>>> | undefined
  /**
   * Source of user ids: `latchkey` (a UUID), or `column`, the default value of the field.
   *
   * @default `'latchkey'`; `'column'` if ids are numbers
   */
  readonly ids?: 'latchkey' | 'column' | undefined
}

const NAMES: ModelNames = {
  user: 'user',
  account: 'account',
  session: 'session',
  verificationToken: 'verificationToken',
  authenticator: 'authenticator',
  // An application may use this name for another model.
  record: '',
}

const OPTIONAL: readonly RecordName[] = ['session', 'verificationToken', 'authenticator', 'record']

/**
 * Creates an adapter that stores everything with the Prisma client of the application.
 *
 * @throws {Error} if the client lacks the model of users or of accounts, or a model lacks a field.
 */
export function prismaAdapter(
  client: PrismaClient,
  options: PrismaAdapterOptions = {},
): UserAdapter {
  checkClient('prismaAdapter', client, 'a Prisma client', ['$transaction'])
  checkNames('prismaAdapter', options, ['models', 'ids'])
  const { models, ids } = options
  const prisma = client as unknown as Client
  const names: ModelNames = { ...NAMES, ...models }
  const mapping = <Name extends RecordName>(name: Name) => {
    const delegate = delegateOf(prisma, names[name])
    if (!delegate && (!OPTIONAL.includes(name) || models?.[name] !== undefined)) {
      throw new Error(
        withDocs(
          `the Prisma client has no model ${names[name]}; add it to the schema, or set its name in \`models\``,
          'adapter',
        ),
      )
    }
    return delegate && fieldMapping(name, delegate)
  }
  const mappings = {
    user: mapping('user'),
    account: mapping('account'),
    session: mapping('session'),
    verificationToken: mapping('verificationToken'),
    authenticator: mapping('authenticator'),
    record: mapping('record'),
  }
  const idType = delegateOf(prisma, names.user)?.fields?.['id']?.typeName
  const isNumber = idType === 'Int' || idType === 'BigInt'
  return rowAdapter(
    prismaRows(prisma, {
      models: names,
      mappings,
      ids: ids ?? (isNumber ? 'column' : 'latchkey'),
    }),
  )
}
