import type { SqlDialect } from './dialect.ts'
import { mysqlDialect } from './mysql.ts'

/** MariaDB 10.6 and later. */
export const mariadb: SqlDialect = mysqlDialect({
  name: 'mariadb',
  collation: 'utf8mb4_nopad_bin',
  returning: { insert: true, update: false, delete: true },
})
