import { createRequire } from 'node:module'
import type { Adapter as PeerAdapter } from '@auth/core/adapters'
import { DrizzleAdapter } from '@auth/drizzle-adapter'
import { type Database, KyselyAdapter } from '@auth/kysely-adapter'
import { defaultEntities, MikroOrmAdapter } from '@auth/mikro-orm-adapter'
import PostgresAdapter from '@auth/pg-adapter'
import { createIndexes, PouchDBAdapter } from '@auth/pouchdb-adapter'
import { PrismaAdapter } from '@auth/prisma-adapter'
import SequelizeAdapter from '@auth/sequelize-adapter'
import { getManager, TypeORMAdapter, entities as typeOrmEntities } from '@auth/typeorm-adapter'
import { UnstorageAdapter } from '@auth/unstorage-adapter'
import { UpstashRedisAdapter } from '@auth/upstash-redis-adapter'
import { MikroORM } from '@mikro-orm/core'
import { PostgreSqlDriver } from '@mikro-orm/postgresql'
import { Redis } from '@upstash/redis'
import { drizzle } from 'drizzle-orm/node-postgres'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { Sequelize } from 'sequelize'
import type { DataSource } from 'typeorm'
import { createStorage } from 'unstorage'
import type { Adapter } from '../../../../packages/latchkey/src/model/adapter.ts'
import { postgresDatabase } from '../../../../packages/latchkey/tests/peers/sql/databases.ts'
import { createTables } from '../../../../packages/latchkey/tests/support/drizzle-tables.ts'
import {
  connectRedis,
  removeKeys,
  startUpstashFront,
} from '../../../../packages/latchkey/tests/support/redis.ts'
import { generatePrisma } from '../../../stores/tests/support/generate-prisma.ts'
import { defineTables } from '../../node_modules/@auth/drizzle-adapter/lib/pg.js'

/** A store with the adapter of Auth.js for it. */
export interface Store {
  readonly adapter: Adapter
  /** The address of its database, if that is PostgreSQL's. */
  readonly url?: string
  /** Makes the store empty. */
  clear(): Promise<void>
  /** How many users there are. */
  users(): Promise<number>
  /** How many records there are of any kind. */
  records(): Promise<number>
  close(): Promise<void>
}

export interface StoreKind {
  readonly packageName: string
  readonly version: string
  /** What it runs over here. */
  readonly over: string
  /** @returns `undefined` when the server for it does not answer. */
  open(): Promise<Store | undefined>
}

const require = createRequire(import.meta.url)

/** What is used of PouchDB, which comes without types. */
interface PouchDatabase {
  allDocs(): Promise<{ rows: { id: string; value: { rev: string } }[] }>
  remove(id: string, revision: string): Promise<unknown>
  destroy(): Promise<void>
}

interface PouchConstructor {
  new (name: string, options: { adapter: string }): PouchDatabase
  plugin(plugin: object): void
}

/** The package of a name, as it is installed here; its manifest is not among what it exports. */
function versionOf(name: string): string {
  const path = `../../node_modules/${name}/package.json`
  return (require(path) as { version: string }).version
}

function kind(
  packageName: string,
  driver: string,
  on: string,
  open: () => Promise<Store | undefined>,
): StoreKind {
  const version = versionOf(packageName)
  return { packageName, version, over: `${driver} ${versionOf(driver)}, ${on}`, open }
}

type Tables = Parameters<typeof createTables>[0]

/** A store in a PostgreSQL database of its own. */
async function onPostgres(
  tables: string | undefined,
  connect: (url: string, pool: pg.Pool) => Promise<{ adapter: PeerAdapter; end?(): unknown }>,
): Promise<Store | undefined> {
  const database = await postgresDatabase()
  if (!database) return undefined
  const pool = new pg.Pool({ connectionString: database.url, max: 8 })
  if (tables) await pool.query(tables)
  const { adapter, end } = await connect(database.url, pool)
  const names = async (): Promise<string[]> => {
    const { rows } = await pool.query<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
    )
    return rows.map(({ name }) => name)
  }
  const count = async (tables: readonly string[]): Promise<number> => {
    let sum = 0
    for (const table of tables) {
      const { rows } = await pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM "${table}"`)
      sum += rows[0]?.n ?? 0
    }
    return sum
  }
  return {
    adapter,
    url: database.url,
    async clear() {
      const all = await names()
      if (all.length > 0) await pool.query(`TRUNCATE ${all.map((n) => `"${n}"`).join()} CASCADE`)
    },
    users: async () => count((await names()).filter((name) => /^users?$/i.test(name))),
    records: async () => count(await names()),
    async close() {
      await end?.()
      await pool.end()
      await database[Symbol.asyncDispose]()
    },
  }
}

/** As the documentation of the adapter has them. */
export const PG_TABLES = `
CREATE TABLE verification_token (
  identifier TEXT NOT NULL, expires TIMESTAMPTZ NOT NULL, token TEXT NOT NULL,
  PRIMARY KEY (identifier, token)
);
CREATE TABLE accounts (
  id SERIAL PRIMARY KEY, "userId" INTEGER NOT NULL, type VARCHAR(255) NOT NULL,
  provider VARCHAR(255) NOT NULL, "providerAccountId" VARCHAR(255) NOT NULL, refresh_token TEXT,
  access_token TEXT, expires_at BIGINT, id_token TEXT, scope TEXT, session_state TEXT,
  token_type TEXT
);
CREATE TABLE sessions (
  id SERIAL PRIMARY KEY, "userId" INTEGER NOT NULL, expires TIMESTAMPTZ NOT NULL,
  "sessionToken" VARCHAR(255) NOT NULL
);
CREATE TABLE users (
  id SERIAL PRIMARY KEY, name VARCHAR(255), email VARCHAR(255), "emailVerified" TIMESTAMPTZ,
  image TEXT
)`

const KYSELY_TABLES = `
CREATE TABLE "User" (
  id UUID PRIMARY KEY DEFAULT gen_random_uuid(), name TEXT, email TEXT UNIQUE,
  "emailVerified" TIMESTAMPTZ, image TEXT
);
CREATE TABLE "Account" (
  id UUID PRIMARY KEY DEFAULT gen_random_uuid(),
  "userId" UUID NOT NULL REFERENCES "User" ON DELETE CASCADE, type TEXT NOT NULL,
  provider TEXT NOT NULL, "providerAccountId" TEXT NOT NULL, refresh_token TEXT, access_token TEXT,
  expires_at BIGINT, token_type TEXT, scope TEXT, id_token TEXT, session_state TEXT
);
CREATE TABLE "Session" (
  id UUID PRIMARY KEY DEFAULT gen_random_uuid(),
  "userId" UUID NOT NULL REFERENCES "User" ON DELETE CASCADE, "sessionToken" TEXT NOT NULL UNIQUE,
  expires TIMESTAMPTZ NOT NULL
);
CREATE TABLE "VerificationToken" (
  identifier TEXT NOT NULL, token TEXT NOT NULL UNIQUE, expires TIMESTAMPTZ NOT NULL
)`

/** As the documentation of the adapter has them. */
export const PRISMA_MODELS = `
model User {
  id            String          @id @default(cuid())
  name          String?
  email         String          @unique
  emailVerified DateTime?
  image         String?
  accounts      Account[]
  sessions      Session[]
  Authenticator Authenticator[]
  createdAt         DateTime @default(now())
  updatedAt         DateTime @updatedAt
}
model Account {
  userId            String
  type              String
  provider          String
  providerAccountId String
  refresh_token     String?
  access_token      String?
  expires_at        Int?
  token_type        String?
  scope             String?
  id_token          String?
  session_state     String?
  createdAt         DateTime @default(now())
  updatedAt         DateTime @updatedAt
  user User @relation(fields: [userId], references: [id], onDelete: Cascade)
  @@id([provider, providerAccountId])
}
model Session {
  sessionToken String   @unique
  userId       String
  expires      DateTime
  createdAt         DateTime @default(now())
  updatedAt         DateTime @updatedAt
  user         User     @relation(fields: [userId], references: [id], onDelete: Cascade)
}
model VerificationToken {
  identifier String
  token      String
  expires    DateTime
  @@id([identifier, token])
}
model Authenticator {
  credentialID         String  @unique
  userId               String
  providerAccountId    String
  credentialPublicKey  String
  counter              Int
  credentialDeviceType String
  credentialBackedUp   Boolean
  transports           String?
  user User @relation(fields: [userId], references: [id], onDelete: Cascade)
  @@id([userId, credentialID])
}`

export const PRISMA_TABLES = `
CREATE TABLE "User" (
  id TEXT PRIMARY KEY, name TEXT, email TEXT NOT NULL UNIQUE, "emailVerified" TIMESTAMP(3),
  image TEXT, "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updatedAt" TIMESTAMP(3) NOT NULL
);
CREATE TABLE "Account" (
  "userId" TEXT NOT NULL REFERENCES "User" ON DELETE CASCADE, type TEXT NOT NULL,
  provider TEXT NOT NULL, "providerAccountId" TEXT NOT NULL, refresh_token TEXT, access_token TEXT,
  expires_at INTEGER, token_type TEXT, scope TEXT, id_token TEXT, session_state TEXT,
  "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "updatedAt" TIMESTAMP(3) NOT NULL,
  PRIMARY KEY (provider, "providerAccountId")
);
CREATE TABLE "Session" (
  "sessionToken" TEXT NOT NULL UNIQUE, "userId" TEXT NOT NULL REFERENCES "User" ON DELETE CASCADE,
  "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "updatedAt" TIMESTAMP(3) NOT NULL,
  expires TIMESTAMP(3) NOT NULL
);
CREATE TABLE "VerificationToken" (
  identifier TEXT NOT NULL, token TEXT NOT NULL, expires TIMESTAMP(3) NOT NULL,
  PRIMARY KEY (identifier, token)
);
CREATE TABLE "Authenticator" (
  "credentialID" TEXT NOT NULL UNIQUE, "userId" TEXT NOT NULL REFERENCES "User" ON DELETE CASCADE,
  "providerAccountId" TEXT NOT NULL, "credentialPublicKey" TEXT NOT NULL, counter INTEGER NOT NULL,
  "credentialDeviceType" TEXT NOT NULL, "credentialBackedUp" BOOLEAN NOT NULL, transports TEXT,
  PRIMARY KEY ("userId", "credentialID")
)`

/** What that package connects with once for a whole process, whatever address it is given later. */
let typeOrm: DataSource | undefined

export const stores: readonly StoreKind[] = [
  kind('@auth/pg-adapter', 'pg', 'PostgreSQL', () =>
    onPostgres(PG_TABLES, async (_, pool) => ({ adapter: PostgresAdapter(pool) })),
  ),
  kind('@auth/drizzle-adapter', 'drizzle-orm', 'PostgreSQL', async () => {
    // The package resolves a copy of Drizzle of its own, whose types are others.
    const tables = createTables(Object.values(defineTables()) as unknown as Tables)
    return onPostgres(tables.join(';\n'), async (_, pool) => ({
      adapter: DrizzleAdapter(drizzle(pool)),
    }))
  }),
  kind('@auth/kysely-adapter', 'kysely', 'PostgreSQL', () =>
    onPostgres(KYSELY_TABLES, async (_, pool) => ({
      adapter: KyselyAdapter(new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })),
    })),
  ),
  {
    packageName: '@auth/prisma-adapter',
    version: versionOf('@auth/prisma-adapter'),
    over: '@prisma/client 7.10.0, PostgreSQL',
    open: () =>
      onPostgres(PRISMA_TABLES, async (url) => {
        const generated = await generatePrisma(PRISMA_MODELS)
        const client = generated.connect(url)
        return {
          adapter: PrismaAdapter(client),
          async end() {
            await client.$disconnect()
            generated[Symbol.dispose]()
          },
        }
      }),
  },
  kind('@auth/typeorm-adapter', 'typeorm', 'PostgreSQL', () =>
    onPostgres(undefined, async (url) => {
      const dataSource = { type: 'postgres', url, synchronize: true } as const
      // A call that a test did not wait for connects it again, to the database of that test.
      if (typeOrm?.isInitialized) await typeOrm.destroy()
      typeOrm?.setOptions(dataSource)
      typeOrm = (await getManager({ dataSource, entities: typeOrmEntities })).connection
      const adapter = TypeORMAdapter(dataSource)
      return { adapter, end: () => disconnect(adapter) }
    }),
  ),
  kind('@auth/sequelize-adapter', 'sequelize', 'PostgreSQL', () =>
    onPostgres(undefined, async (url) => {
      const sequelize = new Sequelize(url, { logging: false })
      const adapter = SequelizeAdapter(sequelize, { synchronize: false })
      for (const name of ['user', 'account', 'session', 'verificationToken']) {
        await sequelize.model(name).sync()
      }
      return { adapter, end: () => sequelize.close() }
    }),
  ),
  kind('@auth/mikro-orm-adapter', '@mikro-orm/core', 'PostgreSQL', () =>
    onPostgres(undefined, async (clientUrl) => {
      const options = {
        driver: PostgreSqlDriver,
        clientUrl,
        entities: Object.values(defaultEntities),
      }
      const orm = await MikroORM.init(options)
      await orm.getSchemaGenerator().createSchema()
      await orm.close()
      const adapter = MikroOrmAdapter({ driver: PostgreSqlDriver, clientUrl })
      return { adapter, end: () => disconnect(adapter) }
    }),
  ),
  kind('@auth/unstorage-adapter', 'unstorage', 'in memory', async () => {
    const storage = createStorage()
    return {
      adapter: UnstorageAdapter(storage),
      clear: () => storage.clear(),
      users: async () => (await storage.getKeys()).filter(isUserKey).length,
      records: async () => (await storage.getKeys()).length,
      close: () => storage.dispose(),
    }
  }),
  kind('@auth/upstash-redis-adapter', '@upstash/redis', 'a REST front of Redis', async () => {
    const redis = await connectRedis()
    const front = await startUpstashFront(redis)
    const prefix = `interop-${process.pid}:`
    const client = new Redis({ url: front.url, token: 'any' })
    const keys = () => redis.keys(`${prefix}*`)
    return {
      adapter: UpstashRedisAdapter(client, { baseKeyPrefix: prefix }),
      clear: () => removeKeys(redis, prefix),
      users: async () => (await keys()).filter((key) => isUserKey(key.slice(prefix.length))).length,
      records: async () => (await keys()).length,
      async close() {
        await removeKeys(redis, prefix)
        await front[Symbol.asyncDispose]()
        await redis.close()
      },
    }
  }),
  kind('@auth/pouchdb-adapter', 'pouchdb', 'in memory', async () => {
    const PouchDB = require('pouchdb') as PouchConstructor
    PouchDB.plugin(require('pouchdb-adapter-memory') as object)
    PouchDB.plugin(require('pouchdb-find') as object)
    const pouchdb = new PouchDB(`interop-${process.pid}`, { adapter: 'memory' })
    await createIndexes(pouchdb)
    const documents = async () => {
      const { rows } = await pouchdb.allDocs()
      return rows.filter(({ id }) => !id.startsWith('_design'))
    }
    return {
      adapter: PouchDBAdapter({ pouchdb }),
      async clear() {
        for (const { id, value } of await documents()) await pouchdb.remove(id, value.rev)
      },
      users: async () => (await documents()).filter(({ id }) => id.startsWith('USER')).length,
      records: async () => (await documents()).length,
      close: () => pouchdb.destroy(),
    }
  }),
]

/** Two adapters open connections of their own, and have a member that closes them. */
async function disconnect(
  adapter: PeerAdapter & { __disconnect?(): Promise<void> },
): Promise<void> {
  await adapter.__disconnect?.()
}

/** Of the key-value stores: `user:` and the id, but none of the keys for looking up. */
function isUserKey(key: string): boolean {
  return /^user:[\da-f-]{36}$/.test(key)
}
