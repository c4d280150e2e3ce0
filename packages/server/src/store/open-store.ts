import { chmodSync, closeSync, openSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { checkSchema, migrate, sqlAdapter } from 'latchkey/adapters/sql'
import { openNodeSqlite } from 'latchkey/adapters/sql/node-sqlite'
import { firstLine } from '../config-file.ts'
import type { Settings } from '../settings.ts'
import { UserError } from '../user-error.ts'
import { codeOf, makeDataDir } from './data-dir.ts'
import { sqlitePath } from './database-url.ts'
import { sqliteProbe } from './sqlite-probe.ts'
import type { Store } from './store.ts'

type Where = Pick<Settings, 'database' | 'dataDir' | 'production'>
