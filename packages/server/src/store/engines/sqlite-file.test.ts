import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../../../tests/support/temporary.ts'
import { openSqliteFile } from './sqlite-file.ts'

test.each([0o000, 0o022, 0o277, 0o777])(
  'a new database is readable and writable for its owner only, with any umask: %o',
  async (umask) => {
    using directory = temporaryDirectory()
    const { path } = directory
    const before = process.umask(umask)
    try {
      const database = await openSqliteFile(join(path, 'data.db'), { make: true })
      await database.migrate()
      const modes = ['data.db', 'data.db-wal', 'data.db-shm'].map(
        (name) => statSync(join(path, name)).mode & 0o777,
      )
      await database.close()
      expect(modes).toEqual([0o600, 0o600, 0o600])
    } finally {
      process.umask(before)
    }
  },
)
