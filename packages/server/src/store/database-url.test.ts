import { describe, expect, test } from 'vitest'
import { readDatabaseUrl, withoutPassword } from './database-url.ts'

describe('a database URL', () => {
  test.each([
    ['file:data.db', '/srv/data.db'],
    ['file:./a/data.db', '/srv/a/data.db'],
    ['file:/var/data.db', '/var/data.db'],
    ['file:///var/my%20data.db', '/var/my data.db'],
    ['FILE:/var/data.db', '/var/data.db'],
    ['file:a%20b.db', '/srv/a b.db'],
    ['sqlite:data.db', '/srv/data.db'],
    ['sqlite:///var/data.db', '/var/data.db'],
  ])('of a file is read: %s', (url, path) => {
    expect(readDatabaseUrl(url, '/srv')).toEqual({ engine: 'sqlite', path })
  })

  test.each([
    'postgres://a:secret@db.example:5433/auth?sslmode=verify-full',
    'postgresql://a:secret@db.example:5433/auth',
  ])('of PostgreSQL is read, and shown without its password: %s', (url) => {
    const address = readDatabaseUrl(url, '/srv')
    expect(address).toEqual({ engine: 'postgres', url: new URL(url) })
    expect('url' in address && withoutPassword(address.url)).toMatch(
      /^postgres(?:ql)?:\/\/db\.example:5433\/auth$/,
    )
  })

  test.each([
    ['mysql://a:b@h/db', 'mysql', 'mysql://a:b@h/db'],
    ['mariadb://a:b@h/db', 'mysql', 'mariadb://a:b@h/db'],
    ['libsql://h.example?authToken=t', 'libsql', 'libsql://h.example?authToken=t'],
    ['libsql:data.db', 'libsql', 'file:///srv/data.db'],
  ])('of another engine is read: %s', (url, engine, href) => {
    expect(readDatabaseUrl(url, '/srv')).toEqual({ engine, url: new URL(href) })
  })

  test.each([
    ['postgres://user:hid%zzen@host/db', 'database: has a broken percent sign'],
    ['oracle://user:hidden@host/db', 'database: oracle: is not supported; use file:, libsql:'],
    ['postgres://user:hid/den@host:x/db', 'database: cannot be read as a URL'],
    ['postgres://user:hidden@host', 'database: the URL has no database name'],
    ['data.db', 'database: must be a URL; write file: in front of the path of a SQLite file'],
    ['C:\\data.db', 'database: must be a URL; write file: in front of the path of a SQLite file'],
    ['file:', 'database: the URL has no path; write file: and the path of a SQLite file'],
    [
      'sqlite::memory:',
      'database: a database in memory is lost at the end of the process; use the path of a SQLite',
    ],
    ['file:/var/', 'database: the URL has no path; write file: and the path of a SQLite file'],
    ['file:x.db?mode=ro', 'database: must not have a query or a fragment; use the path alone'],
    ['file://host/x.db', 'database: file: must not name a host; write file: and the path'],
    ['file:100%.db', 'database: has a broken percent sign; write %25 for the character itself'],
  ])('is refused: %s', (url, message) => {
    const read = () => readDatabaseUrl(url, '/srv')
    expect(read).toThrow(message)
    expect(read).not.toThrow('hid')
  })
})
