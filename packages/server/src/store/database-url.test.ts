import { describe, expect, test } from 'vitest'
import { sqlitePath } from './database-url.ts'

describe('a database URL', () => {
  test.each([
    ['file:data.db', '/srv/data.db'],
    ['file:./a/data.db', '/srv/a/data.db'],
    ['file:/var/data.db', '/var/data.db'],
    ['file:///var/my%20data.db', '/var/my data.db'],
    ['FILE:/var/data.db', '/var/data.db'],
    ['file:a%20b.db', '/srv/a b.db'],
  ])('%s', (url, path) => {
    expect(sqlitePath(url, '/srv')).toBe(path)
  })

  test.each([
    [
      'postgres://user:hidden@host/db',
      'database: postgres: is not supported; only file: and the path of a SQLite file is',
    ],
    ['data.db', 'database: must be a URL; write file: in front of the path of a SQLite file'],
    ['C:\\data.db', 'database: must be a URL; write file: in front of the path of a SQLite file'],
    ['file:', 'database: names no file; write file: and the path of a SQLite file'],
    ['file:/var/', 'database: names no file; write file: and the path of a SQLite file'],
    ['file:x.db?mode=ro', 'database: must not have a query or a fragment; use the path alone'],
    ['file://host/x.db', 'database: file: must not name a host; write file: and the path'],
    ['file:100%.db', 'database: has a broken percent sign; write %25 for the character itself'],
  ])('not %s', (url, message) => {
    expect(() => sqlitePath(url, '/srv')).toThrow(message)
  })
})
