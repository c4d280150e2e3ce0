import { readFileSync } from 'node:fs'
import { atomic } from 'latchkey/adapters'
import { prismaAdapter } from 'latchkey/adapters/prisma'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  describeAdapter,
  sideBySide,
} from '../../../packages/latchkey/tests/contracts/adapter-contract.ts'
import { postgresDatabase } from '../../../packages/latchkey/tests/peers/sql/databases.ts'
import {
  type GeneratedClient,
  type GeneratedPrisma,
  generatePrisma,
} from './support/generate-prisma.ts'

const ada = { id: 'd5a1f6d2-8a39-4c6c-9d5b-6d3d29e2b1aa', email: 'ada@x.example' }
const user = { ...ada, emailVerified: null }

/** The tables that Prisma's own migration makes of our models. */
const TABLES = `
CREATE TABLE "User" (
  "id" TEXT PRIMARY KEY, "name" TEXT, "email" TEXT, "emailVerified" TIMESTAMP(3), "image" TEXT
);
CREATE UNIQUE INDEX "User_email_key" ON "User"("email");
CREATE TABLE "Account" (
  "userId" TEXT NOT NULL REFERENCES "User" ON DELETE CASCADE, "type" TEXT NOT NULL,
  "provider" TEXT NOT NULL, "providerAccountId" TEXT NOT NULL, "refresh_token" TEXT,
  "access_token" TEXT, "expires_at" BIGINT, "token_type" TEXT, "scope" TEXT, "id_token" TEXT,
  "session_state" TEXT, PRIMARY KEY ("provider", "providerAccountId")
);
CREATE TABLE "Session" (
  "sessionToken" TEXT PRIMARY KEY, "userId" TEXT NOT NULL REFERENCES "User" ON DELETE CASCADE,
  "expires" TIMESTAMP(3) NOT NULL
);
CREATE TABLE "VerificationToken" (
  "identifier" TEXT, "token" TEXT, "expires" TIMESTAMP(3) NOT NULL, PRIMARY KEY ("identifier", "token")
);
CREATE TABLE "Authenticator" (
  "credentialID" TEXT PRIMARY KEY, "userId" TEXT NOT NULL REFERENCES "User" ON DELETE CASCADE,
  "providerAccountId" TEXT NOT NULL, "credentialPublicKey" TEXT NOT NULL, "counter" BIGINT NOT NULL,
  "credentialDeviceType" TEXT NOT NULL, "credentialBackedUp" BOOLEAN NOT NULL, "transports" TEXT
);
CREATE TABLE "Record" (
  "kind" TEXT, "key" TEXT, "userId" TEXT, "data" TEXT NOT NULL, "version" INTEGER NOT NULL,
  "createdAt" TIMESTAMP(3) NOT NULL, "expires" TIMESTAMP(3), PRIMARY KEY ("kind", "key")
)`

/** Models with other names and types than ours. */
const OTHER_MODELS = `
model Member {
  id     Int     @id @default(autoincrement())
  email  String? @unique
  role   String  @default("guest")
  logins Login[]
  visits Visit[]
}
model Login {
  id                Int    @id @default(autoincrement())
  userId            Int
  type              String
  provider          String
  providerAccountId String
  expires_at        Int?
  user              Member @relation(fields: [userId], references: [id])
  @@unique([provider, providerAccountId])
}
model Visit {
  sessionToken String @id @db.Uuid
  userId       Int
  expires      BigInt
  user         Member @relation(fields: [userId], references: [id])
}`

const OTHER_TABLES = `
CREATE COLLATION folded (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE TABLE "Member" ("id" SERIAL PRIMARY KEY, "email" TEXT UNIQUE, "role" TEXT DEFAULT 'guest');
CREATE TABLE "Login" (
  "id" SERIAL PRIMARY KEY, "userId" INTEGER NOT NULL REFERENCES "Member", "type" TEXT NOT NULL,
  "provider" TEXT NOT NULL, "providerAccountId" TEXT COLLATE folded NOT NULL, "expires_at" INTEGER,
  UNIQUE ("provider", "providerAccountId")
);
CREATE TABLE "Visit" (
  "sessionToken" UUID PRIMARY KEY, "userId" INTEGER NOT NULL REFERENCES "Member",
  "expires" BIGINT NOT NULL
)`

const readme = readFileSync(
  new URL('../../../packages/latchkey/src/adapters/prisma/README.md', import.meta.url),
  'utf8',
)
const MODELS = Array.from(readme.matchAll(/^```prisma\n([^]*?)^```/gm), ([, text]) => text).join(
  '\n',
)

const database = await postgresDatabase()

/** A client of these models, on tables that are made once. */
async function open(models: string, tables: string) {
  const generated: GeneratedPrisma = await generatePrisma(models)
  const client: GeneratedClient = generated.connect(database?.url ?? '')
  for (const statement of tables.split(';\n')) await client.$executeRawUnsafe(statement)
  return { generated, client }
}

describe.skipIf(!database)('Prisma', () => {
  let ours: Awaited<ReturnType<typeof open>>
  let others: Awaited<ReturnType<typeof open>>

  beforeAll(async () => {
    ours = await open(MODELS, TABLES)
    others = await open(OTHER_MODELS, OTHER_TABLES)
  })

  afterAll(async () => {
    for (const { client, generated } of [ours, others]) {
      await client.$disconnect()
      generated[Symbol.dispose]()
    }
    await database?.[Symbol.asyncDispose]()
  })

  describeAdapter('Prisma on PostgreSQL', async () => {
    await ours.client.$executeRawUnsafe('TRUNCATE "User", "VerificationToken", "Record" CASCADE')
    return sideBySide(() => prismaAdapter(ours.client, { models: { record: 'pluginRecord' } }))
  })

  test('models may have other names and other types of fields', async () => {
    const models = { user: 'member', account: 'login', session: 'visit' }
    const adapter = prismaAdapter(others.client, { models })
    const expires = new Date('2030-01-02T03:04:05.678Z')
    const sessionToken = 'f7e0a1de-2d1f-4b57-a1c1-8e64d31e30b1'

    const created = await adapter.createUser?.({ ...user, phone: '1' } as typeof user)
    const base = { name: null, image: null, emailVerified: null }
    expect(created).toEqual({ id: '1', email: ada.email, role: 'guest', ...base })
    expect(await adapter.getUser?.('1')).toEqual(created)
    for (const id of ['01', 'x', ada.id]) expect(await adapter.getUser?.(id)).toBeNull()
    await expect(async () => adapter.updateUser?.({ id: 'x', name: 'X' })).rejects.toThrow(
      'the user to update does not exist',
    )
    await adapter.deleteUser?.('x')
    expect(await adapter[atomic]?.listSessionsByUserId?.('x')).toEqual([])
    expect(await adapter[atomic]?.deleteSessionsByUserId?.('x')).toBe(0)
    expect(await adapter[atomic]?.listUsers?.({ limit: 5, after: 'x' })).toMatchObject({
      users: [],
    })
    const account = { userId: '1', type: 'oidc' as const, provider: 'acme', providerAccountId: '7' }
    await adapter.linkAccount?.({ ...account, expires_at: 2_000_000_000, access_token: 'none' })
    expect(await adapter.getAccount?.('7', 'acme')).toMatchObject({
      ...account,
      expires_at: 2_000_000_000,
      access_token: null,
    })
    // T-DATA-2: a column that folds case finds no other account.
    await adapter.linkAccount?.({ ...account, providerAccountId: 'Subject' })
    const other = { provider: 'acme', providerAccountId: 'subject' }
    expect(await adapter.getUserByAccount?.(other)).toBeNull()
    expect(await adapter.getAccount?.('subject', 'acme')).toBeNull()
    await adapter.unlinkAccount?.(other)
    expect(await adapter[atomic]?.updateAccount?.({ ...other, expires_at: 1 })).toBe(false)
    expect(await adapter.getAccount?.('Subject', 'acme')).toMatchObject({ expires_at: null })
    await adapter.createSession?.({ sessionToken, userId: '1', expires })
    expect(await adapter.getSessionAndUser?.('no uuid')).toBeNull()
    expect(await adapter.getSessionAndUser?.(sessionToken)).toEqual({
      session: { sessionToken, userId: '1', expires },
      user: created,
    })
    expect(adapter).not.toHaveProperty('createVerificationToken')
    expect(adapter[atomic]).not.toHaveProperty('countAttempt')
    expect(await adapter[atomic]?.listUsers?.({ limit: 1 })).toEqual({
      users: [created],
      next: null,
    })
    // No foreign key does it here.
    await adapter.deleteUser?.('1')
    expect(await adapter.getAccount?.('7', 'acme')).toBeNull()
  })

  test('an error has none of the values that were written', async () => {
    const adapter = prismaAdapter(ours.client)
    const wrong = { ...user, name: { first: 'a-secret-name' } } as unknown as typeof user
    const error = await Promise.resolve(adapter.createUser?.(wrong)).catch((e: unknown) => e)
    expect((error as Error).message).toBe(
      'the Prisma model user does not match: Argument `name` (latchkey/docs/reference/errors.md#adaptererror)',
    )
  })

  test('a store that fails is an error, not an empty result', async () => {
    const gone = ours.generated.connect('postgres://127.0.0.1:1/none')
    const adapter = prismaAdapter(gone)
    await expect(async () => adapter.getUser?.(ada.id)).rejects.toThrow('reach')
    await expect(async () =>
      adapter.useVerificationToken?.({ identifier: 'a', token: 'b' }),
    ).rejects.toThrow('reach')
    await expect(async () =>
      adapter[atomic]?.countAttempt?.({ key: 'k', limit: 1, now: new Date(), expires: new Date() }),
    ).rejects.toThrow('reach')
    await gone.$disconnect()
  })

  test('a transaction with a deadlock is repeated as a whole', async () => {
    const adapter = prismaAdapter(ours.client)
    await ours.client.$executeRawUnsafe('TRUNCATE "User" CASCADE')
    const ids = ['one', 'two']
    for (const id of ids) await adapter.createUser?.({ ...user, id, email: id })
    let begun = 0
    const { promise: both, resolve: go } = Promise.withResolvers<void>()
    // Each has one of both users and waits for the other.
    const crossed = [ids, ids.toReversed()].map(([first = '', second = '']) =>
      adapter[atomic]?.transaction?.(async (inside) => {
        await inside.updateUser?.({ id: first, name: first })
        if (++begun === 2) go()
        await both
        await inside.updateUser?.({ id: second, name: first })
      }),
    )
    await Promise.all(crossed)
    expect(begun).toBeGreaterThanOrEqual(3)
    const names = ids.map(async (id) => (await adapter.getUser?.(id))?.name)
    expect(new Set(await Promise.all(names)).size).toBe(1)
  })

  test('a client without a required model or field is refused', () => {
    const without = { models: { user: 'nobody' } }
    expect(() => prismaAdapter(ours.client, without)).toThrow('has no model nobody')
    const wrong = { models: { user: 'session' } }
    expect(() => prismaAdapter(ours.client, wrong)).toThrow('has no field id')
  })
})
