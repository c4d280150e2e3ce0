import type { Naming, Preset } from '../../../src/adapters/sql/index.ts'
import type { DescribeAdapterOptions } from '../../../src/testing/adapter/index.ts'

/** Tables as another adapter documents them, and rows as it writes them. */
export interface ForeignLayout {
  readonly preset: Preset
  /** What an existing database needs to be told besides, if anything. */
  readonly naming?: Naming
  readonly tables: string
  /** A user with an account and a session; `$user` stands for the id where the database gives it. */
  readonly rows: string
  /** The id of that user, if it is not {@link ADA}. */
  readonly id?: string
  /** Says when the session ends, as the other adapter reads it. */
  readonly expires: string
  /** Rules that these tables cannot keep, each with the reason. */
  readonly except?: DescribeAdapterOptions['except']
}

export const ADA = '7d1b3b5c-59c4-4d0e-9b0a-0d9f7c2a4e11'

/** When the session of the rows ends. */
export const ENDS = new Date('2026-03-29T01:30:00.123Z')

type Exceptions = NonNullable<ForeignLayout['except']>

const because = (reason: string, rules: readonly string[]): Exceptions =>
  Object.fromEntries(rules.map((rule) => [rule, reason]))

const NO_UNIQUE_ADDRESS = because('the address is not unique', [
  'a second user with the same address is a conflict',
  'T-LINK-4: of many parallel creations of users with one address exactly one succeeds',
  'an update to an address of another user is a conflict',
  'T-LINK-4: of two clients that create the same user exactly one succeeds',
])
const NO_UNIQUE_ACCOUNT = because('provider and subject are not unique', [
  'linking an account that exists is a conflict for every user, and its owner stays the same',
  'T-LINK-4: of many parallel links of one account exactly one succeeds',
  'T-LINK-4: of two clients that link one account exactly one succeeds',
  'T-DATA-3: a transaction with a conflict stores none of its changes',
  'T-LINK-4: of many parallel transactions that create the same user exactly one succeeds',
])
const NO_UNIQUE_SESSION = because('the token of a session is not unique', [
  'a session token that exists is a conflict',
  'replacing a session token with one that exists is a conflict',
])
const NO_REFERENCES = because('the tables have no foreign keys', [
  'an account of a user that does not exist is not linked',
])
const THIRTY_TWO_BITS = because('numbers have 32 bits', [
  'an account is returned completely, with tokens of 8 kB and an expiry after 2038',
])
const COUNTER_OF_32_BITS = because('numbers have 32 bits', [
  'a signature counter can only increase',
  'an authenticator is returned as it was stored, with a boolean and null',
])
const TOKEN_ALONE = because('the token alone is the key', [
  'T-DATA-2: two different pairs of address and token are never the same key',
  'deleting a user removes the open verification tokens of their address',
])
const SHORT_TEXTS = because('texts have 255 characters', [
  'stores an address of 320 characters and a picture of 300 kB',
])
const SHORT_ADDRESSES = {
  ...SHORT_TEXTS,
  ...because('texts have 255 characters', [
    'a verification token of an address of 320 characters can be taken',
  ]),
}

export const postgresLayouts: readonly ForeignLayout[] = [
  {
    preset: 'pg',
    tables: `
      CREATE TABLE verification_token (identifier TEXT NOT NULL, expires TIMESTAMPTZ NOT NULL,
        token TEXT NOT NULL, PRIMARY KEY (identifier, token));
      CREATE TABLE accounts (id SERIAL, "userId" INTEGER NOT NULL, type VARCHAR(255) NOT NULL,
        provider VARCHAR(255) NOT NULL, "providerAccountId" VARCHAR(255) NOT NULL,
        refresh_token TEXT, access_token TEXT, expires_at BIGINT, id_token TEXT, scope TEXT,
        session_state TEXT, token_type TEXT, PRIMARY KEY (id));
      CREATE TABLE sessions (id SERIAL, "userId" INTEGER NOT NULL, expires TIMESTAMPTZ NOT NULL,
        "sessionToken" VARCHAR(255) NOT NULL, PRIMARY KEY (id));
      CREATE TABLE users (id SERIAL, name VARCHAR(255), email VARCHAR(255),
        "emailVerified" TIMESTAMPTZ, image TEXT, PRIMARY KEY (id))`,
    rows: `
      INSERT INTO users (name, email, "emailVerified")
        VALUES ('Ada', 'ada@x.example', '2026-03-29 01:30:00.123+00');
      INSERT INTO accounts ("userId", type, provider, "providerAccountId", expires_at)
        VALUES (1, 'oauth', 'acme', 'subject', 4102444800);
      INSERT INTO sessions ("userId", expires, "sessionToken")
        VALUES (1, '2026-03-29 01:30:00.123+00', 'open')`,
    id: '1',
    expires: `SELECT expires AT TIME ZONE 'UTC' || '' AS expires FROM sessions WHERE "sessionToken" = 'new'`,
    except: {
      ...NO_UNIQUE_ADDRESS,
      ...NO_UNIQUE_ACCOUNT,
      ...NO_UNIQUE_SESSION,
      ...SHORT_TEXTS,
    },
  },
  {
    preset: 'drizzle',
    tables: `
      CREATE TABLE "user" (id text PRIMARY KEY, name text, email text UNIQUE,
        "emailVerified" timestamp, image text);
      CREATE TABLE account ("userId" text NOT NULL REFERENCES "user" (id) ON DELETE CASCADE,
        type text NOT NULL, provider text NOT NULL, "providerAccountId" text NOT NULL,
        refresh_token text, access_token text, expires_at integer, token_type text, scope text,
        id_token text, session_state text, PRIMARY KEY (provider, "providerAccountId"));
      CREATE TABLE session ("sessionToken" text PRIMARY KEY,
        "userId" text NOT NULL REFERENCES "user" (id) ON DELETE CASCADE, expires timestamp NOT NULL);
      CREATE TABLE "verificationToken" (identifier text NOT NULL, token text NOT NULL,
        expires timestamp NOT NULL, PRIMARY KEY (identifier, token));
      CREATE TABLE authenticator ("credentialID" text NOT NULL UNIQUE,
        "userId" text NOT NULL REFERENCES "user" (id) ON DELETE CASCADE,
        "providerAccountId" text NOT NULL, "credentialPublicKey" text NOT NULL,
        counter integer NOT NULL, "credentialDeviceType" text NOT NULL,
        "credentialBackedUp" boolean NOT NULL, transports text,
        PRIMARY KEY ("userId", "credentialID"))`,
    rows: `
      INSERT INTO "user" (id, name, email, "emailVerified")
        VALUES ('${ADA}', 'Ada', 'ada@x.example', '2026-03-29T01:30:00.123');
      INSERT INTO account ("userId", type, provider, "providerAccountId", expires_at)
        VALUES ('${ADA}', 'oauth', 'acme', 'subject', 1893456000);
      INSERT INTO session VALUES ('open', '${ADA}', '2026-03-29T01:30:00.123')`,
    expires: `SELECT expires::text AS expires FROM session WHERE "sessionToken" = 'new'`,
    except: { ...THIRTY_TWO_BITS, ...COUNTER_OF_32_BITS },
  },
  {
    preset: 'prisma',
    tables: `
      CREATE TABLE "User" (id text PRIMARY KEY, name text, email text UNIQUE,
        "emailVerified" timestamp(3), image text,
        "createdAt" timestamp(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "updatedAt" timestamp(3) NOT NULL);
      CREATE TABLE "Account" ("userId" text NOT NULL REFERENCES "User" (id) ON DELETE CASCADE,
        type text NOT NULL, provider text NOT NULL, "providerAccountId" text NOT NULL,
        refresh_token text, access_token text, expires_at integer, token_type text, scope text,
        id_token text, session_state text,
        "createdAt" timestamp(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "updatedAt" timestamp(3) NOT NULL,
        PRIMARY KEY (provider, "providerAccountId"));
      CREATE TABLE "Session" ("sessionToken" text NOT NULL UNIQUE,
        "userId" text NOT NULL REFERENCES "User" (id) ON DELETE CASCADE,
        expires timestamp(3) NOT NULL,
        "createdAt" timestamp(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "updatedAt" timestamp(3) NOT NULL);
      CREATE TABLE "VerificationToken" (identifier text NOT NULL, token text NOT NULL,
        expires timestamp(3) NOT NULL, PRIMARY KEY (identifier, token));
      CREATE TABLE "Authenticator" ("credentialID" text NOT NULL UNIQUE,
        "userId" text NOT NULL REFERENCES "User" (id) ON DELETE CASCADE,
        "providerAccountId" text NOT NULL, "credentialPublicKey" text NOT NULL,
        counter integer NOT NULL, "credentialDeviceType" text NOT NULL,
        "credentialBackedUp" boolean NOT NULL, transports text,
        PRIMARY KEY ("userId", "credentialID"))`,
    rows: `
      INSERT INTO "User" (id, name, email, "emailVerified", "updatedAt")
        VALUES ('${ADA}', 'Ada', 'ada@x.example', '2026-03-29T01:30:00.123', '2026-01-01');
      INSERT INTO "Account" ("userId", type, provider, "providerAccountId", "updatedAt")
        VALUES ('${ADA}', 'oauth', 'acme', 'subject', '2026-01-01');
      INSERT INTO "Session" ("sessionToken", "userId", expires, "updatedAt")
        VALUES ('open', '${ADA}', '2026-03-29T01:30:00.123', '2026-01-01')`,
    expires: `SELECT expires::text AS expires FROM "Session" WHERE "sessionToken" = 'new'`,
    except: { ...THIRTY_TWO_BITS, ...COUNTER_OF_32_BITS },
  },
  {
    preset: 'typeorm',
    tables: `
      CREATE TABLE users (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), name varchar,
        email varchar UNIQUE, "emailVerified" varchar, image varchar);
      CREATE TABLE accounts (id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        "userId" uuid NOT NULL REFERENCES users (id), type varchar NOT NULL,
        provider varchar NOT NULL, "providerAccountId" varchar NOT NULL, refresh_token varchar,
        access_token varchar, expires_at bigint, token_type varchar, scope varchar,
        id_token varchar, session_state varchar);
      CREATE TABLE sessions (id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        "sessionToken" varchar NOT NULL UNIQUE, "userId" uuid NOT NULL REFERENCES users (id),
        expires varchar NOT NULL);
      CREATE TABLE verification_tokens (id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        token varchar NOT NULL, identifier varchar NOT NULL, expires varchar NOT NULL)`,
    rows: `
      INSERT INTO users (id, name, email, "emailVerified")
        VALUES ('${ADA}', 'Ada', 'ada@x.example', '1774747800123');
      INSERT INTO accounts ("userId", type, provider, "providerAccountId")
        VALUES ('${ADA}', 'oauth', 'acme', 'subject');
      INSERT INTO sessions ("sessionToken", "userId", expires)
        VALUES ('open', '${ADA}', '1774747800123')`,
    expires: `SELECT expires FROM sessions WHERE "sessionToken" = 'new'`,
    except: {
      ...NO_UNIQUE_ACCOUNT,
      ...because('verification tokens are not unique', [
        'a verification token that exists is a conflict',
        'T-OTV-5: many parallel attempts are never counted above the limit',
        'a lease has one holder until it expires; the next holder gets a greater number',
        'T-OTV-5: the attempts of two clients are counted together',
        'a lease that one client holds is not given to another client',
      ]),
    },
  },
  {
    preset: 'kysely',
    tables: `
      CREATE TABLE "User" (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), name text, email text UNIQUE,
        "emailVerified" timestamptz, image text);
      CREATE TABLE "Account" (id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        "userId" uuid NOT NULL REFERENCES "User" (id) ON DELETE CASCADE, type text NOT NULL,
        provider text NOT NULL, "providerAccountId" text NOT NULL, refresh_token text,
        access_token text, expires_at bigint, token_type text, scope text, id_token text,
        session_state text);
      CREATE TABLE "Session" (id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        "userId" uuid NOT NULL REFERENCES "User" (id) ON DELETE CASCADE,
        "sessionToken" text NOT NULL UNIQUE, expires timestamptz NOT NULL);
      CREATE TABLE "VerificationToken" (identifier text NOT NULL, token text NOT NULL UNIQUE,
        expires timestamptz NOT NULL)`,
    rows: `
      INSERT INTO "User" (id, name, email, "emailVerified")
        VALUES ('${ADA}', 'Ada', 'ada@x.example', '2026-03-29T01:30:00.123Z');
      INSERT INTO "Account" ("userId", type, provider, "providerAccountId")
        VALUES ('${ADA}', 'oauth', 'acme', 'subject');
      INSERT INTO "Session" ("sessionToken", "userId", expires)
        VALUES ('open', '${ADA}', '2026-03-29T01:30:00.123Z')`,
    expires: `SELECT expires AT TIME ZONE 'UTC' || '' AS expires FROM "Session" WHERE "sessionToken" = 'new'`,
    except: { ...NO_UNIQUE_ACCOUNT, ...TOKEN_ALONE },
  },
  {
    preset: 'supabase',
    tables: `
      CREATE SCHEMA next_auth;
      CREATE TABLE next_auth.users (id uuid NOT NULL PRIMARY KEY DEFAULT gen_random_uuid(),
        name text, email text UNIQUE, "emailVerified" timestamptz, image text);
      CREATE TABLE next_auth.sessions (id uuid NOT NULL PRIMARY KEY DEFAULT gen_random_uuid(),
        expires timestamptz NOT NULL, "sessionToken" text NOT NULL UNIQUE,
        "userId" uuid REFERENCES next_auth.users (id) ON DELETE CASCADE);
      CREATE TABLE next_auth.accounts (id uuid NOT NULL PRIMARY KEY DEFAULT gen_random_uuid(),
        type text NOT NULL, provider text NOT NULL, "providerAccountId" text NOT NULL,
        refresh_token text, access_token text, expires_at bigint, token_type text, scope text,
        id_token text, session_state text, oauth_token_secret text, oauth_token text,
        "userId" uuid REFERENCES next_auth.users (id) ON DELETE CASCADE,
        UNIQUE (provider, "providerAccountId"));
      CREATE TABLE next_auth.verification_tokens (identifier text, token text PRIMARY KEY,
        expires timestamptz NOT NULL)`,
    rows: `
      INSERT INTO next_auth.users (id, name, email, "emailVerified")
        VALUES ('${ADA}', 'Ada', 'ada@x.example', '2026-03-29T01:30:00.123Z');
      INSERT INTO next_auth.accounts ("userId", type, provider, "providerAccountId")
        VALUES ('${ADA}', 'oauth', 'acme', 'subject');
      INSERT INTO next_auth.sessions ("sessionToken", "userId", expires)
        VALUES ('open', '${ADA}', '2026-03-29T01:30:00.123Z')`,
    expires: `SELECT expires AT TIME ZONE 'UTC' || '' AS expires FROM next_auth.sessions WHERE "sessionToken" = 'new'`,
    except: TOKEN_ALONE,
  },
  {
    preset: 'sequelize',
    tables: `
      CREATE TABLE users (id uuid PRIMARY KEY, name varchar(255), email varchar(255) UNIQUE,
        email_verified timestamptz, image varchar(255));
      CREATE TABLE accounts (id uuid PRIMARY KEY, type varchar(255) NOT NULL,
        provider varchar(255) NOT NULL, provider_account_id varchar(255) NOT NULL,
        refresh_token varchar(255), access_token varchar(255), expires_at integer,
        token_type varchar(255), scope varchar(255), id_token text, session_state varchar(255),
        user_id uuid REFERENCES users (id) ON DELETE CASCADE);
      CREATE TABLE sessions (id uuid PRIMARY KEY, expires timestamptz NOT NULL,
        session_token varchar(255) NOT NULL UNIQUE,
        user_id uuid REFERENCES users (id) ON DELETE CASCADE);
      CREATE TABLE verification_tokens (token varchar(255) PRIMARY KEY,
        identifier varchar(255) NOT NULL, expires timestamptz NOT NULL)`,
    rows: `
      INSERT INTO users (id, name, email, email_verified)
        VALUES ('${ADA}', 'Ada', 'ada@x.example', '2026-03-29 01:30:00.123 +00:00');
      INSERT INTO accounts (id, user_id, type, provider, provider_account_id)
        VALUES ('${ADA}', '${ADA}', 'oauth', 'acme', 'subject');
      INSERT INTO sessions (id, session_token, user_id, expires)
        VALUES ('${ADA}', 'open', '${ADA}', '2026-03-29 01:30:00.123 +00:00')`,
    expires: `SELECT expires AT TIME ZONE 'UTC' || '' AS expires FROM sessions WHERE session_token = 'new'`,
    except: { ...NO_UNIQUE_ACCOUNT, ...TOKEN_ALONE, ...THIRTY_TWO_BITS, ...SHORT_ADDRESSES },
  },
  {
    preset: 'mikro-orm',
    tables: `
      CREATE TABLE "user" (id varchar(255) PRIMARY KEY, name varchar(255),
        email varchar(255) UNIQUE, email_verified timestamptz(3), image varchar(255));
      CREATE TABLE account (id varchar(255) PRIMARY KEY,
        user_id varchar(255) NOT NULL REFERENCES "user" (id) ON DELETE CASCADE,
        type varchar(255) NOT NULL, provider varchar(255) NOT NULL,
        provider_account_id varchar(255) NOT NULL, refresh_token varchar(255),
        access_token varchar(255), expires_at int, token_type varchar(255), scope varchar(255),
        id_token text, session_state varchar(255), UNIQUE (provider, provider_account_id));
      CREATE TABLE session (id varchar(255) PRIMARY KEY,
        user_id varchar(255) NOT NULL REFERENCES "user" (id) ON DELETE CASCADE,
        expires timestamptz(3) NOT NULL, session_token varchar(255) NOT NULL UNIQUE);
      CREATE TABLE verification_token (token varchar(255) PRIMARY KEY,
        expires timestamptz(3) NOT NULL, identifier varchar(255) NOT NULL)`,
    rows: `
      INSERT INTO "user" (id, name, email, email_verified)
        VALUES ('${ADA}', 'Ada', 'ada@x.example', '2026-03-29T01:30:00.123Z');
      INSERT INTO account (id, user_id, type, provider, provider_account_id)
        VALUES ('1', '${ADA}', 'oauth', 'acme', 'subject');
      INSERT INTO session (id, session_token, user_id, expires)
        VALUES ('1', 'open', '${ADA}', '2026-03-29T01:30:00.123Z')`,
    expires: `SELECT expires AT TIME ZONE 'UTC' || '' AS expires FROM session WHERE session_token = 'new'`,
    except: { ...TOKEN_ALONE, ...THIRTY_TWO_BITS, ...SHORT_ADDRESSES },
  },
]

const SQLITE_REST = `refresh_token TEXT, access_token TEXT, expires_at INTEGER, token_type TEXT,
  scope TEXT, id_token TEXT, session_state TEXT`

export const sqliteLayouts: readonly ForeignLayout[] = [
  {
    preset: 'drizzle',
    tables: `
      CREATE TABLE "user" (id text PRIMARY KEY, name text, email text UNIQUE,
        emailVerified integer, image text);
      CREATE TABLE account (userId text NOT NULL REFERENCES "user" (id) ON DELETE CASCADE,
        type text NOT NULL, provider text NOT NULL, providerAccountId text NOT NULL,
        ${SQLITE_REST}, PRIMARY KEY (provider, providerAccountId));
      CREATE TABLE session (sessionToken text PRIMARY KEY,
        userId text NOT NULL REFERENCES "user" (id) ON DELETE CASCADE, expires integer NOT NULL);
      CREATE TABLE verificationToken (identifier text NOT NULL, token text NOT NULL,
        expires integer NOT NULL, PRIMARY KEY (identifier, token));
      CREATE TABLE authenticator (credentialID text NOT NULL UNIQUE,
        userId text NOT NULL REFERENCES "user" (id) ON DELETE CASCADE,
        providerAccountId text NOT NULL, credentialPublicKey text NOT NULL,
        counter integer NOT NULL, credentialDeviceType text NOT NULL,
        credentialBackedUp integer NOT NULL, transports text, PRIMARY KEY (userId, credentialID))`,
    rows: `
      INSERT INTO "user" VALUES ('${ADA}', 'Ada', 'ada@x.example', 1774747800123, NULL);
      INSERT INTO account (userId, type, provider, providerAccountId)
        VALUES ('${ADA}', 'oauth', 'acme', 'subject');
      INSERT INTO session VALUES ('open', '${ADA}', 1774747800123)`,
    expires: `SELECT expires FROM session WHERE sessionToken = 'new'`,
  },
  {
    preset: 'kysely',
    tables: `
      CREATE TABLE User (id text PRIMARY KEY, name text, email text UNIQUE, emailVerified text,
        image text);
      CREATE TABLE Account (id text PRIMARY KEY,
        userId text NOT NULL REFERENCES User (id) ON DELETE CASCADE, type text NOT NULL,
        provider text NOT NULL, providerAccountId text NOT NULL, ${SQLITE_REST});
      CREATE TABLE Session (id text PRIMARY KEY,
        userId text NOT NULL REFERENCES User (id) ON DELETE CASCADE,
        sessionToken text NOT NULL UNIQUE, expires text NOT NULL);
      CREATE TABLE VerificationToken (identifier text NOT NULL, token text NOT NULL UNIQUE,
        expires text NOT NULL)`,
    rows: `
      INSERT INTO User VALUES ('${ADA}', 'Ada', 'ada@x.example', '2026-03-29T01:30:00.123Z', NULL);
      INSERT INTO Account (id, userId, type, provider, providerAccountId)
        VALUES ('1', '${ADA}', 'oauth', 'acme', 'subject');
      INSERT INTO Session VALUES ('1', '${ADA}', 'open', '2026-03-29T01:30:00.123Z')`,
    expires: `SELECT expires FROM Session WHERE sessionToken = 'new'`,
    except: { ...NO_UNIQUE_ACCOUNT, ...TOKEN_ALONE },
  },
  {
    preset: 'd1',
    tables: `
      CREATE TABLE accounts (id text NOT NULL DEFAULT '', userId text NOT NULL DEFAULT NULL,
        type text NOT NULL DEFAULT NULL, provider text NOT NULL DEFAULT NULL,
        providerAccountId text NOT NULL DEFAULT NULL, refresh_token text, access_token text,
        expires_at number, token_type text, scope text, id_token text, session_state text,
        oauth_token_secret text, oauth_token text, PRIMARY KEY (id));
      CREATE TABLE sessions (id text NOT NULL, sessionToken text NOT NULL,
        userId text NOT NULL DEFAULT NULL, expires datetime NOT NULL DEFAULT NULL,
        PRIMARY KEY (sessionToken));
      CREATE TABLE users (id text NOT NULL DEFAULT '', name text, email text,
        emailVerified datetime, image text, PRIMARY KEY (id));
      CREATE TABLE verification_tokens (identifier text NOT NULL, token text NOT NULL DEFAULT NULL,
        expires datetime NOT NULL DEFAULT NULL, PRIMARY KEY (token))`,
    rows: `
      INSERT INTO users VALUES ('${ADA}', 'Ada', 'ada@x.example', '2026-03-29T01:30:00.123Z', NULL);
      INSERT INTO accounts (id, userId, type, provider, providerAccountId)
        VALUES ('1', '${ADA}', 'oauth', 'acme', 'subject');
      INSERT INTO sessions VALUES ('1', 'open', '${ADA}', '2026-03-29T01:30:00.123Z')`,
    expires: `SELECT expires FROM sessions WHERE sessionToken = 'new'`,
    except: { ...NO_UNIQUE_ADDRESS, ...NO_UNIQUE_ACCOUNT, ...NO_REFERENCES, ...TOKEN_ALONE },
  },
  {
    preset: 'sequelize',
    tables: `
      CREATE TABLE users (id UUID PRIMARY KEY, name VARCHAR(255), email VARCHAR(255) UNIQUE,
        email_verified DATETIME, image VARCHAR(255));
      CREATE TABLE accounts (id UUID PRIMARY KEY, type VARCHAR(255) NOT NULL,
        provider VARCHAR(255) NOT NULL, provider_account_id VARCHAR(255) NOT NULL,
        refresh_token VARCHAR(255), access_token VARCHAR(255), expires_at INTEGER,
        token_type VARCHAR(255), scope VARCHAR(255), id_token TEXT, session_state VARCHAR(255),
        user_id UUID REFERENCES users (id) ON DELETE CASCADE);
      CREATE TABLE sessions (id UUID PRIMARY KEY, expires DATETIME NOT NULL,
        session_token VARCHAR(255) NOT NULL UNIQUE,
        user_id UUID REFERENCES users (id) ON DELETE CASCADE);
      CREATE TABLE verification_tokens (token VARCHAR(255) PRIMARY KEY,
        identifier VARCHAR(255) NOT NULL, expires DATETIME NOT NULL)`,
    rows: `
      INSERT INTO users VALUES
        ('${ADA}', 'Ada', 'ada@x.example', '2026-03-29 01:30:00.123 +00:00', NULL);
      INSERT INTO accounts (id, user_id, type, provider, provider_account_id)
        VALUES ('${ADA}', '${ADA}', 'oauth', 'acme', 'subject');
      INSERT INTO sessions (id, session_token, user_id, expires)
        VALUES ('${ADA}', 'open', '${ADA}', '2026-03-29 01:30:00.123 +00:00')`,
    expires: `SELECT expires FROM sessions WHERE session_token = 'new'`,
    except: { ...NO_UNIQUE_ACCOUNT, ...TOKEN_ALONE },
  },
]

const WHOLE_SECONDS = because('instants have whole seconds, from 1970 to 2038', [
  'results are plain, new objects',
  'a session is returned with its user immediately after its creation',
  'T-DATA-2: session tokens compare byte for byte',
  'dates of sessions keep their milliseconds, from 1970 to 9999',
  'dates do not depend on the time zone of the process',
  'an update of a session changes only the members that it names',
  'a verification token is returned once, with exactly three members',
  'T-OTV-1: of many parallel takes of a verification token exactly one gets it',
  'T-DATA-2: a verification token is found by address and token together',
  'taking a verification token without an address returns null and removes nothing',
  'an address may have several verification tokens; taking one keeps the others',
  'a verification token that exists is a conflict',
  'an expired verification token is still taken; the caller checks the expiry',
  'T-DATA-2: the address of a verification token compares byte for byte',
  'verification tokens keep strings and dates unchanged',
  'deleting a user removes the open verification tokens of their address',
  'an empty or malformed token finds no session; deleting it succeeds',
  'an empty or malformed key finds no verification token',
  'a client immediately reads what another client wrote',
  'a client does not read what another client changed or removed',
  'T-OTV-1: of two clients that take one verification token exactly one gets it',
  'replacing a session token succeeds once and keeps the other members of the session',
  'T-OTV-5: an attempt counts until it expires',
  'a lease has one holder until it expires; the next holder gets a greater number',
  'cleanup removes only expired entries, in batches',
  'lists all sessions and accounts of a user, and none of other users',
])

const CI = 'DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci'
const FOLDING = because('the collation takes different texts for the same', [
  'T-DATA-2: addresses compare byte for byte',
  'T-DATA-2: subjects compare byte for byte',
  'T-DATA-2: two different pairs of provider and subject are never the same key',
  'T-DATA-2: two different pairs of address and token are never the same key',
  'strings are returned character for character',
  'accounts keep strings unchanged, in keys and in other members',
  'session tokens that look like numbers, dates or ids stay unchanged',
  'credential ids that look like numbers, dates or ids stay unchanged',
])

export const mysqlLayouts: readonly ForeignLayout[] = [
  {
    preset: 'drizzle',
    tables: `
      CREATE TABLE user (id varchar(255) PRIMARY KEY, name varchar(255), email varchar(255) UNIQUE,
        emailVerified timestamp(3) NULL, image varchar(255)) ${CI};
      CREATE TABLE account (userId varchar(255) NOT NULL, type varchar(255) NOT NULL,
        provider varchar(255) NOT NULL, providerAccountId varchar(255) NOT NULL,
        refresh_token varchar(255), access_token varchar(255), expires_at int,
        token_type varchar(255), scope varchar(255), id_token varchar(2048),
        session_state varchar(255), PRIMARY KEY (provider, providerAccountId),
        FOREIGN KEY (userId) REFERENCES user (id) ON DELETE CASCADE) ${CI};
      CREATE TABLE session (sessionToken varchar(255) PRIMARY KEY, userId varchar(255) NOT NULL,
        expires timestamp NOT NULL,
        FOREIGN KEY (userId) REFERENCES user (id) ON DELETE CASCADE) ${CI};
      CREATE TABLE verificationToken (identifier varchar(255) NOT NULL, token varchar(255) NOT NULL,
        expires timestamp NOT NULL, PRIMARY KEY (identifier, token)) ${CI};
      CREATE TABLE authenticator (credentialID varchar(255) NOT NULL UNIQUE,
        userId varchar(255) NOT NULL, providerAccountId varchar(255) NOT NULL,
        credentialPublicKey varchar(255) NOT NULL, counter int NOT NULL,
        credentialDeviceType varchar(255) NOT NULL, credentialBackedUp boolean NOT NULL,
        transports varchar(255), PRIMARY KEY (userId, credentialID),
        FOREIGN KEY (userId) REFERENCES user (id) ON DELETE CASCADE) ${CI}`,
    rows: `
      SET time_zone = '+00:00';
      INSERT INTO user VALUES ('${ADA}', 'Ada', 'ada@x.example', '2026-03-29 01:30:00.123', NULL);
      INSERT INTO account (userId, type, provider, providerAccountId)
        VALUES ('${ADA}', 'oauth', 'acme', 'subject');
      INSERT INTO session VALUES ('open', '${ADA}', '2026-03-29 01:30:00')`,
    expires: `SELECT CAST(CONVERT_TZ(expires, @@session.time_zone, '+00:00') AS CHAR) AS expires FROM session WHERE sessionToken = 'new'`,
    except: {
      ...THIRTY_TWO_BITS,
      ...COUNTER_OF_32_BITS,
      ...SHORT_ADDRESSES,
      ...FOLDING,
      ...WHOLE_SECONDS,
    },
  },
  {
    preset: 'prisma',
    tables: `
      CREATE TABLE User (id varchar(191) PRIMARY KEY, name varchar(191), email varchar(191) UNIQUE,
        emailVerified datetime(3), image varchar(191),
        createdAt datetime(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3), updatedAt datetime(3) NOT NULL) ${CI};
      CREATE TABLE Account (userId varchar(191) NOT NULL, type varchar(191) NOT NULL,
        provider varchar(191) NOT NULL, providerAccountId varchar(191) NOT NULL,
        refresh_token text, access_token text, expires_at int, token_type varchar(191),
        scope varchar(191), id_token text, session_state varchar(191),
        createdAt datetime(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3), updatedAt datetime(3) NOT NULL,
        PRIMARY KEY (provider, providerAccountId),
        FOREIGN KEY (userId) REFERENCES User (id) ON DELETE CASCADE) ${CI};
      CREATE TABLE Session (sessionToken varchar(191) NOT NULL UNIQUE, userId varchar(191) NOT NULL,
        expires datetime(3) NOT NULL,
        createdAt datetime(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3), updatedAt datetime(3) NOT NULL,
        FOREIGN KEY (userId) REFERENCES User (id) ON DELETE CASCADE) ${CI};
      CREATE TABLE VerificationToken (identifier varchar(191) NOT NULL, token varchar(191) NOT NULL,
        expires datetime(3) NOT NULL, PRIMARY KEY (identifier, token)) ${CI};
      CREATE TABLE Authenticator (credentialID varchar(191) NOT NULL UNIQUE,
        userId varchar(191) NOT NULL, providerAccountId varchar(191) NOT NULL,
        credentialPublicKey text NOT NULL, counter int NOT NULL,
        credentialDeviceType varchar(191) NOT NULL, credentialBackedUp boolean NOT NULL,
        transports varchar(191), PRIMARY KEY (userId, credentialID),
        FOREIGN KEY (userId) REFERENCES User (id) ON DELETE CASCADE) ${CI}`,
    rows: `
      INSERT INTO User (id, name, email, emailVerified, updatedAt)
        VALUES ('${ADA}', 'Ada', 'ada@x.example', '2026-03-29 01:30:00.123', '2026-01-01');
      INSERT INTO Account (userId, type, provider, providerAccountId, updatedAt)
        VALUES ('${ADA}', 'oauth', 'acme', 'subject', '2026-01-01');
      INSERT INTO Session (sessionToken, userId, expires, updatedAt)
        VALUES ('open', '${ADA}', '2026-03-29 01:30:00.123', '2026-01-01')`,
    expires: `SELECT CAST(expires AS CHAR) AS expires FROM Session WHERE sessionToken = 'new'`,
    except: { ...THIRTY_TWO_BITS, ...COUNTER_OF_32_BITS, ...SHORT_ADDRESSES, ...FOLDING },
  },
]
