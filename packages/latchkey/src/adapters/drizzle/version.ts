import { npmVersion } from 'drizzle-orm/version'
import { needs, type Requirement } from '../../base/needs.ts'

/** From 0.36 on a table may list its keys; version 1 has other names for the types of columns. */
const orm: Requirement = {
  what: 'latchkey/adapters/drizzle',
  name: 'drizzle-orm',
  from: '0.36',
  before: '1',
}

/** @throws {Error} if the application's version of Drizzle does not work. */
export function checkDrizzle(): void {
  needs(orm, npmVersion)
}
