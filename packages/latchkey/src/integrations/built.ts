import { createLatchkey as create, type Env } from '../entries/index.ts'
import { processEnv } from './mounted.ts'

// For frameworks that build the application. Their development servers set `NODE_ENV`, and what they build is often
// started without it: then it runs in production.

/** Returns `NODE_ENV`, which is `production` unless a variable says otherwise. */
export function modeOf(given: string | undefined): string {
  return given || processEnv()['NODE_ENV'] || 'production'
}

export function builtEnv(env: Env = processEnv()): Env {
  return env['NODE_ENV'] ? env : { ...env, NODE_ENV: modeOf(undefined) }
}

/** {@link create}, but without `NODE_ENV` the application runs in production. */
export const createLatchkey = ((source: Parameters<typeof create>[0], env?: Env) =>
  create(source, builtEnv(env))) as typeof create
