import { npmVersion } from 'drizzle-orm/version'
import { needs, type Requirement } from '../../base/needs.ts'

/** Since 0.36, a table may list its keys. Version 1 has other names for the types of columns. */
const orm: Requirement = {
  what: 'latchkey/adapters/drizzle',
  name: 'drizzle-orm',
  from: '0.36',
  before: '1',
}

/** @throws {Error} if the installed version of Drizzle is not supported. */
export function checkDrizzle(): void {
  needs(orm, npmVersion)
}
