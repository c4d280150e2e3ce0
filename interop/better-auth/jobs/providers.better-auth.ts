import { betterAuth } from 'better-auth'
import { drizzleAdapter } from 'better-auth/adapters/drizzle'
import { drizzle } from 'drizzle-orm/libsql'
import { Hono } from 'hono'
import * as schema from './providers.better-auth-schema.ts'

const { DATABASE = 'app.db' } = process.env

export const auth = betterAuth({
  baseURL: process.env['BASE_URL'],
  database: drizzleAdapter(drizzle(`file:${DATABASE}`), { provider: 'sqlite', schema }),
  socialProviders: {
    github: {
      clientId: process.env['AUTH_GITHUB_ID'] ?? '',
      clientSecret: process.env['AUTH_GITHUB_SECRET'] ?? '',
    },
    google: {
      clientId: process.env['AUTH_GOOGLE_ID'] ?? '',
      clientSecret: process.env['AUTH_GOOGLE_SECRET'] ?? '',
    },
  },
})

export const app = new Hono()
app.on(['GET', 'POST'], '/api/auth/*', (context) => auth.handler(context.req.raw))
