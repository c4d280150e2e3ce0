import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

// As the command of Better Auth writes it.

const created = integer('created_at', { mode: 'timestamp' }).notNull()
const updated = integer('updated_at', { mode: 'timestamp' }).notNull()

export const user = sqliteTable('user', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  email: text('email').notNull().unique(),
  emailVerified: integer('email_verified', { mode: 'boolean' }).notNull(),
  image: text('image'),
  createdAt: created,
  updatedAt: updated,
})

const userId = text('user_id')
  .notNull()
  .references(() => user.id, { onDelete: 'cascade' })

export const session = sqliteTable('session', {
  id: text('id').primaryKey(),
  expiresAt: integer('expires_at', { mode: 'timestamp' }).notNull(),
  token: text('token').notNull().unique(),
  createdAt: created,
  updatedAt: updated,
  ipAddress: text('ip_address'),
  userAgent: text('user_agent'),
  userId,
})

export const account = sqliteTable('account', {
  id: text('id').primaryKey(),
  accountId: text('account_id').notNull(),
  providerId: text('provider_id').notNull(),
  userId,
  accessToken: text('access_token'),
  refreshToken: text('refresh_token'),
  idToken: text('id_token'),
  accessTokenExpiresAt: integer('access_token_expires_at', { mode: 'timestamp' }),
  refreshTokenExpiresAt: integer('refresh_token_expires_at', { mode: 'timestamp' }),
  scope: text('scope'),
  password: text('password'),
  createdAt: created,
  updatedAt: updated,
})

export const verification = sqliteTable('verification', {
  id: text('id').primaryKey(),
  identifier: text('identifier').notNull(),
  value: text('value').notNull(),
  expiresAt: integer('expires_at', { mode: 'timestamp' }).notNull(),
  createdAt: created,
  updatedAt: updated,
})
